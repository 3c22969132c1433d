/** Mail is deleted, the daemon is killed, and what was answered stands: the trash, what came back from it, and the room that was made. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'

t.test('deleted, killed, restored, and deleted for good', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const ben = await approvedAgent(daemon, 'ben.agent', 'ben@example.org')
  // Large enough for a file of its own in each mailbox.
  const content = Buffer.from('0123456789'.repeat(10_000))
  const sent = await ada.call('POST', '/v1/send', {
    to: ben.address,
    subject: 'Figures',
    text: 'See the file.',
    attachments: [{ filename: 'figures.txt', content_type: 'text/plain', content: content.toString('base64') }],
  })
  const { data } = await waitForEvent(ben, (e) => e.type === 'message.received')
  await waitForEvent(ada, (e) => e.data.message_id === sent.body.id && e.data.status === 'delivered')
  const path = `/v1/messages/${data.message_id}`
  const before = (await ben.call('GET', path)).body
  const file = (range: string) =>
    fetch(`${daemon.url}${path}/attachments/${before.attachments[0].id}`, {
      headers: { authorization: `Bearer ${ben.key}`, range },
    })

  t.equal((await ben.call('DELETE', path)).status, 200)
  await daemon.end('SIGKILL')
  await daemon.start()
  t.same((await ben.call('GET', '/v1/threads')).body.data, [])
  t.same((await ben.call('GET', '/v1/messages?q=figures')).body.data, [])
  t.match((await ben.call('GET', '/v1/trash')).body.data, [{ id: data.message_id, subject: 'Figures' }])
  const restored = (await ben.call('POST', `${path}/restore`)).body
  t.same({ ...restored, updated_at: '', html_safe: null }, { ...before, updated_at: '', html_safe: null })
  t.equal((await ben.call('GET', '/v1/messages?q=figures')).body.data.length, 1)
  const part = await file('bytes=10-14')
  t.same([part.status, await part.text()], [206, '01234'])

  await ben.call('DELETE', `/v1/threads/${data.thread_id}`)
  t.same((await ben.call('DELETE', '/v1/trash')).body, { deleted: 1, has_more: false })
  await daemon.end('SIGKILL')
  await daemon.start()
  t.equal((await ben.call('GET', path)).status, 404)
  t.match((await ben.call('GET', '/v1/mailbox')).body, { used_bytes: 0, message_count: 0 })
  t.equal((await ada.call('GET', `/v1/messages/${sent.body.id}/raw`)).status, 200, 'whose sender has it still')
})
