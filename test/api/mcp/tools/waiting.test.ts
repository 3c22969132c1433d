/** Calls that wait: what ends them, what their client hears meanwhile, and how many there may be. */
import t, { type Test } from 'tap'
import type { Mailboxes } from '../../../../src/mailbox/composition/mailboxes.js'
import { raw } from '../../../http/client.js'
import { ENVELOPE, messagesOf, MODERN, rpcOf, startMcp, until, type McpApi, type McpApiOptions } from '../world.js'

const WAIT = { name: 'wait_for_mail', arguments: { after_seq: 7, timeout_seconds: 60 } }

interface Waits extends McpApi {
  /** Arguments of each waiting call, in order. */
  signals: AbortSignal[]
}

async function startWaits(t: Test, options: McpApiOptions = {}): Promise<Waits> {
  const signals: AbortSignal[] = []
  const mailboxes = ({ events }: Mailboxes): Partial<Mailboxes> => ({
    events(id, query, signal) {
      if (query.waitMs > 0 && !signal.aborted) signals.push(signal)
      return events(id, query, signal)
    },
  })
  return { ...(await startMcp(t, { ...options, mailboxes })), signals }
}

for (const revision of ['modern', 'legacy'] as const) {
  t.test(`a wait ends when its client leaves (${revision})`, async (t) => {
    const { api, holds, signals, errors, ...ask } = await startWaits(t)
    const leaving = new AbortController()
    const left = ask[revision]('tools/call', WAIT, { signal: leaving.signal })
    await until(() => signals.length === 1)
    t.equal(holds.heldBy('good'), 1)
    t.notOk(signals[0]?.aborted)
    leaving.abort()
    await t.rejects(left)
    await until(() => signals[0]?.aborted === true)
    await until(() => holds.heldBy('good') === 0)
    await until(() => api.server.openRequests === 0)
    t.same([...errors, ...api.errors], [], "and that is nobody's fault")
  })

  t.test(`a wait ends when it is cancelled, by its id and its key (${revision})`, async (t) => {
    const { holds, signals, ...ask } = await startWaits(t)
    const waiting = ask[revision]('tools/call', WAIT, { id: 'a' })
    await until(() => signals.length === 1)
    t.equal((await ask[revision]('notifications/cancelled', { requestId: 'a' }, { key: 'good-2' })).status, 202)
    t.equal((await ask[revision]('notifications/cancelled', { requestId: 'b' })).status, 202)
    t.notOk(signals[0]?.aborted, 'not by another key, nor under another id')
    t.equal(holds.heldBy('good'), 1)
    t.equal((await ask[revision]('notifications/cancelled', { requestId: 'a', reason: 'enough' })).status, 202)
    t.match(rpcOf(await waiting).result.structuredContent, { timed_out: true, messages: [] })
    t.ok(signals[0]?.aborted)
    t.equal(holds.heldBy('good'), 0)
  })

  t.test(`a wait is answered when the server stops (${revision})`, async (t) => {
    const { api, holds, signals, ...ask } = await startWaits(t)
    const waiting = ask[revision]('tools/call', WAIT)
    await until(() => signals.length === 1)
    await api.server.close(10_000)
    t.match(rpcOf(await waiting).result.structuredContent, { timed_out: true, next_after_seq: 7 })
    t.equal(holds.heldBy('good'), 0)
  })

  t.test(`a wait ends with the access of its caller, and says so (${revision})`, async (t) => {
    const { holds, signals, endAccess, ...ask } = await startWaits(t)
    const waiting = ask[revision]('tools/call', WAIT)
    const other = ask[revision]('tools/call', WAIT, { key: 'good-2' })
    await until(() => signals.length === 2)
    endAccess('good')
    t.match(rpcOf(await waiting).result, { isError: true, content: [{ text: /^unauthorized: / }] })
    t.equal(holds.heldBy('good'), 0)
    t.equal(holds.heldBy('good-2'), 1)
    endAccess('good-2')
    await other
  })
}

t.test('waits of MCP and long-polls of the API count together', async (t) => {
  const { api, modern, legacy, holds, signals } = await startWaits(t, { longPollsPerKey: 2 })
  const waits = [modern('tools/call', WAIT, { id: 1 }), legacy('tools/call', WAIT, { id: 2 })]
  await until(() => signals.length === 2)
  t.equal((await api.call('GET', '/v1/events?after=7&wait=60')).status, 429)
  t.match(rpcOf(await modern('tools/call', WAIT, { id: 3 })).result, {
    isError: true,
    content: [{ text: /^rate_limited: .*2 waiting requests/ }],
  })
  t.equal((await modern('tools/call', { name: 'check_inbox', arguments: {} })).status, 200, 'what waits not is served')
  await modern('notifications/cancelled', { requestId: 1 })
  await until(() => holds.heldBy('good') === 1)
  const poll = api.call('GET', '/v1/events?after=7&wait=60')
  await until(() => holds.heldBy('good') === 2)
  await api.server.close(10_000)
  t.equal((await poll).status, 200)
  await Promise.all(waits)
})

t.test('whoever asks for progress hears of it until the answer comes', async (t) => {
  const { api, modern, legacy, signals } = await startWaits(t, { progressEveryMs: 1, longPollsPerKey: 10 })
  for (const isModern of [true, false]) {
    const id = isModern ? 'now' : 'before'
    const _meta = { progressToken: `token-${id}`, ...(isModern && ENVELOPE) }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...WAIT, _meta } })
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      'Authorization: Bearer good',
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      ...(isModern ? [`MCP-Protocol-Version: ${MODERN}`, 'Mcp-Method: tools/call', 'Mcp-Name: wait_for_mail'] : []),
      `Content-Length: ${body.length}`,
    ]
    const connection = raw(api.server.port, `${head.join('\r\n')}\r\n\r\n${body}`)
    await until(() => (connection.received().match(/notifications\/progress/g) ?? []).length >= 3)
    await modern('notifications/cancelled', { requestId: id })
    const text = await connection.until('"structuredContent"')
    connection.socket.destroy()
    const messages = messagesOf({ headers: { 'content-type': 'text/event-stream' }, text })
    const progress = messages.slice(0, -1)
    for (const each of progress) {
      t.match(each, {
        method: 'notifications/progress',
        params: { progressToken: `token-${id}`, total: 60, message: 'Waiting for mail' },
      })
    }
    const done: number[] = progress.map(({ params }) => params.progress)
    t.ok(
      done.every((each, i) => each > (done[i - 1] ?? 0)),
      'it grows',
    )
    t.match(messages.at(-1), { id, result: { structuredContent: { timed_out: true } } }, 'the answer comes last')
  }
  for (const ask of [modern, legacy]) {
    const known = signals.length
    const waiting = ask('tools/call', WAIT, { id: 'silent' })
    await until(() => signals.length === known + 1)
    await modern('notifications/cancelled', { requestId: 'silent' })
    t.equal(messagesOf(await waiting).length, 1, 'without a token nothing is said but the answer')
  }
})
