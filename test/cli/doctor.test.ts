/** What somebody at a terminal sees of the doctor where there is nothing to look at yet. */
import t from 'tap'
import { main } from '../../src/cli/main.js'
import { reportSchema } from '../../src/ops/doctor/types.js'

async function doctor(words: readonly string[], colours = false) {
  const out: string[] = []
  const code = await main(['doctor', ...words], {
    env: {},
    print: (text) => out.push(text),
    note: (text) => out.push(text),
    colours,
  })
  return { code, out: out.join('\n') }
}

t.test('wrong settings are a finding with file and line, and the only one', async (t) => {
  const dir = t.testdir({ 'smtp.toml': 'listen = ["127.0.0.1:2525"]\nmax_messagebytes = 1\n' })
  const { code, out } = await doctor(['--json', '--config', dir])
  t.equal(code, 1)
  t.match(reportSchema.parse(JSON.parse(out)).checks, [
    {
      id: 'settings.load',
      subject: `${dir}/smtp.toml:2`,
      state: 'failed',
      finding: 'there is no smtp.max_messagebytes. Did you mean smtp.max_message_bytes?',
    },
  ])
})

t.test('on safe local defaults nothing fails, and nobody is asked', async (t) => {
  const dataDir = `${t.testdir({})}/var`
  const { code, out } = await doctor(['--set', `server.data_dir=${dataDir}`], true)
  t.equal(code, 0)
  t.match(out, '\u001b[32mok     \u001b[0m  settings.load')
  t.match(out, /dns\.mx: domains under \.localhost are not in DNS/)
  // Node 20 is past its end, which is one more.
  const warnings = process.version.startsWith('v20.') ? '2 warnings' : '1 warning'
  t.match(out, new RegExp(`\\d+ ok, \\d+ skipped, \\d+ unknown, ${warnings}, 0 failed$`))
})
