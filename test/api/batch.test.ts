import t from 'tap'
import { startApi } from './support/api-server.js'
import { MAILBOX, MESSAGE, THREAD } from './support/fakes.js'

t.test('one change to many messages or conversations: what is not there is named', async (t) => {
  const api = await startApi(t)
  const json = { ids: [MESSAGE, 'msg_x'], add_labels: ['todo'] }
  t.match((await api.call('PATCH', '/v1/messages', { json })).json, {
    updated: [{ id: MESSAGE, thread_id: THREAD }],
    not_found: ['msg_x'],
  })
  t.match((await api.call('PATCH', '/v1/threads', { json: { ids: ['thr_x'], unread: false } })).json, {
    updated: [{ id: THREAD, object: 'thread' }],
    not_found: ['thr_x'],
  })
  const change = { addLabels: ['todo'], removeLabels: undefined, unread: undefined }
  t.same(api.fakes.calls[0], { name: 'updateMessages', args: [MAILBOX, [MESSAGE, 'msg_x'], change] })
})

t.test('a change to many that cannot be made is refused by its fields', async (t) => {
  const api = await startApi(t)
  const ids = Array.from({ length: 101 }, (_, i) => `msg_${i}`)
  for (const path of ['/v1/messages', '/v1/threads']) {
    for (const [json, field] of [
      [{ ids, unread: true }, 'ids'],
      [{ ids: [], unread: true }, 'ids'],
      [{ ids: ['x'.repeat(65)], unread: true }, 'ids.0'],
      [{ ids: [7], unread: true }, 'ids.0'],
      [{ unread: true }, 'ids'],
      [{ ids: ['msg_1'], unread: true, labels: [] }, 'labels'],
      [{ ids: ['msg_1'], add_labels: ['A B'] }, 'add_labels.0'],
    ] as const) {
      const answer = await api.call('PATCH', path, { json })
      t.equal(answer.status, 400)
      t.match(answer.json, { error: { code: 'invalid_request', fields: [{ field }] } })
    }
    const nothing = await api.call('PATCH', path, { json: { ids: ['msg_1'] } })
    t.match(nothing.json, {
      error: { code: 'invalid_request', fields: [{ problem: /add_labels, remove_labels, unread/ }] },
    })
  }
  t.same(api.fakes.calls, [])
})
