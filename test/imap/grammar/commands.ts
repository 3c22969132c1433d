/** Commands and what they say, by RFC and section. Inputs with literals have them as a client sends them without waiting. */
import type { UntaggedCommand } from '../../../src/imap/grammar/command.js'
import type { FetchItem } from '../../../src/imap/grammar/fetch-items.js'
import type { SearchKey } from '../../../src/imap/grammar/search-keys.js'
import type { SearchReturn } from '../../../src/imap/grammar/search.js'
import type { NumberSet } from '../../../src/imap/wire/sequence-set.js'

export interface Accepted {
  /** Without tag and CRLF. */
  text: string
  expected: UntaggedCommand
  utf8: boolean
}

const accepted: Accepted[] = []
/** @param texts forms that say the same */
function say(texts: string | string[], expected: UntaggedCommand, { utf8 = false } = {}): void {
  for (const text of [texts].flat()) accepted.push({ text, expected, utf8 })
}
export const ACCEPTED: readonly Accepted[] = accepted

const LARGEST = 2 ** 32 - 1

/** Runs as in a set, e.g. `[1, 3]` for `1:3`. */
export function set(runs: number[], starFrom?: number): NumberSet {
  return { kind: 'numbers', runs, starFrom }
}

const day = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date)

// RFC 9051 §6.1, §6.2, §6.3.1: the connection and who is at it.
for (const name of [
  'CAPABILITY',
  'NOOP',
  'LOGOUT',
  'STARTTLS',
  'NAMESPACE',
  'CHECK',
  'CLOSE',
  'UNSELECT',
  'IDLE',
] as const)
  say([name, name.toLowerCase()], { name })
say('AUTHENTICATE GSSAPI', { name: 'AUTHENTICATE', mechanism: 'GSSAPI', initialResponse: undefined })
say('authenticate plain AHRlc3QAdGVzdA==', {
  name: 'AUTHENTICATE',
  mechanism: 'PLAIN',
  initialResponse: Buffer.from('\0test\0test'),
})
say('AUTHENTICATE EXTERNAL =', { name: 'AUTHENTICATE', mechanism: 'EXTERNAL', initialResponse: Buffer.alloc(0) })
say(
  ['LOGIN SMITH SESAME', 'LOGIN "SMITH" "SESAME"', 'LOGIN {5+}\r\nSMITH {6+}\r\nSESAME', 'LOGIN SMITH {6+}\r\nSESAME'],
  {
    name: 'LOGIN',
    user: 'SMITH',
    password: 'SESAME',
  },
)
say('LOGIN "a\\"b\\\\c" ""', { name: 'LOGIN', user: 'a"b\\c', password: '' })
say('LOGIN a] {7+}\r\npässwd', { name: 'LOGIN', user: 'a]', password: 'pässwd' })
say('LOGIN a "pässwd"', { name: 'LOGIN', user: 'a', password: 'pässwd' }, { utf8: true })
say(['ID NIL', 'id nil'], { name: 'ID', fields: undefined })
say('ID ()', { name: 'ID', fields: [] })
say('ID ("name" "sodr" "version" "19.34" "vendor" NIL)', {
  name: 'ID',
  fields: [
    { field: 'name', value: 'sodr' },
    { field: 'version', value: '19.34' },
    { field: 'vendor', value: undefined },
  ],
})
say('ENABLE condstore X-GOOD-IDEA', { name: 'ENABLE', capabilities: ['CONDSTORE', 'X-GOOD-IDEA'] })
say('ENABLE UTF8=ACCEPT', { name: 'ENABLE', capabilities: ['UTF8=ACCEPT'] })
say('COMPRESS deflate', { name: 'COMPRESS', algorithm: 'DEFLATE' })

// RFC 9051 §6.3.2, RFC 7162: selecting.
const selected = { name: 'SELECT', mailbox: 'INBOX', condstore: false, qresync: undefined } as const
say(['SELECT INBOX', 'select "inbox"', 'SELECT {5+}\r\nInbox'], selected)
say('EXAMINE blurdybloop', { ...selected, name: 'EXAMINE', mailbox: 'blurdybloop' })
say('SELECT INBOX (CONDSTORE)', { ...selected, condstore: true })
const known = { uidValidity: 67890007, modseq: 1, knownUids: undefined, match: undefined }
say('SELECT INBOX (QRESYNC (67890007 9223372036854775807))', {
  ...selected,
  qresync: { ...known, modseq: 2 ** 53 - 1 },
})
say('SELECT INBOX (QRESYNC (67890007 90060115194045 41,43:211,214:541) CONDSTORE)', {
  ...selected,
  condstore: true,
  qresync: { ...known, modseq: 90060115194045, knownUids: set([41, 41, 43, 211, 214, 541]) },
})
say(
  'SELECT INBOX (QRESYNC (67890007 9006011 1:29997 (5000,7500,9000,9990:9999 15000,22500,27000,29970,29973,29976,29979,29982,29985,29988,29991,29994,29997)))',
  {
    ...selected,
    qresync: {
      ...known,
      modseq: 9006011,
      knownUids: set([1, 29997]),
      match: {
        sequence: set([5000, 5000, 7500, 7500, 9000, 9000, 9990, 9999]),
        uids: set(
          [15000, 22500, 27000, 29970, 29973, 29976, 29979, 29982, 29985, 29988, 29991, 29994, 29997].flatMap((n) => [
            n,
            n,
          ]),
        ),
      },
    },
  },
)
say('SELECT INBOX (QRESYNC (67890007 1 (1:3 4,6:7)))', {
  ...selected,
  qresync: { ...known, modseq: 1, match: { sequence: set([1, 3]), uids: set([4, 4, 6, 7]) } },
})

// RFC 9051 §6.3.4 to §6.3.11, RFC 6154, RFC 9208: mailboxes.
say('CREATE owatagusiam/', { name: 'CREATE', mailbox: 'owatagusiam/', uses: [] })
say('CREATE MySpecial (USE (\\Drafts \\Sent))', { name: 'CREATE', mailbox: 'MySpecial', uses: ['\\Drafts', '\\Sent'] })
say('CREATE Entw&APw-rfe', { name: 'CREATE', mailbox: 'Entwürfe', uses: [] })
say('CREATE "Entwürfe"', { name: 'CREATE', mailbox: 'Entwürfe', uses: [] }, { utf8: true })
for (const name of ['DELETE', 'SUBSCRIBE', 'UNSUBSCRIBE', 'GETQUOTAROOT'] as const)
  say([`${name} foo/bar`, `${name} "foo/bar"`], { name, mailbox: 'foo/bar' })
say('RENAME blurdybloop "sar asoop"', { name: 'RENAME', mailbox: 'blurdybloop', to: 'sar asoop' })
say('STATUS blurdybloop (UIDNEXT MESSAGES)', { name: 'STATUS', mailbox: 'blurdybloop', items: ['UIDNEXT', 'MESSAGES'] })
say(
  'STATUS inbox (MESSAGES RECENT UIDNEXT UIDVALIDITY UNSEEN DELETED SIZE HIGHESTMODSEQ MAILBOXID APPENDLIMIT messages)',
  {
    name: 'STATUS',
    mailbox: 'INBOX',
    // prettier-ignore
    items: ['MESSAGES', 'RECENT', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN', 'DELETED', 'SIZE', 'HIGHESTMODSEQ', 'MAILBOXID', 'APPENDLIMIT'],
  },
)
say('GETQUOTA ""', { name: 'GETQUOTA', root: '' })

// RFC 9051 §6.3.9, RFC 5258, RFC 5819: lists.
type List = Extract<UntaggedCommand, { name: 'LIST' }>
const list: List = {
  name: 'LIST',
  isExtended: false,
  selection: [],
  reference: '',
  patterns: [],
  returns: [],
  status: [],
}
say(['LIST "" ""', 'LIST {0+}\r\n {0+}\r\n'], { ...list, patterns: [''] })
say('LIST /usr/staff/jones ""', { ...list, reference: '/usr/staff/jones', patterns: [''] })
say(['LIST ~/Mail/ %', 'LIST "~/Mail/" "%"'], { ...list, reference: '~/Mail/', patterns: ['%'] })
say('LIST (SUBSCRIBED REMOTE) "" "*"', {
  ...list,
  isExtended: true,
  selection: ['SUBSCRIBED', 'REMOTE'],
  patterns: ['*'],
})
say('LIST () "" foo', { ...list, isExtended: true, patterns: ['foo'] })
say('LIST (SUBSCRIBED RECURSIVEMATCH) "" *% RETURN (CHILDREN)', {
  ...list,
  isExtended: true,
  selection: ['SUBSCRIBED', 'RECURSIVEMATCH'],
  patterns: ['*%'],
  returns: ['CHILDREN'],
})
say('LIST "" ("INBOX" "Drafts" "Sent/%") RETURN ()', {
  ...list,
  isExtended: true,
  patterns: ['INBOX', 'Drafts', 'Sent/%'],
})
say('LIST (SPECIAL-USE) "" % RETURN (SUBSCRIBED CHILDREN SPECIAL-USE STATUS (MESSAGES UNSEEN))', {
  ...list,
  isExtended: true,
  selection: ['SPECIAL-USE'],
  patterns: ['%'],
  returns: ['SUBSCRIBED', 'CHILDREN', 'SPECIAL-USE'],
  status: ['MESSAGES', 'UNSEEN'],
})
say('LIST "" &AOk-*', { ...list, patterns: ['é*'] })
say('LSUB "#news." "comp.mail.*"', { name: 'LSUB', reference: '#news.', pattern: 'comp.mail.*' })

// RFC 9051 §6.3.12, RFC 3502, RFC 6855: APPEND.
const literal = (text: string, isLiteral8 = false) =>
  ({ kind: 'literal', size: Buffer.byteLength(text), isLiteral8, octets: Buffer.from(text) }) as const
const message = { flags: [], internalDateMs: undefined, isUtf8: false }
say('APPEND saved-messages (\\Seen) {11+}\r\nSubject: x\n', {
  name: 'APPEND',
  mailbox: 'saved-messages',
  messages: [{ ...message, flags: ['\\Seen'], literal: literal('Subject: x\n') }],
})
say('APPEND inbox {2+}\r\nxy', { name: 'APPEND', mailbox: 'INBOX', messages: [{ ...message, literal: literal('xy') }] })
say('APPEND {3+}\r\nfoo (\\seen $Junk) " 1-Feb-1994 21:52:25 -0800" ~{3+}\r\nx\0y', {
  name: 'APPEND',
  mailbox: 'foo',
  messages: [
    {
      ...message,
      flags: ['\\Seen', '$Junk'],
      internalDateMs: Date.UTC(1994, 1, 2, 5, 52, 25),
      literal: literal('x\0y', true),
    },
  ],
})
say('APPEND foo () UTF8 (~{3+}\r\né\n)', {
  name: 'APPEND',
  mailbox: 'foo',
  messages: [{ ...message, isUtf8: true, literal: literal('é\n', true) }],
})
say('APPEND foo (\\Draft) {1+}\r\na "01-Jan-2026 00:00:00 +0000" {1+}\r\nb {0+}\r\n', {
  name: 'APPEND',
  mailbox: 'foo',
  messages: [
    { ...message, flags: ['\\Draft'], literal: literal('a') },
    { ...message, internalDateMs: day(2026, 1, 1), literal: literal('b') },
    { ...message, literal: literal('') },
  ],
})

// RFC 9051 §6.4.4, RFC 3501 §6.4.4: search keys.
export const KEYS: [text: string, key: SearchKey][] = [
  ['ALL', { key: 'all' }],
  ['NEW', { key: 'new' }],
  ['OLD', { key: 'old' }],
  ['RECENT', { key: 'recent' }],
  ['ANSWERED', { key: 'flag', flag: '\\Answered', isSet: true }],
  ['DELETED', { key: 'flag', flag: '\\Deleted', isSet: true }],
  ['DRAFT', { key: 'flag', flag: '\\Draft', isSet: true }],
  ['FLAGGED', { key: 'flag', flag: '\\Flagged', isSet: true }],
  ['SEEN', { key: 'flag', flag: '\\Seen', isSet: true }],
  ['UNANSWERED', { key: 'flag', flag: '\\Answered', isSet: false }],
  ['UNDELETED', { key: 'flag', flag: '\\Deleted', isSet: false }],
  ['UNDRAFT', { key: 'flag', flag: '\\Draft', isSet: false }],
  ['UNFLAGGED', { key: 'flag', flag: '\\Flagged', isSet: false }],
  ['unseen', { key: 'flag', flag: '\\Seen', isSet: false }],
  ['KEYWORD $MDNSent', { key: 'keyword', keyword: '$MDNSent', isSet: true }],
  ['UNKEYWORD work', { key: 'keyword', keyword: 'work', isSet: false }],
  ['BCC a', { key: 'text', in: 'BCC', value: 'a' }],
  ['BODY "a b"', { key: 'text', in: 'BODY', value: 'a b' }],
  ['CC {3+}\r\na b', { key: 'text', in: 'CC', value: 'a b' }],
  ['FROM "Smith"', { key: 'text', in: 'FROM', value: 'Smith' }],
  ['SUBJECT ""', { key: 'text', in: 'SUBJECT', value: '' }],
  ['TEXT {12+}\r\nмамаеб', { key: 'text', in: 'TEXT', value: 'мамаеб' }],
  ['TO a@b.example', { key: 'text', in: 'TO', value: 'a@b.example' }],
  ['HEADER List-Id ""', { key: 'header', name: 'List-Id', value: '' }],
  ['HEADER "X-Y" {1+}\r\nz', { key: 'header', name: 'X-Y', value: 'z' }],
  ['BEFORE 1-Feb-1994', { key: 'date', of: 'internal', is: 'BEFORE', dateMs: day(1994, 2, 1) }],
  ['ON "29-feb-2024"', { key: 'date', of: 'internal', is: 'ON', dateMs: day(2024, 2, 29) }],
  ['SINCE 01-Feb-1994', { key: 'date', of: 'internal', is: 'SINCE', dateMs: day(1994, 2, 1) }],
  ['SENTBEFORE 31-Dec-1999', { key: 'date', of: 'sent', is: 'BEFORE', dateMs: day(1999, 12, 31) }],
  ['SENTON 31-Dec-1999', { key: 'date', of: 'sent', is: 'ON', dateMs: day(1999, 12, 31) }],
  ['SENTSINCE 31-Dec-1999', { key: 'date', of: 'sent', is: 'SINCE', dateMs: day(1999, 12, 31) }],
  ['SAVEDBEFORE 1-Jan-2026', { key: 'date', of: 'saved', is: 'BEFORE', dateMs: day(2026, 1, 1) }],
  ['SAVEDON 1-Jan-2026', { key: 'date', of: 'saved', is: 'ON', dateMs: day(2026, 1, 1) }],
  ['SAVEDSINCE 1-Jan-2026', { key: 'date', of: 'saved', is: 'SINCE', dateMs: day(2026, 1, 1) }],
  ['SAVEDATESUPPORTED', { key: 'saved date supported' }],
  ['LARGER 50000', { key: 'size', is: 'LARGER', bytes: 50000 }],
  ['SMALLER 4294967296', { key: 'size', is: 'SMALLER', bytes: 2 ** 32 }],
  ['OLDER 3600', { key: 'age', is: 'OLDER', seconds: 3600 }],
  ['YOUNGER 259200', { key: 'age', is: 'YOUNGER', seconds: 259200 }],
  ['UID 443:557', { key: 'uid', set: set([443, 557]) }],
  ['UID $', { key: 'uid', set: { kind: 'saved' } }],
  ['2,4:7,12:*', { key: 'sequence', set: set([2, 2, 4, 7], 12) }],
  ['*', { key: 'sequence', set: set([], LARGEST) }],
  ['$', { key: 'sequence', set: { kind: 'saved' } }],
  ['MODSEQ 620162338', { key: 'modseq', modseq: 620162338, entry: undefined }],
  [
    'MODSEQ "/flags/\\\\draft" all 620162338',
    { key: 'modseq', modseq: 620162338, entry: { name: '/flags/\\draft', type: 'ALL' } },
  ],
  ['EMAILID M6d99ac3275bb4e', { key: 'email id', id: 'M6d99ac3275bb4e' }],
  ['THREADID T64b478a75b7ea9', { key: 'thread id', id: 'T64b478a75b7ea9' }],
  ['NOT SEEN', { key: 'not', not: { key: 'flag', flag: '\\Seen', isSet: true } }],
  ['NOT NOT ALL', { key: 'not', not: { key: 'not', not: { key: 'all' } } }],
  [
    'OR ALL OR NEW OLD',
    { key: 'or', either: { key: 'all' }, or: { key: 'or', either: { key: 'new' }, or: { key: 'old' } } },
  ],
  ['(ALL)', { key: 'all' }],
  ['(NEW OLD)', { key: 'and', keys: [{ key: 'new' }, { key: 'old' }] }],
  [
    'OR (NEW OLD) ((ALL))',
    { key: 'or', either: { key: 'and', keys: [{ key: 'new' }, { key: 'old' }] }, or: { key: 'all' } },
  ],
]
for (const [text, key] of KEYS) say(`SEARCH ${text}`, { name: 'SEARCH', uid: false, returns: undefined, key })

const all: SearchKey = { key: 'all' }
const searched = (returns: SearchReturn[] | undefined, uid = false, key: SearchKey = all) =>
  ({ name: 'SEARCH', uid, returns, key }) as const
say(
  'SEARCH FLAGGED SINCE 1-Feb-1994 NOT FROM "Smith"',
  searched(undefined, false, {
    key: 'and',
    keys: [
      { key: 'flag', flag: '\\Flagged', isSet: true },
      { key: 'date', of: 'internal', is: 'SINCE', dateMs: day(1994, 2, 1) },
      { key: 'not', not: { key: 'text', in: 'FROM', value: 'Smith' } },
    ],
  }),
)
say(['SEARCH CHARSET UTF-8 ALL', 'search charset "us-ascii" all'], searched(undefined))
say('UID SEARCH ALL', searched(undefined, true))
say('SEARCH RETURN (MIN COUNT) ALL', searched(['MIN', 'COUNT']))
say(
  'UID SEARCH RETURN (SAVE MIN MAX ALL COUNT MIN) CHARSET UTF-8 ALL',
  searched(['SAVE', 'MIN', 'MAX', 'ALL', 'COUNT'], true),
)
say('SEARCH return () ALL', searched(['ALL']))
say('SEARCH SUBJECT "é"', searched(undefined, false, { key: 'text', in: 'SUBJECT', value: 'é' }), { utf8: true })

// RFC 5256, RFC 5267.
const sorted = {
  name: 'SORT',
  uid: false,
  returns: undefined,
  sort: [{ by: 'SUBJECT', reverse: false }],
  key: all,
} as const
say('SORT (SUBJECT) UTF-8 ALL', { ...sorted, sort: [...sorted.sort] })
say('UID SORT (SUBJECT REVERSE DATE ARRIVAL CC FROM SIZE TO) US-ASCII ALL', {
  ...sorted,
  uid: true,
  sort: (['SUBJECT', 'DATE', 'ARRIVAL', 'CC', 'FROM', 'SIZE', 'TO'] as const).map((by) => ({
    by,
    reverse: by === 'DATE',
  })),
})
say('SORT RETURN (ALL COUNT) (SUBJECT) utf-8 ALL', { ...sorted, sort: [...sorted.sort], returns: ['ALL', 'COUNT'] })
say('THREAD ORDEREDSUBJECT UTF-8 ALL', { name: 'THREAD', uid: false, algorithm: 'ORDEREDSUBJECT', key: all })
say('UID THREAD references us-ascii ALL', { name: 'THREAD', uid: true, algorithm: 'REFERENCES', key: all })

// RFC 9051 §6.4.5, RFC 3501 §6.4.5, RFC 7162, RFC 8474, RFC 8514, RFC 8970: FETCH.
export const ITEMS: [text: string, item: FetchItem][] = [
  ...(
    [
      'FLAGS',
      'INTERNALDATE',
      'RFC822',
      'RFC822.SIZE',
      'RFC822.HEADER',
      'RFC822.TEXT',
      'ENVELOPE',
      'BODY',
      'BODYSTRUCTURE',
      'UID',
      'MODSEQ',
      'EMAILID',
      'THREADID',
      'SAVEDATE',
    ] as const
  ).map((item): [string, FetchItem] => [item, { item }]),
  ['PREVIEW', { item: 'PREVIEW', lazy: false }],
  ['PREVIEW (LAZY)', { item: 'PREVIEW', lazy: true }],
  ['BODY[]', { item: 'SECTION', section: { kind: 'all', part: [] }, peek: false, partial: undefined }],
  [
    'body.peek[]<0.2048>',
    { item: 'SECTION', section: { kind: 'all', part: [] }, peek: true, partial: { offset: 0, length: 2048 } },
  ],
  ['BODY[HEADER]', { item: 'SECTION', section: { kind: 'HEADER', part: [] }, peek: false, partial: undefined }],
  [
    'BODY[TEXT]<5.1>',
    { item: 'SECTION', section: { kind: 'TEXT', part: [] }, peek: false, partial: { offset: 5, length: 1 } },
  ],
  ['BODY[4.2.2.1]', { item: 'SECTION', section: { kind: 'all', part: [4, 2, 2, 1] }, peek: false, partial: undefined }],
  ['BODY[4.1.MIME]', { item: 'SECTION', section: { kind: 'MIME', part: [4, 1] }, peek: false, partial: undefined }],
  ['BODY[3.HEADER]', { item: 'SECTION', section: { kind: 'HEADER', part: [3] }, peek: false, partial: undefined }],
  ['BODY[3.TEXT]', { item: 'SECTION', section: { kind: 'TEXT', part: [3] }, peek: false, partial: undefined }],
  [
    'BODY[HEADER.FIELDS (DATE FROM)]',
    {
      item: 'SECTION',
      section: { kind: 'HEADER.FIELDS', part: [], names: ['DATE', 'FROM'] },
      peek: false,
      partial: undefined,
    },
  ],
  [
    'BODY.PEEK[2.header.fields.not ("X-Y" {1+}\r\nZ)]<1.9>',
    {
      item: 'SECTION',
      section: { kind: 'HEADER.FIELDS.NOT', part: [2], names: ['X-Y', 'Z'] },
      peek: true,
      partial: { offset: 1, length: 9 },
    },
  ],
  ['BINARY[1.2]', { item: 'BINARY', part: [1, 2], peek: false, partial: undefined }],
  ['BINARY.PEEK[3]<0.10>', { item: 'BINARY', part: [3], peek: true, partial: { offset: 0, length: 10 } }],
  ['BINARY[]', { item: 'BINARY', part: [], peek: false, partial: undefined }],
  ['BINARY.SIZE[4]', { item: 'BINARY.SIZE', part: [4] }],
]
const fetched = { name: 'FETCH', uid: false, set: set([1, 1]), changedSince: undefined, vanished: false } as const
for (const [text, item] of ITEMS) say([`FETCH 1 ${text}`, `FETCH 1 (${text})`], { ...fetched, items: [item] })
const fast: FetchItem[] = [{ item: 'FLAGS' }, { item: 'INTERNALDATE' }, { item: 'RFC822.SIZE' }]
say('FETCH 1 FAST', { ...fetched, items: fast })
say('fetch 1 all', { ...fetched, items: [...fast, { item: 'ENVELOPE' }] })
say('FETCH 1 FULL', { ...fetched, items: [...fast, { item: 'ENVELOPE' }, { item: 'BODY' }] })
say('FETCH 2:4 (FLAGS BODY[HEADER.FIELDS (DATE FROM)])', {
  ...fetched,
  set: set([2, 4]),
  items: [
    { item: 'FLAGS' },
    {
      item: 'SECTION',
      section: { kind: 'HEADER.FIELDS', part: [], names: ['DATE', 'FROM'] },
      peek: false,
      partial: undefined,
    },
  ],
})
say('FETCH $ (UID BODY.PEEK[])', {
  ...fetched,
  set: { kind: 'saved' },
  items: [{ item: 'UID' }, { item: 'SECTION', section: { kind: 'all', part: [] }, peek: true, partial: undefined }],
})
say('FETCH 1 (FLAGS) (CHANGEDSINCE 12345)', { ...fetched, items: [{ item: 'FLAGS' }], changedSince: 12345 })
say('FETCH 1 PREVIEW (CHANGEDSINCE 5)', { ...fetched, items: [{ item: 'PREVIEW', lazy: false }], changedSince: 5 })
say(
  ['UID FETCH 300:500 (FLAGS) (CHANGEDSINCE 12345 VANISHED)', 'UID FETCH 300:500 FLAGS (vanished changedsince 12345)'],
  {
    ...fetched,
    uid: true,
    set: set([300, 500]),
    items: [{ item: 'FLAGS' }],
    changedSince: 12345,
    vanished: true,
  },
)

// RFC 9051 §6.4.6 to §6.4.9, RFC 7162 §3.1.3: changes.
const stored = {
  name: 'STORE',
  uid: false,
  set: set([2, 4]),
  change: 'add',
  silent: false,
  flags: ['\\Deleted'],
  unchangedSince: undefined,
} as const
say(['STORE 2:4 +FLAGS (\\Deleted)', 'STORE 2:4 +FLAGS \\Deleted', 'store 2:4 +flags (\\deleted \\DELETED)'], {
  ...stored,
  flags: ['\\Deleted'],
})
say('STORE 2:4 -FLAGS.SILENT ($Work \\Flagged)', {
  ...stored,
  change: 'remove',
  silent: true,
  flags: ['$Work', '\\Flagged'],
})
say('STORE 2:4 FLAGS.SILENT a b \\Seen', { ...stored, change: 'replace', silent: true, flags: ['a', 'b', '\\Seen'] })
say('STORE 2:4 FLAGS ()', { ...stored, change: 'replace', flags: [] })
say('UID STORE 1:* (UNCHANGEDSINCE 0) +FLAGS ($MDNSent)', {
  ...stored,
  uid: true,
  set: set([], 1),
  flags: ['$MDNSent'],
  unchangedSince: 0,
})
for (const name of ['COPY', 'MOVE'] as const) {
  say(`${name} 2:4 MEETING`, { name, uid: false, set: set([2, 4]), mailbox: 'MEETING' })
  say(`UID ${name} 42:69 "foo bar"`, { name, uid: true, set: set([42, 69]), mailbox: 'foo bar' })
}
say('EXPUNGE', { name: 'EXPUNGE', uids: undefined })
say('UID EXPUNGE 3000:3002', { name: 'EXPUNGE', uids: set([3000, 3002]) })
say('UID EXPUNGE $', { name: 'EXPUNGE', uids: { kind: 'saved' } })

// RFC 5465.
const quiet = { messages: undefined, mailboxName: false, subscriptionChange: false }
say('NOTIFY NONE', { name: 'NOTIFY', mode: 'none' })
say('NOTIFY SET STATUS (selected (MessageNew (UID BODY.PEEK[HEADER.FIELDS (FROM)]) MessageExpunge))', {
  name: 'NOTIFY',
  mode: 'set',
  status: true,
  groups: [
    {
      mailboxes: { kind: 'SELECTED' },
      events: {
        ...quiet,
        messages: {
          flagChange: false,
          items: [
            { item: 'UID' },
            {
              item: 'SECTION',
              section: { kind: 'HEADER.FIELDS', part: [], names: ['FROM'] },
              peek: true,
              partial: undefined,
            },
          ],
        },
      },
    },
  ],
})
say(
  'NOTIFY SET (selected-delayed (MessageNew MessageExpunge FlagChange)) (personal (MailboxName SubscriptionChange)) (inboxes (messagenew messageexpunge)) (subscribed NONE) (subtree Lists (MailboxName)) (mailboxes (INBOX "a b") NONE)',
  {
    name: 'NOTIFY',
    mode: 'set',
    status: false,
    groups: [
      { mailboxes: { kind: 'SELECTED-DELAYED' }, events: { ...quiet, messages: { items: [], flagChange: true } } },
      { mailboxes: { kind: 'PERSONAL' }, events: { ...quiet, mailboxName: true, subscriptionChange: true } },
      { mailboxes: { kind: 'INBOXES' }, events: { ...quiet, messages: { items: [], flagChange: false } } },
      { mailboxes: { kind: 'SUBSCRIBED' }, events: quiet },
      { mailboxes: { kind: 'SUBTREE', names: ['Lists'] }, events: { ...quiet, mailboxName: true } },
      { mailboxes: { kind: 'MAILBOXES', names: ['INBOX', 'a b'] }, events: quiet },
    ],
  },
)
