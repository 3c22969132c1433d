import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { createDeletionWebhook, webhookKey } from '../../src/jobs/deletion-webhook.js'
import { DAY, ManualClock, MINUTE } from '../../src/lib/clock.js'
import { captureLog } from '../support/log.js'

interface Call {
  headers: IncomingHttpHeaders
  body: string
}

async function receiver(t: Test, statuses: number[]): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(statuses.shift() ?? 204, { location: 'http://127.0.0.1:1/elsewhere' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/hook`, calls }
}

const AT = Date.UTC(2026, 10, 21, 12)
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const task = (attempts = 0, queuedAt = AT) => ({
  id: 'acc_1:5',
  payload: { account_id: 'acc_1', deleted_at: AT },
  attempts,
  queuedAt,
})

void t.test(
  'the operator’s system is told of a deleted account by a call that it can check as any Standard Webhook',
  async (t) => {
    const { url, calls } = await receiver(t, [200])
    const clock = new ManualClock(AT)
    const tell = createDeletionWebhook({ webhook: { url, secret: webhookKey(SECRET) }, clock, log: captureLog().log })
    t.same(await tell(task()), { done: true })
    const [call] = calls
    t.same(JSON.parse(call?.body ?? ''), {
      event: 'account.deleted',
      account_id: 'acc_1',
      deleted_at: '2026-11-21T12:00:00.000Z',
    })
    t.equal(call?.headers['webhook-id'], 'acc_1:5')
    t.equal(call?.headers['webhook-timestamp'], String(AT / 1000))
    const [version, signature = ''] = String(call?.headers['webhook-signature']).split(',')
    t.equal(version, 'v1')
    const wanted = createHmac('sha256', Buffer.from(SECRET.slice('whsec_'.length), 'base64'))
      .update(`acc_1:5.${AT / 1000}.${call?.body}`)
      .digest()
    t.ok(timingSafeEqual(Buffer.from(signature, 'base64'), wanted))
  },
)

void t.test(
  'a system that is down is asked again by the schedule, then daily, and given up after 30 days with an error',
  async (t) => {
    const { url, calls } = await receiver(t, [500, 302, 410])
    const clock = new ManualClock(AT)
    const { log, lines } = captureLog()
    const tell = createDeletionWebhook({
      webhook: { url, secret: webhookKey('a plain secret of ours') },
      clock,
      log,
      jitter: () => 0,
    })
    t.same(await tell(task(0)), { done: false, retryAt: AT + MINUTE })
    t.same(await tell(task(1)), { done: false, retryAt: AT + 2 * MINUTE }, 'a redirect is not followed')
    t.same(await tell(task(40)), { done: false, retryAt: AT + DAY })
    t.equal(calls.length, 3)
    const dead = createDeletionWebhook({
      webhook: { url: 'http://127.0.0.1:1/', secret: Buffer.alloc(16) },
      clock,
      log,
    })
    t.same(await dead(task(60, AT - 30 * DAY)), { done: true })
    t.match(JSON.stringify(lines), /never accepted/)
    t.notMatch(JSON.stringify(lines), /plain secret/)
  },
)
