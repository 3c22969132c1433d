/** A server that a stranger chose can neither fill the memory nor hold a request for ever. */
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import builtIn from 'smtp-server/lib/tls-options'
import t, { type Test } from 'tap'
import { requestPinned } from '../../src/lib/https.js'
import { listenAnywhere } from '../support/ports.js'

async function serve(t: Test, listener: RequestListener) {
  const server = createServer(builtIn(), listener)
  const port = await listenAnywhere(server)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`https://peer.test:${port}/path?query`)
  const options = { url, address: '127.0.0.1', method: 'GET', timeoutMs: 5000, maxBytes: 1000, verify: false } as const
  return options
}

t.test('the request goes to the given address, under the name of the URL', async (t) => {
  const options = await serve(t, (request, response) => response.end(`${request.headers.host} ${request.url}`))
  const { status, body } = await requestPinned(options)
  t.equal(status, 200)
  t.equal(body.toString(), `${options.url.host} /path?query`)
  await t.rejects(requestPinned({ ...options, verify: true }), 'a certificate nobody trusts is refused where it counts')
})

t.test('an answer without end is cut off, and so is one that never comes', async (t) => {
  const endless = await serve(t, (_request, response) => {
    const more = (): void => void response.write('x'.repeat(500), (error) => error ?? more())
    more()
  })
  await t.rejects(requestPinned(endless), { message: 'the answer has more than 1000 bytes' })
  const silent = await serve(t, (_request, response) => void response.write('x'))
  await t.rejects(requestPinned({ ...silent, timeoutMs: 300 }))
  const broken = await serve(t, (request, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('x')
    request.socket.destroySoon()
  })
  await t.rejects(requestPinned(broken), 'half an answer is none')
})
