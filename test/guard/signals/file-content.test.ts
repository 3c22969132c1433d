/** What the guard finds in attachments by their content, from the raw message on. */
import t from 'tap'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { subjectOfParsed } from '../../../src/guard/verdict/spam.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import type { GuardSubject } from '../../../src/guard/types.js'
import {
  compoundFile,
  diskImage,
  oneNote,
  rar4Of,
  rar5Of,
  shortcut,
  windowsProgram,
  zipOf,
} from '../../mime/files/made.js'
import { withFiles } from './with-files.js'

const LIMITS = { maxHeaderBytes: 64 * 1024, maxParts: 100, maxDepth: 10 }

async function mailWith(
  name: string,
  content: Buffer | string,
  type = 'application/octet-stream',
): Promise<GuardSubject> {
  const text = 'Hello Bob, here is the file that we talked about. Ana'
  const raw = withFiles(text, [{ name, type, content: Buffer.from(content) }])
  return { ...subjectOfParsed(await parseMessage(raw, LIMITS)), kind: 'outbound' }
}

const codesIn = async (...file: Parameters<typeof mailWith>): Promise<string[]> =>
  findingsOf(await mailWith(...file)).map(({ code }) => code)

const decisionOn = async (...file: Parameters<typeof mailWith>) =>
  (await createGuard().check(await mailWith(...file))).decision

const document = (members: Record<string, string>): Buffer =>
  zipOf(
    Object.entries({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w:document/>', ...members }).map(
      ([name, data]) => ({ name, data }),
    ),
  )

const relationship = (type: string, target: string): string =>
  `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/></Relationships>`

const base64 = (start: Buffer): string => Buffer.concat([start, Buffer.alloc(600, 'x')]).toString('base64')

const PAGE = '<!doctype html><html><body>'

const FOUND: [what: string, file: Parameters<typeof mailWith>, code: string][] = [
  [
    'a program in a RAR',
    ['photos.rar', rar5Of([{ name: 'photo.jpg.exe', data: Buffer.alloc(9) }])],
    'program_in_archive',
  ],
  [
    'an encrypted file in a RAR',
    ['a.rar', rar4Of([{ name: 'a.txt', data: Buffer.alloc(9) }], true)],
    'encrypted_archive',
  ],
  ['a program called a PDF', ['invoice.pdf', windowsProgram(), 'application/pdf'], 'disguised_program'],
  ['a program called a message', ['notice.eml', windowsProgram()], 'disguised_program'],
  ['a program declared as a picture', ['photo', windowsProgram(), 'image/png'], 'disguised_program'],
  ['a Linux program without a name', ['tool', Buffer.from('\x7fELF\x02\x01\x01', 'latin1')], 'program_attached'],
  ['a shortcut called a document', ['letter.docx', shortcut('x')], 'disguised_program'],
  ['a shortcut that starts a command', ['scan.lnk', shortcut('powershell -w hidden -c x')], 'shortcut_command'],
  [
    'an Internet shortcut to a share',
    ['doc.url', '[InternetShortcut]\r\nURL=file://203.0.113.9/s/a.js\r\n'],
    'network_file',
  ],
  ['a OneNote section with a script', ['notes.one', oneNote(Buffer.from('<script>x</script>'))], 'embedded_program'],
  ['a OneNote section with a program', ['notes.one', oneNote(windowsProgram())], 'embedded_program'],
  ['a disk image with a program', ['files.iso', diskImage(['README.TXT;1', 'SETUP.EXE;1'])], 'program_in_archive'],
  ['a disk image called a picture', ['photo.jpg', diskImage(['A.TXT;1'])], 'program_attached'],
  [
    'a program in a nested archive',
    ['a.zip', zipOf([{ name: 'b.zip', data: zipOf([{ name: 'run.exe', data: 'MZ' }]) }])],
    'program_in_archive',
  ],
  ['macros under a name without', ['a.docx', document({ 'word/vbaProject.bin': 'x' })], 'hidden_macros'],
  [
    'macros of the binary form',
    ['a.doc', compoundFile(['Root Entry', 'WordDocument', 'Macros', 'x', 'VBA'])],
    'macros_attached',
  ],
  ['a macro sheet', ['a.xlsx', document({ 'xl/macrosheets/sheet1.xml': '<x/>' })], 'hidden_macros'],
  [
    'a template elsewhere',
    [
      'a.docx',
      document({ 'word/_rels/settings.xml.rels': relationship('attachedTemplate', 'https://x.example/t.dotm') }),
    ],
    'outside_part',
  ],
  [
    'a DDE field',
    [
      'a.docx',
      document({ 'word/document.xml': '<w:instrText>DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe</w:instrText>' }),
    ],
    'command_field',
  ],
  [
    'a DDE field in pieces',
    [
      'a.docx',
      document({ 'word/document.xml': '<w:instrText>DD</w:instrText></w:r><w:r><w:instrText>E cmd /c</w:instrText>' }),
    ],
    'command_field',
  ],
  ['a packaged object', ['a.doc', compoundFile(['Root Entry', '\u0001Ole10Native'])], 'embedded_object'],
  ['an encrypted document', ['a.docx', compoundFile(['Root Entry', 'EncryptedPackage'])], 'encrypted_document'],
  [
    'a page that saves a packed file',
    [
      'a.html',
      `${PAGE}<script>var d=atob("${base64(Buffer.from('PK\x03\x04'))}");var b=new Blob([d]);a.download="x.zip"</script>`,
    ],
    'page_carries_file',
  ],
  [
    'a page that hides its script',
    ['a.htm', `${PAGE}<script>document.write(unescape("%3Cb"))</script>`],
    'page_hides_script',
  ],
  [
    'a page that asks for a password',
    ['a.shtml', `${PAGE}<form action="https://c.example/p"><input name=p type=password></form>`],
    'page_asks_password',
  ],
  [
    'a page that only leads elsewhere',
    ['a.html', `${PAGE}<meta http-equiv="refresh" content="0; url=https://c.example/x">`],
    'page_redirects',
  ],
  [
    'a page by its content',
    ['a.dat', `${PAGE}<script>window.location.href = "https://c.example/x"</script>`],
    'page_redirects',
  ],
  [
    'a page in UTF-16',
    ['a.html', Buffer.from(`\ufeff${PAGE}<input type="password">`, 'utf16le')],
    'page_asks_password',
  ],
  [
    'a picture with a script',
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>'],
    'picture_script',
  ],
  ['a link of a page', ['a.html', `${PAGE}<a href="https://paypa1.com/x">open</a>`], 'lookalike_host'],
]

for (const [what, file, code] of FOUND)
  t.test(`the guard finds ${what}`, async (t) => {
    const codes = await codesIn(...file)
    t.ok(codes.includes(code), `${code} among ${codes.join(', ')}`)
  })

t.test('a program under the name of a document is blocked', async (t) => {
  t.equal(await decisionOn('invoice.pdf', windowsProgram(), 'application/pdf'), 'block')
})

const HONEST: [what: string, file: Parameters<typeof mailWith>][] = [
  [
    'a document',
    ['a.docx', document({ 'word/_rels/document.xml.rels': relationship('hyperlink', 'https://sender.example/terms') })],
  ],
  [
    'a document with a template on the disk of its author',
    [
      'a.docx',
      document({
        'word/_rels/settings.xml.rels': relationship('attachedTemplate', 'file:///C:/Users/ana/Normal.dotm'),
      }),
    ],
  ],
  ['a binary spreadsheet', ['a.xls', compoundFile(['Root Entry', 'Workbook', 'SummaryInformation'])]],
  [
    'an archive of sources',
    [
      'a.zip',
      zipOf([
        { name: 'src/index.ts', data: 'x' },
        { name: 'README.md', data: 'x' },
      ]),
    ],
  ],
  [
    'a report with a chart',
    [
      'report.html',
      `${PAGE}<h1>Coverage</h1><table><tr><td>91 %</td></tr></table><script>document.querySelectorAll('td').forEach(x => x.title = 'a'); ${'var chart = 1;'.repeat(2000)}</script><a href="https://sender.example/build/7">build</a>`,
    ],
  ],
  ['a drawing', ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/><style>a{}</style></svg>']],
  [
    'an invitation',
    [
      'invite.ics',
      'BEGIN:VCALENDAR\r\nURL:https://sender.example/meet\r\nEND:VCALENDAR\r\n',
      'text/calendar; method=REQUEST',
    ],
  ],
  [
    'words that start like a program',
    ['notes.txt', `MZ is a prefix of callsigns. ${'More words follow. '.repeat(20)}`, 'text/plain'],
  ],
  ['OneNote notes', ['notes.one', oneNote(Buffer.from('%PDF-1.7'))]],
]

for (const [what, file] of HONEST)
  t.test(`the guard sends ${what}`, async (t) => {
    t.equal(await decisionOn(...file), 'send', (await codesIn(...file)).join(', '))
  })

t.test('files made to exhaust the reader end soon and are told as not read', async (t) => {
  const bomb = zipOf([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: 'word/_rels/a.xml.rels', data: Buffer.alloc(60_000_000), claimedBytes: 100 },
    { name: 'word/document.xml', data: Buffer.alloc(60_000_000, 'w:instr="') },
  ])
  const loop = compoundFile(['Root Entry'])
  loop.writeUInt32LE(1, 512 + 4)
  const image = diskImage(Array.from({ length: 50 }, (_, i) => `D${i}`))
  const root = 16 * 2048 + 156
  // Every record of the root is a folder whose content is the root itself.
  for (let at = 18 * 2048; (image[at] ?? 0) > 33; at += image[at] ?? 1) {
    image[at + 25] = 2
    image.copy(image, at + 2, root + 2, root + 18)
  }
  const page = `${PAGE}${'<form '.repeat(50_000)}${'<input type='.repeat(50_000)}${'<meta http-equiv=refresh '.repeat(5_000)}`
  for (const [name, file] of [
    ['a.docx', bomb],
    ['a.doc', loop],
    ['a.iso', image],
    ['a.html', Buffer.from(page)],
  ] as const) {
    const before = process.cpuUsage()
    await codesIn(name, file)
    const { user } = process.cpuUsage(before)
    t.ok(user < 3_000_000, `${name}: ${user} µs of CPU`)
  }
  const large = Buffer.concat([Buffer.alloc(9_000_000), document({})])
  Buffer.from('PK\x03\x04').copy(large)
  t.ok((await codesIn('a.docx', large)).includes('attachment_not_read'))
})

const LURE = 'Dear customer, your account has been suspended. Please verify your account within 24 hours.'
const PARAGRAPHS = `<w:document><w:p><w:r><w:t>Dear customer, your account</w:t></w:r><w:r><w:t xml:space="preserve"> has been &#115;uspended.</w:t></w:r></w:p><w:p><w:r><w:instrText>PAGE</w:instrText><w:t>Please verify your account.</w:t></w:r></w:p></w:document>`

const SHOWN: [what: string, file: Parameters<typeof mailWith>][] = [
  ['a text', ['notice.txt', LURE]],
  ['a text in UTF-16', ['notice.txt', Buffer.from(`\ufeff${LURE}`, 'utf16le')]],
  ['a text by its type', ['notice', LURE, 'text/plain']],
  ['a page', ['notice.html', `<p>${LURE.replace('suspended', 'sus<b></b>pended')}</p>`]],
  ['an invitation', ['invite.ics', `BEGIN:VCALENDAR\r\nDESCRIPTION:${LURE}\r\n`, 'text/calendar']],
  ['a text document', ['notice.docx', document({ 'word/document.xml': PARAGRAPHS })]],
  ['a message by its name', ['notice.eml', `Subject: A notice\r\n\r\n${LURE}`]],
]
for (const [what, file] of SHOWN)
  t.test(`the words of ${what} are judged`, async (t) => {
    const { excerpt } = findingsOf(await mailWith(...file)).find(({ code }) => code === 'account_threat') ?? {}
    t.match(excerpt, /account has been suspended/)
  })

t.test('of a long text the beginning is judged; a log or a list of figures is not', async (t) => {
  const long = `${LURE}\n${'The minutes of the meeting. '.repeat(20_000)}`
  const { attachments } = await parseMessage(
    withFiles('Hello', [{ name: 'a.txt', type: 'text/plain', content: Buffer.from(long) }]),
    LIMITS,
  )
  t.equal(attachments[0]?.file?.text?.length, 16 * 1024)
  t.same(await codesIn('a.csv', LURE, 'text/csv'), [])
  t.same(await codesIn('a.log', LURE), [])
})
