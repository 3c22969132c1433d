import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { documentOf, qrPng } from '../mime/documents/made.js'
import { run } from '../support/daemon.js'

const cli = (words: string[]) => run(process.execPath, [join(process.cwd(), 'bin/restante'), ...words])

const LURE = [
  'From: "PayPal Support" <help@secure-update.example>',
  'To: bob@example.org',
  'Subject: Your account is limited',
  '',
  'Dear customer, your account has been limited. Verify your account within 24 hours at http://paypa1-login.example/ or it will be closed.',
  '',
].join('\r\n')

t.test(
  'a message in a file is judged without a daemon, with evidence and the words with the most weight',
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'explain-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'lure.eml')
    await writeFile(file, LURE)
    const { code, stdout, stderr } = await cli(['guard', 'explain', file])
    t.equal(code, 0, stderr)
    t.match(stdout, /^block: phishing/)
    t.match(stdout, /lookalike_host +0\.\d\d +"paypal\.com" → "paypa1-login\.example"/)
    t.match(stdout, /The words with the most weight/)

    const { stdout: told } = await cli(['guard', 'explain', file, '--json'])
    t.match(JSON.parse(told), {
      decision: 'block',
      category: 'phishing',
      unwanted: Number,
      findings: [{ code: String }],
      telling: [{ feature: String }],
    })
  },
)

t.test('what was read in PDFs and pictures is shown', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'with-files.eml')
  const pdf = documentOf({ lines: ['Your account is limited'], links: ['https://in-the-pdf.example/'] })
  const part = (type: string, content: Buffer): string[] => [
    '--b',
    `Content-Type: ${type}`,
    'Content-Disposition: attachment; filename=a',
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64'),
  ]
  const mail = [
    ...['From: ana@a.example', 'To: bob@b.example', 'Subject: Files', 'MIME-Version: 1.0'],
    ...['Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'Hello'],
    ...part('application/pdf', pdf),
    ...part('image/png', qrPng('https://in-the-code.example/')),
    '--b--',
    '',
  ]
  await writeFile(file, mail.join('\r\n'))
  const { code, stdout, stderr } = await cli(['guard', 'explain', file])
  t.equal(code, 0, stderr)
  t.equal(stderr, '')
  t.match(stdout, /Text of files:\n +Your account is limited\n/)
  t.match(stdout, /Links in files:\n +https:\/\/in-the-pdf\.example\/\n +https:\/\/in-the-code\.example\/\n/)
  t.match(stdout, /Codes in pictures:\n +https:\/\/in-the-code\.example\//)
  const { stdout: told } = await cli(['guard', 'explain', file, '--json'])
  t.match(JSON.parse(told), {
    read: { files: { text: 'Your account is limited', codes: ['https://in-the-code.example/'] } },
  })
})

t.test('what is no message, or not there, is said', async (t) => {
  const { code, stderr } = await cli(['guard', 'explain', '/no/such/file.eml'])
  t.equal(code, 1)
  t.match(stderr, /no such file|ENOENT/i)
})
