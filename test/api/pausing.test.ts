/** What the keys of a paused mailbox are told, and that no key pauses or resumes. */
import t from 'tap'
import { accountWorld } from './support/account-world.js'

const MAIL = { to: 'ada@example.org', subject: 'Hello', text: 'A word.' }
const paused = (hint: RegExp) => ({ status: 403, json: { error: { code: 'mailbox_paused', hint } } })

t.test('while sending is paused, sending calls say so and all others work', async (t) => {
  const w = await accountWorld(t)
  const draft = (await w.call('POST', '/v1/drafts', { to: 'ada@example.org', subject: 'Draft', text: 'Words.' }))
    .json as {
    id: string
  }
  await w.mailboxes.pausing.pause(w.id, { what: 'sending', by: 'human' })
  for (const [path, body] of [
    ['/v1/send', MAIL],
    ['/v1/send?dry_run=1', MAIL],
    [`/v1/drafts/${draft.id}/send`, {}],
  ] as const)
    t.match(await w.call('POST', path, body), paused(/ask your human.*drafts still work/), path)
  const mailbox = await w.call('GET', '/v1/mailbox')
  t.match(mailbox, { status: 200, json: { paused: { what: 'sending', by: 'human', since: /Z$/ } } })
  t.match(await w.call('POST', '/v1/drafts', { subject: 'Another' }), { status: 201 })
  t.match(await w.call('GET', '/v1/threads'), { status: 200 })
  t.match((await w.call('GET', '/v1/events?types=mailbox.paused')).json, {
    data: [{ type: 'mailbox.paused', data: { what: 'sending', by: 'human' } }],
  })
  for (const value of [null, { what: 'all' }])
    t.match(await w.call('PATCH', '/v1/mailbox', { paused: value }), { status: 400 }, 'no key changes it')
  await w.mailboxes.pausing.resume(w.id, 'human')
  t.match(await w.call('GET', '/v1/mailbox'), { status: 200, json: { paused: null } })
  t.match(await w.call('POST', '/v1/send', MAIL), { status: 202 })
  t.match((await w.call('GET', '/v1/events?types=mailbox.resumed')).json, { data: [{ data: { by: 'human' } }] })
})

t.test('while everything is paused no key of the mailbox works, and those of another do', async (t) => {
  const w = await accountWorld(t)
  const other = await w.addMailbox('other@agents.example')
  const few = await w.accounts.createKey(w.id, { scopes: ['mail:read'] })
  await w.mailboxes.pausing.pause(w.id, { what: 'all', by: 'operator' })
  for (const key of [w.key, few.text])
    for (const [method, path, body] of [
      ['GET', '/v1/threads'],
      ['GET', '/v1/mailbox'],
      ['GET', '/v1/events?wait=30'],
      ['GET', '/v1/claim/status'],
      ['POST', '/v1/send', MAIL],
      ['POST', '/v1/keys', { name: 'another' }],
      ['POST', '/v1/account/deletion/cancel', {}],
    ] as const) {
      const answer = await w.call(method, path, body, key)
      t.match(answer, paused(/only they can resume/), `${method} ${path}`)
      t.match(answer.text, 'The operator of this server has paused this mailbox')
    }
  t.match(await w.call('GET', '/v1/threads', undefined, other.key), { status: 200 })
  t.match(await w.call('POST', '/v1/send', MAIL, other.key), { status: 202 })
  await w.mailboxes.pausing.resume(w.id, 'human')
  t.match(await w.call('GET', '/v1/threads'), { status: 200 }, 'the same key works again')
})

t.test('a pause of everything ends open long polls and streams at once, one of sending does not', async (t) => {
  const w = await accountWorld(t)
  const other = await w.addMailbox('other@agents.example')
  const { seq } = (await w.mailboxes.directory.get(w.id)) ?? { seq: 0 }
  let hasEnded = false
  const stream = w.call('GET', `/v1/events?after=${seq}`, undefined, w.key, { Accept: 'text/event-stream' })
  void stream.then(() => (hasEnded = true))
  const poll = w.call('GET', `/v1/events?types=message.received&wait=60`)
  const kept = w.call('GET', `/v1/events?types=message.received&wait=60`, undefined, other.key)
  await w.held(3)
  await w.mailboxes.pausing.pause(w.id, { what: 'sending', by: 'human' })
  t.match(await w.call('GET', '/v1/threads'), { status: 200 })
  t.notOk(hasEnded)
  await w.mailboxes.pausing.pause(w.id, { what: 'all', by: 'human' })
  t.match(await poll, { status: 401, json: { error: { hint: /Call again to see why/ } } })
  t.match((await stream).text, /event: mailbox\.paused/, 'it has told of the first pause')
  await w.accounts.revokeKey(other.id, (await w.accounts.keys(other.id))[0]?.id ?? '')
  t.match(await kept, { status: 401 }, 'the other one waited until its own key ended')
})
