import fc from 'fast-check'
import t from 'tap'
import { ServiceError } from '../../../src/lib/errors.js'
import { readFilter, type Wish } from '../../../src/mailbox/search/query.js'
import type { MessageFilter } from '../../../src/mailbox/search/message-filter.js'

/** What is asked for, in short: `-from:*word`, with the star before a word that may go on. */
function read(filter: MessageFilter): string[] | undefined {
  return readFilter(filter)?.map(({ wish, not }) => `${not ? '-' : ''}${shown(wish)}`)
}

function shown(wish: Wish): string {
  switch (wish.kind) {
    case 'words': {
      const words = wish.terms.map(({ token, prefix }) => `${prefix ? '*' : ''}${token}`).join(wish.phrase ? '_' : ' ')
      return `${wish.field}:${words}`
    }
    case 'address':
      return `${wish.field}=${wish.address}`
    case 'before':
    case 'after':
      return `${wish.kind} ${new Date(wish.time).toISOString()}`
    case 'label':
      return `label ${wish.label}`
    default:
      return wish.kind
  }
}

t.test('words, phrases and operators are told apart', async (t) => {
  const cases: [string, string[]][] = [
    ['hello wor', ['any:hello', 'any:*wor']],
    ['"hello world"', ['any:hello_world']],
    ['“hello world” x', ['any:hello_world', 'any:*x']],
    ['-draft invoice', ['-any:draft', 'any:*invoice']],
    ['invoice -draft', ['any:invoice', '-any:draft']],
    ['-"final notice"', ['-any:final_notice']],
    ["don't", ['any:don *t']],
    ['from:Ada', ['from:*ada']],
    ['FROM:ada@example.org', ['from=ada@example.org']],
    ['to:@example.org', ['to=@example.org']],
    ['from:ada@exam', ['from:ada *exam']],
    ['-to:"Ada Lovelace"', ['-to:ada_lovelace']],
    ['subject:invoice paid', ['subject:*invoice', 'any:*paid']],
    ['subject:"march invoice"', ['subject:march_invoice']],
    ['label:Work/todo -label:done', ['label work/todo', '-label done']],
    ['has:attachment -has:attachments', ['attachment', '-attachment']],
    ['is:unread is:read -is:read', ['unread', '-unread', 'unread']],
    ['in:inbox -in:spam in:Sent', ['label inbox', '-label spam', 'label sent']],
    ['after:2026-01-31', ['after 2026-01-31T00:00:00.000Z']],
    ['before:2026/2/1', ['before 2026-02-01T00:00:00.000Z']],
    ['before:2026-02-01T10:00:00+02:00', ['before 2026-02-01T08:00:00.000Z']],
    ['Re: lunch', ['any:re', 'any:*lunch']],
    ['https://example.org/a', ['any:https example org *a']],
    ['at 10:30', ['any:at', 'any:10 *30']],
    ['6\'2" tall', ['any:6 2', 'any:*tall']],
    ['東京 x', ['any:東京', 'any:*x']],
    ['hello ?!', ['any:hello']],
  ]
  for (const [q, wanted] of cases) t.same(read({ q }), wanted, q)
  for (const q of ['', ' ', '?!', '-', '""', '…']) t.equal(read({ q }), undefined, `nothing is found by ${q}`)
})

t.test('what cannot be understood is named, with what can', async (t) => {
  const cases: [string, string, RegExp][] = [
    ['hi form:ada', 'form:ada', /no operator `form:`/],
    ['"never closed', '"never closed', /closed/],
    ['from:"never closed', 'from:"never closed', /closed/],
    ['"a b"c', '"a b"c', /closed/],
    ['from: ada', 'from:', /`from:` has no value/],
    ['from:?!', 'from:?!', /no word/],
    ['has:money', 'has:money', /has:attachment/],
    ['is:starred', 'is:starred', /is:unread/],
    ['in:archive', 'in:archive', /in:inbox/],
    ['in:trash', 'in:trash', /GET \/v1\/trash/],
    ['label:"no label"', 'label:"no label"', /1 to 64/],
    ['before:yesterday', 'before:yesterday', /2026-01-31/],
    ['after:2026-02-30', 'after:2026-02-30', /2026-01-31/],
    ['after:2026-01-01T10:00', 'after:2026-01-01T10:00', /2026-01-31T/],
    ['__proto__:x', '__proto__:x', /no operator/],
    ['constructor:x', 'constructor:x', /no operator/],
  ]
  for (const [q, piece, problem] of cases) {
    try {
      readFilter({ q })
      t.fail(`${q} was understood`)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      t.equal(error.code, 'invalid_request', q)
      t.ok(error.message.includes(`\`${piece}\``), `${error.message} names ${piece}`)
      t.match(error.hint, /from: to: subject: label: has:attachment/)
      t.match(error.fields, [{ field: 'q', problem }])
    }
  }
  t.throws(() => readFilter({ q: 'a b '.repeat(60) + Array.from({ length: 65 }, (_, i) => `w${i}`).join(' ') }), {
    code: 'invalid_request',
  })
})

t.test('filters beside q are wishes like those in it', async (t) => {
  t.same(read({ from: 'ada@example.org', to: 'Bob', subject: 'Your inv', q: 'x' }), [
    'from=ada@example.org',
    'to:*bob',
    'subject:your_*inv',
    'any:*x',
  ])
  t.same(read({ unread: false, hasAttachment: false }), ['-unread', '-attachment'])
  t.same(read({ unread: true, hasAttachment: true }), ['unread', 'attachment'])
  t.same(read({}), [])
  t.equal(read({ subject: '?!' }), undefined)
  t.equal(read({ from: '<>' }), undefined)
  t.throws(() => readFilter({ label: 'No Label' }), { code: 'invalid_request' })
})

t.test('whatever is asked for is understood, or refused as invalid_request', async (t) => {
  const piece = fc.constantFrom(
    'from:',
    'is:',
    'unread',
    '-',
    '"',
    ' ',
    'before:',
    '2026-01-01',
    'a',
    '京',
    ':',
    '“',
    '\0',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.array(piece).map((all) => all.join('')),
      ),
      (q) => {
        try {
          readFilter({ q })
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error
        }
      },
    ),
    { numRuns: 2000 },
  )
  t.pass()
})
