/** The same story with each client against a daemon, and the same methods in each. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { Restante } from '#client'
import { pythonMethod } from '../../src/web/guide/client-code.js'
import { approvedAgent } from '../support/agent.js'
import { run, startDaemon } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'
import { PEER, pythonStory, typescriptStory, type Facts } from './story.js'

const PYTHON = '/usr/bin/python3'
const CLIENT = join(process.cwd(), 'clients/python')

const EXPECTED: Facts = {
  status: 'pending',
  claimed: true,
  code: '481516',
  file: 'Grüße',
  decision: 'send',
  sameThread: [true, true],
  labels: ['inbox', 'codes'],
  threads: 1,
  messages: 3,
  draft: { revision: 2, subject: 'Friday' },
  waits: { object: 'draft', hasPage: true },
  drafts: 1,
  nothing: null,
  error: { code: 'not_found', status: 404, hasHint: true },
  gone: true,
}

t.test('each client tells the same story', peer('python3', PYTHON), async (t) => {
  const daemon = await startDaemon({ 'limits.claim_difficulty': '10' })
  t.teardown(() => daemon.remove())
  const peerAgent = await approvedAgent(daemon, 'pia.agent')
  t.equal(peerAgent.address, PEER)
  const approve = async (address: string) => {
    t.match(await daemon.cli('claim', 'approve', address), { code: 0 })
    await peerAgent.call('POST', '/v1/send', {
      to: address,
      subject: 'Your code',
      text: 'Your verification code is 481516.',
    })
  }

  const inPython = async (name: string, isAsync: boolean): Promise<unknown> => {
    const child = spawn(PYTHON, ['-X', 'utf8', '-c', pythonStory(name, isAsync), CLIENT], {
      env: { ...process.env, RESTANTE_URL: daemon.url, RESTANTE_API_KEY: 'rst_of_somebody_else' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    let output = ''
    let asked: Promise<unknown> | undefined
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('\n')) asked ??= approve(output.slice(0, output.indexOf('\n')))
    })
    await ended
    await asked
    return JSON.parse(output.slice(output.indexOf('\n')) || 'null')
  }

  const facts = await typescriptStory(daemon.url, 'ada.agent', (address) => void approve(address))
  t.same(facts, EXPECTED, 'TypeScript')
  t.same(await inPython('ben.agent', false), EXPECTED, 'Python')
  t.same(await inPython('cleo.agent', true), EXPECTED, 'Python with asyncio')
})

t.test('the clients have the same methods', peer('python3', PYTHON), async (t) => {
  const code = `import sys, json
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import restante
names = lambda each: sorted(name for name in dir(each) if not name.startswith("_"))
print(json.dumps([names(restante.Restante), names(restante.AsyncRestante), restante.__all__]))`
  const { stdout } = await run(PYTHON, ['-c', code, CLIENT])
  const [sync, async_, exported]: [string[], string[], string[]] = JSON.parse(stdout)
  const own = [Restante.prototype, Object.getPrototypeOf(Restante.prototype)].flatMap((each) =>
    Object.getOwnPropertyNames(each).filter((name) => name !== 'constructor'),
  )
  const expected = [...new Set(own.map(pythonMethod))].sort()
  t.ok(expected.length > 80)
  t.same(sync, expected)
  t.same(async_, expected)
  for (const name of ['claim', 'solve', 'attachment', 'verify_webhook']) t.ok(exported.includes(name), name)
})

t.test('the environment says where the service is, and with which key it is called', async (t) => {
  const { RESTANTE_URL: url } = process.env
  t.teardown(() => {
    if (url === undefined) delete process.env['RESTANTE_URL']
    else process.env['RESTANTE_URL'] = url
  })
  delete process.env['RESTANTE_URL']
  t.throws(() => new Restante(), { name: 'TypeError', message: /RESTANTE_URL/ })
  process.env['RESTANTE_URL'] = 'http://127.0.0.1:9'
  t.doesNotThrow(() => new Restante())
  const { code, stderr } = await run(PYTHON, [
    '-c',
    `import os, sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); os.environ.pop("RESTANTE_URL", None); import restante; restante.Restante()`,
    CLIENT,
  ])
  t.not(code, 0)
  t.match(stderr, /RESTANTE_URL/)
})
