/** What a postmaster gets from rspamd, and from its absence. */
import t, { type Test } from 'tap'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ManualClock } from '../../src/lib/clock.js'
import { createRspamd, type RspamdOptions } from '../../src/scan/rspamd.js'
import type { FilterSubject } from '../../src/scan/types.js'
import { captureLog } from '../support/log.js'
import { peer } from '../support/peers/peers.js'
import { freePort, listenAnywhere } from '../support/ports.js'
import { GTUBE, RSPAMD, startRspamd } from '../support/peers/rspamd.js'

const subject = (body = 'Lunch?'): FilterSubject => ({
  raw: Buffer.from(
    `From: a@a.example\r\nTo: b@b.example\r\nSubject: hi\r\nDate: Thu, 01 Jan 2026 00:00:00 +0000\r\nMessage-ID: <1@a.example>\r\n\r\n${body}\r\n`,
  ),
  id: 'rcp_1',
  clientAddress: '192.0.2.1',
  clientName: 'mx.a.example',
  helo: 'mx.a.example',
  from: 'a@a.example',
  recipients: ['b@b.example', 'bücher@b.example'],
})

async function fake(t: Test, answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  })
  const port = await listenAnywhere(server)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${port}`
}

const rspamd = (t: Test, address: string, options: Partial<RspamdOptions> = {}) => {
  const filter = createRspamd({ address, timeoutMs: 10_000, ...options })
  t.teardown(() => filter.close())
  return filter
}

t.test('the real rspamd refuses GTUBE and lets ordinary mail be', peer('rspamd', RSPAMD), async (t) => {
  const real = await startRspamd()
  t.teardown(() => real.stop())
  const filter = rspamd(t, real.address)
  t.match(await filter.rate(subject(GTUBE)), { verdict: 'reject', score: 15 })
  const ordinary = await filter.rate(subject())
  t.match(ordinary, { verdict: 'ham' }, JSON.stringify(ordinary))
  t.match(await rspamd(t, `http://${real.address}`).rate(subject(GTUBE)), { verdict: 'reject' })
})

t.test('rspamd is told of the transaction, and strangers’ words cannot add to it', async (t) => {
  let headers: IncomingMessage['headersDistinct'] = {}
  const address = await fake(t, (request, response) => {
    headers = request.headersDistinct
    response.end(JSON.stringify({ score: 1, action: 'no action', symbols: {} }))
  })
  const asked = { ...subject(), helo: 'evil\r\nUser: admin' }
  t.match(await rspamd(t, address).rate(asked), { verdict: 'ham', score: 1 })
  t.match(headers, {
    ip: ['192.0.2.1'],
    from: ['a@a.example'],
    hostname: ['mx.a.example'],
    helo: ['evil??User: admin'],
  })
  t.equal(headers['user'], undefined)
  t.same(headers['rcpt'], ['b@b.example'], 'one that is not ASCII would count as a broken header')
})

t.test('its actions are what its score means, and only what counts against a message is a reason', async (t) => {
  let action = ''
  const symbols = {
    BAD: { score: 2, description: 'bad \u0000 words' },
    WORSE: { score: 5, options: ['secret@words.example'] },
    GOOD: { score: -3 },
  }
  const address = await fake(t, (_request, response) => response.end(JSON.stringify({ score: 7, action, symbols })))
  const filter = rspamd(t, address)
  for (const [said, verdict] of [
    ['reject', 'reject'],
    ['add header', 'spam'],
    ['rewrite subject', 'spam'],
    ['greylist', 'ham'],
    ['soft reject', 'ham'],
    ['no action', 'ham'],
  ] as const) {
    action = said
    t.strictSame(await filter.rate(subject()), {
      verdict,
      score: 7,
      reasons: [
        { code: 'WORSE', score: 5, detail: 'WORSE' },
        { code: 'BAD', score: 2, detail: 'bad ? words' },
      ],
    })
  }
})

t.test(
  'an rspamd that hangs, fails, babbles or is not there gives no opinion, and is left alone for a while',
  async (t) => {
    const clock = new ManualClock()
    const answers: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
      ['hangs', () => undefined],
      ['drips', (_request, response) => void response.write('{')],
      ['fails', (_request, response) => void response.writeHead(500).end()],
      ['says something else', (_request, response) => void response.end('<html>')],
      ['says nothing of a score', (_request, response) => void response.end('{}')],
      ['never ends', (_request, response) => void response.end('x'.repeat(1_000_000))],
      ['hangs up', (_request, response) => void response.destroy()],
    ]
    for (const [what, answer] of answers) {
      const { log, lines } = captureLog()
      const filter = rspamd(t, await fake(t, answer), { timeoutMs: 100, clock, log })
      for (let turn = 0; turn < 4; turn++) t.equal(await filter.rate(subject()), undefined, what)
      t.equal(lines.length, 1, what)
      t.match(lines[0], { level: 'warn', msg: /without it/ })
    }
    const { log, lines } = captureLog()
    const filter = rspamd(t, `127.0.0.1:${await freePort()}`, { clock, log })
    t.equal(await filter.rate(subject()), undefined)
    t.equal(await filter.rate(subject()), undefined)
    t.equal(lines.length, 1)
  },
)
