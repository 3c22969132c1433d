import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
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

t.test('what is no message, or not there, is said', async (t) => {
  const { code, stderr } = await cli(['guard', 'explain', '/no/such/file.eml'])
  t.equal(code, 1)
  t.match(stderr, /no such file|ENOENT/i)
})
