/** An authority that answers badly: what it can do to us has limits. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createAccountFile, newKey } from '../../src/certificates/account.js'
import { AcmeError } from '../../src/certificates/errors.js'
import { orderCertificate } from '../../src/certificates/order.js'
import { withTransport } from '../../src/certificates/transport.js'
import { listenAnywhere } from '../support/ports.js'
import { secretFolder } from '../../src/lib/secret-files.js'

type Answer = (request: IncomingMessage, response: ServerResponse, base: string) => void

/** @returns the error of an order there */
async function order(t: Test, answer: Answer, signal = new AbortController().signal): Promise<unknown> {
  let base = ''
  const server = createServer((request, response) => answer(request, response, base))
  base = `http://127.0.0.1:${await listenAnywhere(server)}`
  t.teardown(() => server.close())
  const directory = `${base}/dir`
  const deps = {
    directory,
    contact: '',
    binding: undefined,
    account: createAccountFile(secretFolder(join(t.testdir(), 'certificates')), directory),
    proof: { type: 'http-01' as const, check: async () => undefined, show: async () => async () => undefined },
    wait: async () => undefined,
    onLeftover: () => undefined,
  }
  return withTransport({ ca: undefined, userAgent: 'restante/0', signal }, (transport) =>
    orderCertificate({ ...deps, transport }, 'mx.agents.example', newKey(), signal),
  ).catch((error: unknown) => error)
}

const say = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) =>
  response.writeHead(status, headers).end(body)

t.test('an answer without end is cut off', async (t) => {
  const error = await order(t, (_request, response) => {
    response.writeHead(200)
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  t.match(error, { kind: 'unreachable', message: /more than 262144 bytes/ })
})

t.test('redirects are not followed', async (t) => {
  const asked: unknown[] = []
  const error = await order(t, ({ url }, response) => {
    asked.push(url)
    say(response, 302, '', { Location: '/elsewhere' })
  })
  t.match(error, { message: /answered with 302/ })
  t.same(asked, ['/dir'])
})

t.test('an overloaded authority is told of with the time it wants, and not asked again at once', async (t) => {
  let asked = 0
  const error = await order(t, (_request, response) => {
    asked += 1
    const problem = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too\nmany' }
    say(response, 429, JSON.stringify(problem), { 'Retry-After': '7200' })
  })
  t.ok(error instanceof AcmeError)
  t.match(error, { kind: 'rateLimited', message: 'too many', retryAfterMs: 7_200_000, advice: /tried again later/ })
  t.equal(asked, 1)
})

t.test('a page in the place of a problem, and none at all', async (t) => {
  const error = await order(t, (_request, response) => say(response, 503, '<html>Busy</html>'))
  t.match(error, { kind: 'status 503', message: /^127\.0\.0\.1:\d+ answered with 503$/ })
  t.match(await order(t, (_request, response) => say(response, 200, 'hello')), { message: /./ })
  t.match(await order(t, ({ socket }) => socket.destroy()), { kind: 'unreachable', message: /gives no answer/ })
})

t.test('addresses that it names are of the same kind as its own', async (t) => {
  for (const address of ['http://192.0.2.1/nonce', 'file:///etc/passwd', 'nonsense']) {
    const error = await order(t, (_request, response) =>
      say(response, 200, JSON.stringify({ newNonce: address, newAccount: address, newOrder: address }), {
        'Content-Type': 'application/json',
      }),
    )
    t.match(error, { kind: 'malformed', message: /neither https nor on this machine/ })
  }
})

t.test('an order ends when the daemon does, whatever the authority does', async (t) => {
  const end = new AbortController()
  const error = await order(t, () => end.abort(new Error('the daemon ends')), end.signal)
  t.match(error, { message: 'the daemon ends' })
})
