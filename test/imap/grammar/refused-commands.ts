/** Commands that are no commands, and what the client is told. */

export interface Refused {
  /** Without tag and CRLF. */
  text: string
  why: RegExp
  utf8: boolean
}

const refused: Refused[] = []
function no(why: RegExp, texts: string[], { utf8 = false } = {}): void {
  for (const text of texts) refused.push({ text, why, utf8 })
}
export const REFUSED: readonly Refused[] = refused

const part = (text: string): string => `FETCH 1 BODY[${text}]`

no(/^unknown command "[A-Z0-9. -]+(?:\.\.\.)?", at column/, [
  'XYZZY',
  'UID NOOP',
  'UID UID FETCH 1 FLAGS',
  'GETACL INBOX',
  'SETQUOTA "" (STORAGE 5)',
  'GETMETADATA "" /shared/comment',
  `${'X'.repeat(1000)}`,
])
no(/^expected a command/, ['', ' NOOP', '"NOOP"', '{4+}\r\nNOOP', '(NOOP)'])
no(/^expected the end of the command/, [
  'NOOP ',
  'NOOP x',
  'CAPABILITY\t',
  'LOGIN a b ',
  'LOGIN a b c',
  'SELECT INBOX/*',
  'EXPUNGE 1',
  'IDLE DONE',
  'FETCH 1 ALLFLAGS',
  'FETCH 1 FLAGS)',
  'SEARCH ALL)',
  'NOTIFY NONE x',
  'RENAME a b (x)',
])
no(/^expected a space/, [
  'LOGIN',
  'LOGIN a',
  'SELECT',
  'UID',
  'FETCH 1',
  'APPEND INBOX',
  'SEARCH',
  'STORE 1 FLAGS',
  'LIST ""',
  'ENABLE',
  'ID',
])
no(/^expected a mailbox name/, [
  'SELECT ',
  'SELECT  INBOX',
  'SELECT (a)',
  'SELECT %',
  'SELECT \\a',
  'COPY 1 ',
  'SELECT {5} x',
])

// Strings.
no(/has no closing quote/, ['LOGIN "a b', 'LOGIN "', 'LOGIN "a\\"'])
no(/^only " and \\ are escaped/, ['LOGIN "a\\b" c', 'LOGIN "\\'])
no(/8-bit characters in a quoted string/, ['LOGIN a "é"', 'SEARCH SUBJECT "é"'])
no(/^expected a password/, ['LOGIN a é', 'LOGIN a (', 'LOGIN a \x01'])
no(/is not UTF-8/, ['SELECT "\udcff"'], { utf8: true })
no(/^NUL in a password/, ['LOGIN a {1+}\r\n\0'])
no(/cannot be this kind of literal/, ['LOGIN a ~{1+}\r\nx'])
no(/^expected the end of the command, at column 17/, ['LOGIN "a" "b"{1+}\r\nx'])

// Signing in.
no(/^the initial response is not base64/, [
  'AUTHENTICATE PLAIN a',
  'AUTHENTICATE PLAIN AB==',
  'AUTHENTICATE PLAIN YQ=',
  'AUTHENTICATE PLAIN YQ==YQ==',
  'AUTHENTICATE PLAIN a_-b',
])
no(/^expected an initial response/, ['AUTHENTICATE PLAIN ', 'AUTHENTICATE PLAIN "YQ=="'])
no(/^expected/, [
  'ID name',
  'ID ("a")',
  'ID ("a" b)',
  'ID (a "b")',
  'ID ("a" "b"',
  'COMPRESS',
  'ENABLE (A)',
  'ENABLE A ',
])
no(/^unknown compression algorithm "LZW"/, ['COMPRESS LZW'])

// Mailboxes.
no(/^unknown parameter "FOO"/, ['SELECT INBOX (FOO)', 'CREATE x (FOO)', 'SELECT INBOX (CONDSTORE FOO)'])
no(/given twice/, [
  'SELECT INBOX (CONDSTORE CONDSTORE)',
  'FETCH 1 FLAGS (CHANGEDSINCE 1 CHANGEDSINCE 2)',
  'UID FETCH 1 FLAGS (VANISHED VANISHED)',
])
no(/^empty list/, [
  'SELECT INBOX ()',
  'STATUS INBOX ()',
  'LIST "" ()',
  'FETCH 1 ()',
  'SEARCH ()',
  'SORT () UTF-8 ALL',
  'FETCH 1 FLAGS ()',
  'FETCH 1 PREVIEW ()',
  part('HEADER.FIELDS ()'),
])
no(/UIDVALIDITY is 0/, ['SELECT INBOX (QRESYNC (0 1))'])
no(/a mod-sequence is 0/, ['SELECT INBOX (QRESYNC (1 0))', 'FETCH 1 FLAGS (CHANGEDSINCE 0)'])
no(/has numbers only/, [
  'SELECT INBOX (QRESYNC (1 1 1:*))',
  'SELECT INBOX (QRESYNC (1 1 $))',
  'SELECT INBOX (QRESYNC (1 1 (1:* 2)))',
])
no(/^not as many sequence numbers as UIDs/, ['SELECT INBOX (QRESYNC (1 1 (1:3 4:5)))'])
no(/^expected/, [
  'SELECT INBOX (QRESYNC)',
  'SELECT INBOX (QRESYNC 1 1)',
  'SELECT INBOX (QRESYNC (1))',
  'SELECT INBOX (QRESYNC (1 1 1 (1)))',
  'SELECT INBOX CONDSTORE',
  'CREATE x (USE)',
  'CREATE x (USE (Drafts))',
  'RENAME a',
  'STATUS x',
  'STATUS x MESSAGES',
  'STATUS x (MESSAGES',
])
no(/^unknown status item "FOO"/, ['STATUS INBOX (FOO)', 'LIST "" * RETURN (STATUS (FOO))'])
no(/not modified UTF-7/, ['SELECT a&b', 'LIST "" a&b*', 'CREATE &AGE-'])

// Lists.
no(/^unknown selection option "FOO"/, ['LIST (FOO) "" *'])
no(/^RECURSIVEMATCH needs/, ['LIST (RECURSIVEMATCH) "" *', 'LIST (REMOTE RECURSIVEMATCH) "" *'])
no(/^unknown return option "FOO"/, [
  'LIST "" * RETURN (FOO)',
  'SEARCH RETURN (FOO) ALL',
  'SORT RETURN (FOO) (DATE) UTF-8 ALL',
])
no(/^expected/, [
  'LIST "" *  RETURN ()',
  'LIST "" * RETURN',
  'LIST "" * RETURN CHILDREN',
  'LIST ""  *',
  'LIST () ""',
  'LSUB "" (a b)',
  'LSUB ""',
])

// Sets.
no(/^a sequence set is not valid/, [
  'FETCH 0 FLAGS',
  'FETCH 1: FLAGS',
  'FETCH 1,,2 FLAGS',
  'FETCH 4294967296 FLAGS',
  'FETCH 1:2:3 FLAGS',
  'STORE 01 FLAGS ()',
  'SEARCH UID 0',
  'UID EXPUNGE ,',
])
no(/^expected a sequence set/, ['FETCH FLAGS', 'FETCH  1 FLAGS', 'COPY a b', 'UID EXPUNGE ', 'SEARCH UID x'])
no(/^expected a space/, ['FETCH 1$ FLAGS', 'FETCH $,1 FLAGS', 'FETCH $:3 FLAGS'])

// Messages.
no(/^unknown fetch item "FOO"/, ['FETCH 1 FOO', 'FETCH 1 (FLAGS FOO)', 'FETCH 1 FOO[]'])
no(/^unknown fetch item "ALL"/, ['FETCH 1 (ALL)'])
no(/^expected/, [
  'FETCH 1 (FLAGS  UID)',
  'FETCH 1 ( FLAGS)',
  'FETCH 1 (FLAGS )',
  'FETCH 1 (FLAGS',
  'FETCH 1 BODY.PEEK',
  'FETCH 1 BINARY',
  'FETCH 1 BODY [TEXT]',
  'FETCH 1 ((FLAGS))',
  'FETCH 1 BODY[]<0>',
  'FETCH 1 BODY[]<.1>',
  'FETCH 1 BODY[]<0.1',
  'FETCH 1 BINARY.SIZE[1]<0.1>',
  'FETCH 1 (PREVIEW (LAZY)',
])
no(/^a length is 0/, ['FETCH 1 BODY[]<0.0>'])
no(/^unknown section "FOO"/, [part('FOO'), part('1.FOO')])
no(/^unknown section "(?:\.1|\.2|TEXT\.1)"/, [part('.1'), part('1..2'), part('TEXT.1')])
no(/^MIME needs/, [part('MIME')])
no(/^a part number is 0/, [part('0'), part('1.0')])
no(/^expected/, [part('1.'), part('HEADER.FIELDS'), part('HEADER.FIELDS DATE'), part('HEADER '), 'FETCH 1 BODY[1'])
no(/^BINARY takes/, ['FETCH 1 BINARY[1.TEXT]'])
no(/^not a header name/, [part('HEADER.FIELDS ("")'), part('HEADER.FIELDS (a:b)'), part('HEADER.FIELDS ("a b")')])
no(/^unknown modifier "FOO"/, ['FETCH 1 FLAGS (FOO)'])
no(/^VANISHED is for/, ['FETCH 1 FLAGS (CHANGEDSINCE 1 VANISHED)', 'UID FETCH 1 FLAGS (VANISHED)'])
no(/is larger than 9223372036854775807/, [
  'FETCH 1 FLAGS (CHANGEDSINCE 9223372036854775808)',
  'SEARCH LARGER 99999999999999999999',
  'FETCH 1 BODY[]<9223372036854775808.1>',
])
no(/^unknown item of STORE "(?:LABELS|FLAGS\.LOUD)"/, ['STORE 1 LABELS (a)', 'STORE 1 +FLAGS.LOUD (a)'])
no(/^expected/, [
  'STORE 1 +FLAGS',
  'STORE 1 ++FLAGS (a)',
  'STORE 1 FLAGS (a',
  'STORE 1 FLAGS (a  b)',
  'STORE 1 FLAGS \\',
  'STORE 1 FLAGS (\\*)',
  'STORE 1 FLAGS "a"',
  'STORE 1 (UNCHANGEDSINCE) FLAGS a',
  'STORE 1 (CHANGEDSINCE 1) FLAGS a',
])

// Searches.
no(/^unknown search key/, [
  'SEARCH FOO',
  'SEARCH FOO bar',
  'SEARCH ALL FOO',
  'SEARCH FROM',
  'SEARCH NOT',
  'SEARCH UNALL',
])
no(/^expected/, [
  'SEARCH ALL ',
  'SEARCH (ALL',
  'SEARCH ( ALL)',
  'SEARCH OR ALL',
  'SEARCH FROM ',
  'SEARCH HEADER a',
  'SEARCH RETURN ALL',
  'SEARCH CHARSET UTF-8',
  'SEARCH KEYWORD \\Seen',
  'SEARCH ALL  ALL',
])
no(/^not a date such as 1-Feb-1994/, [
  'SEARCH ON 30-Feb-2024',
  'SEARCH ON 1-Foo-2024',
  'SEARCH ON 2024-01-01',
  'SEARCH ON 1-Feb-24',
  'SEARCH ON 0-Feb-2024',
  'SEARCH ON "1-Feb-2024 "',
  'SEARCH ON 001-Feb-2024',
])
no(/^unknown charset, at column 19$/, ['SEARCH CHARSET KOI8-R TEXT {1+}\r\nx'])
no(/^unknown charset/, ['SORT (DATE) X-UNKNOWN ALL', 'THREAD REFERENCES latin1 ALL', 'THREAD REFERENCES ALL'])
no(/^an age in seconds is (?:0|larger)/, ['SEARCH OLDER 0', 'SEARCH YOUNGER 4294967296'])
no(/^not an object id/, ['SEARCH EMAILID a.b', 'SEARCH THREADID a/b'])
no(/^unknown entry type/, ['SEARCH MODSEQ "/flags/a" foo 1'])
no(/^unknown sort key/, [
  'SORT (FOO) UTF-8 ALL',
  'SORT (REVERSE REVERSE DATE) UTF-8 ALL',
  'SORT (DATE REVERSE) UTF-8 ALL',
])
no(/^unknown threading algorithm "FOO"/, ['THREAD FOO UTF-8 ALL'])
no(/^expected/, ['SORT DATE UTF-8 ALL', 'SORT (DATE) UTF-8'])

// APPEND.
no(/^expected a message as a literal/, [
  'APPEND a ',
  'APPEND a x',
  'APPEND a NIL',
  'APPEND a (\\Seen) x',
  'APPEND a {1+}\r\nx ',
])
no(/^UTF8 has a literal8/, ['APPEND a UTF8 ({1+}\r\nx)'])
no(/^not a date such as/, [
  'APPEND a "1-Feb-1994 21:52:25 -0800" {1+}\r\nx',
  'APPEND a "01-Feb-1994 24:00:00 +0000" {1+}\r\nx',
  'APPEND a "01-Feb-1994 21:52:25" {1+}\r\nx',
  'APPEND a "31-Apr-1994 21:52:25 +0000" {1+}\r\nx',
])
no(/^expected/, [
  'APPEND a(\\Seen) {1+}\r\nx',
  'APPEND a (\\Seen){1+}\r\nx',
  'APPEND a {1+}\r\nxy',
  'APPEND a UTF8 (~{1+}\r\nx',
])

// NOTIFY.
no(/^unknown event, at column/, [
  'NOTIFY SET (personal (MailboxMetadataChange))',
  'NOTIFY SET (selected (MessageNew MessageExpunge AnnotationChange))',
  'NOTIFY SET (personal (Foo))',
])
no(/given together/, ['NOTIFY SET (selected (MessageNew))', 'NOTIFY SET (inboxes (MessageExpunge))'])
no(/^FlagChange needs/, ['NOTIFY SET (selected (FlagChange))'])
no(/^the selected mailbox has events of messages only/, ['NOTIFY SET (selected (MailboxName))'])
no(/^only for the selected mailbox/, ['NOTIFY SET (inboxes (MessageNew (UID) MessageExpunge))'])
no(/^more than one group for the selected/, ['NOTIFY SET (selected NONE) (selected-delayed NONE)'])
no(/^unknown (?:form of NOTIFY|kind of mailboxes)/, ['NOTIFY FOO', 'NOTIFY SET (FOO NONE)'])
no(/^expected|^empty/, [
  'NOTIFY',
  'NOTIFY SET',
  'NOTIFY SET STATUS',
  'NOTIFY SET selected NONE',
  'NOTIFY SET (selected)',
  'NOTIFY SET (selected ())',
  'NOTIFY SET (mailboxes NONE)',
  'NOTIFY SET (selected NONE',
])
