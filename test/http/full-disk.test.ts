/** A disk that takes nothing is the server's fault, and one that the caller can wait for: 503 with the time to wait, in REST and MCP. */
import t from 'tap'
import { createHolds } from '../../src/http/limits/long-polls.js'
import { createMcp } from '../../src/api/mcp/server/server.js'
import { isStorageError, StorageError } from '../../src/store/errors.js'
import { startApi } from '../api/support/api-server.js'
import { fakes } from '../api/support/fakes.js'

const faults = [
  new StorageError('Could not write to /var/lib/restante', { cause: new Error('disk full') }),
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  Object.assign(new Error('EROFS: read-only file system, open'), { code: 'EROFS' }),
  // What a message larger than a commit takes meets: the blob could not be written.
  new Error('Could not write blob mbx_1/msg_1', {
    cause: Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  }),
  new Error('outer', { cause: new Error('inner', { cause: new StorageError('Could not write') }) }),
]

t.test('the cause of an error is looked for in its causes, which may lead back to it', async (t) => {
  for (const fault of faults) t.ok(isStorageError(fault))
  const circle = new Error('circle')
  circle.cause = new Error('other half', { cause: circle })
  for (const other of [circle, new Error('x', { cause: 'ENOSPC' }), 'ENOSPC', undefined]) t.notOk(isStorageError(other))
})

t.test('REST answers 503 with Retry-After and what to do, and nothing of the inside', async (t) => {
  const api = await startApi(t)
  for (const fault of faults) {
    api.fakes.fail(fault)
    const answer = await api.call('POST', '/v1/send', { json: { to: 'a@b.org', subject: 's', text: 't' } })
    t.equal(answer.status, 503)
    t.equal(answer.headers['retry-after'], '60')
    t.match(answer.json, { error: { code: 'unavailable', hint: /same request again .*Idempotency-Key/ } })
    t.notMatch(JSON.stringify(answer.json), /var|disk|ENOSPC|EROFS|blob/)
    t.equal(api.errors.pop(), fault, 'the operator is told')
  }
  api.fakes.fail(Object.assign(new Error('connection reset'), { code: 'ECONNRESET' }))
  t.equal((await api.call('GET', '/v1/threads')).status, 500, 'other faults stay what they are')
})

t.test('an MCP tool says that it is unavailable and when to try again', async (t) => {
  const domain = fakes()
  const errors: unknown[] = []
  const mcp = createMcp({
    holds: createHolds(2, { onAccessEnd: () => () => undefined, findEnded: async () => [] }),
    mailboxes: domain.mailboxes,
    claims: domain.claims,
    accounts: domain.accounts,
    suppressions: domain.suppressions,
    limits: { attachmentsPerMessage: 2, longPollSeconds: 1 },
    baseUrl: 'https://mail.example.com',
    version: '0.0.0',
    allowedOrigins: [],
    maxBodyBytes: 100_000,
    newRequestId: () => 'req_1',
    onError: (error) => errors.push(error),
  })
  t.teardown(() => mcp.close())
  const api = await startApi(t, { mounts: [mcp.mount] })
  for (const fault of faults) {
    domain.fail(fault)
    const answer = await api.call('POST', '/mcp', {
      headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' },
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'send_email', arguments: { to: ['a@b.org'], subject: 's', text: 't' } },
      },
    })
    t.match(answer.text, /unavailable: The server cannot store anything now/)
    t.match(answer.text, /Wait 60 seconds first/)
    t.match(answer.text, /"isError":true/)
    t.equal(errors.pop(), fault)
  }
})
