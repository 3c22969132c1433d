import t from 'tap'
import { z } from 'zod'
import { newId } from '../../src/lib/ids.js'
import { deliveryOf } from '../mailbox/world.js'
import { accountWorld } from './support/account-world.js'
import { tasksIn } from '../support/store/tasks.js'

const HOUR = 3_600_000
const made = z.looseObject({ id: z.string(), address: z.string(), api_key: z.string() })
const accepted = z.object({ id: z.string() })
const addresses = z.object({ data: z.array(z.object({ address: z.string() })) })

t.test('an account makes further mailboxes, each with a key of its own', async (t) => {
  const w = await accountWorld(t)
  const answer = await w.call('POST', '/v1/mailboxes', { name: 'billing-bot', agent_name: 'Billing' })
  t.equal(answer.status, 201)
  const { id, api_key: text } = made.parse(answer.json)
  t.match((await w.call('GET', '/v1/mailbox', undefined, text)).json, {
    id,
    address: 'billing-bot@agents.example',
    agent_name: 'Billing',
    status: 'claimed',
  })
  const sent = await w.call('POST', '/v1/send', { to: 'a@example.org', subject: 's', text: 't' }, text)
  t.equal(sent.status, 202)
  const page = await w.call('GET', '/v1/mailboxes?limit=1')
  t.match(page.json, { data: [{ address: 'agent@agents.example', is_current: true }], has_more: true })
  const { next_cursor: cursor } = z.object({ next_cursor: z.string() }).parse(page.json)
  t.match((await w.call('GET', `/v1/mailboxes?limit=1&cursor=${cursor}`)).json, {
    data: [{ id, is_current: false }],
    has_more: false,
  })
  const usage = z.object({ mailboxes: z.int() }).parse((await w.call('GET', '/v1/account/usage')).json)
  t.equal(usage.mailboxes, 2)
})

t.test('names follow the rules of a claim, and the limit holds', async (t) => {
  const w = await accountWorld(t)
  for (const [name, code] of [
    ['abc', 'invalid_request'],
    ['Upper-Case', 'invalid_request'],
    ['support', 'name_reserved'],
    ['post.master', 'name_reserved'],
    ['agent', 'name_taken'],
  ] as const) {
    t.match((await w.call('POST', '/v1/mailboxes', { name })).json, { error: { code } }, name)
  }
  t.match((await w.call('POST', '/v1/mailboxes', { name: 'my-name', domain: 'elsewhere.example' })).json, {
    error: { code: 'invalid_request', fields: [{ field: 'domain' }] },
  })
  t.equal((await w.call('POST', '/v1/mailboxes', { name: 'second-one' })).status, 201)
  t.equal((await w.call('POST', '/v1/mailboxes', { name: 'third-one' })).status, 201)
  t.match((await w.call('POST', '/v1/mailboxes', { name: 'fourth-one' })).json, { error: { code: 'limit_reached' } })
  t.equal(await w.mailboxes.directory.resolve('fourth-one@agents.example'), undefined)
})

t.test(
  'a mailbox that is asked for again under its id is made once, and a name that is taken leaves nothing',
  async (t) => {
    const w = await accountWorld(t)
    const id = newId('mbx', w.clock.now())
    const mailbox = await w.accountMailboxes.createMailbox(w.account.id, { id, name: 'second-one' })
    t.same(await w.accountMailboxes.createMailbox(w.account.id, { id, name: 'second-one' }), mailbox)
    const before = await w.accounts.mailboxes(w.account.id)
    t.match((await w.call('POST', '/v1/mailboxes', { name: 'second-one' })).json, { error: { code: 'name_taken' } })
    t.same(await w.accounts.mailboxes(w.account.id), before)
  },
)

t.test('a mailbox is deleted with its mail, keys and addresses, and the last one is not', async (t) => {
  const w = await accountWorld(t)
  t.match((await w.call('DELETE', `/v1/mailboxes/${w.id}`)).json, {
    error: { code: 'last_mailbox', hint: /DELETE \/v1\/account/ },
  })
  const second = made.parse((await w.call('POST', '/v1/mailboxes', { name: 'second-one' })).json)
  t.equal((await w.call('POST', '/v1/aliases', { address: 'other-name@agents.example' }, second.api_key)).status, 201)
  const message = await w.mailboxes.delivery.deliver(await deliveryOf(second.id, {}))
  const theirs = await w.addMailbox('theirs@agents.example', 'bob@example.org')
  t.equal((await w.call('DELETE', `/v1/mailboxes/${theirs.id}`)).status, 404)
  const gone = await w.call('DELETE', `/v1/mailboxes/${second.id}`)
  t.equal(gone.status, 202)
  t.match(gone.json, { address: 'second-one@agents.example', status: 'deleting', was_current: false })
  t.equal((await w.call('GET', '/v1/mailbox', undefined, second.api_key)).status, 401)
  t.match((await w.call('DELETE', `/v1/mailboxes/${w.id}`)).json, { error: { code: 'last_mailbox' } })
  t.same(w.disconnected, [second.id], 'programs are cut off with the keys, before the answer')

  await w.runRemovals()
  t.same(w.disconnected, [second.id, second.id], 'and again, for what was connected in between')
  t.equal(await w.mailboxes.directory.get(second.id), undefined)
  await t.rejects(w.mailboxes.reading.message(second.id, message.id), { code: 'not_found' })
  for (const address of ['second-one@agents.example', 'other-name@agents.example'])
    t.equal(await w.mailboxes.directory.resolve(address), undefined, address)
  w.clock.advance(HOUR)
  await w.runRemovals()
  t.strictSame(await w.accounts.mailboxes(w.account.id), [w.id])
  t.strictSame(await tasksIn(w.queue, 'mailbox-removal', 10), [])
  t.equal((await w.call('POST', '/v1/mailboxes', { name: 'second-one' })).status, 201, 'the name is free again')
})

t.test('of two requests at once for the last two mailboxes, one is refused', async (t) => {
  const w = await accountWorld(t)
  const second = made.parse((await w.call('POST', '/v1/mailboxes', { name: 'second-one' })).json)
  const both = await Promise.allSettled([w.id, second.id].map((id) => w.removal.request(w.account.id, id)))
  t.strictSame(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await w.runRemovals()
  const left = await Promise.all([w.id, second.id].map((id) => w.mailboxes.directory.get(id)))
  t.equal(left.filter((mailbox) => mailbox !== undefined).length, 1)
})

t.test('names of this server stay ASCII, and the refusal says so', async (t) => {
  const w = await accountWorld(t)
  for (const address of ['josé-desk@agents.example', 'order\u0455-desk@agents.example'])
    t.match(await w.call('POST', '/v1/aliases', { address }), {
      status: 400,
      json: { error: { code: 'invalid_request', message: /may contain only a-z/ } },
    })
  const like = await w.call('POST', '/v1/aliases', { address: 'des\u212a-one@agents.example' })
  t.match(like, { status: 400, json: { error: { code: 'invalid_request' } } })
  t.equal(await w.mailboxes.directory.resolve('\u0430gent@agents.example'), undefined, 'a look-alike is nobody')
  t.equal(await w.mailboxes.directory.resolve('agent\u0301@agents.example'), undefined)
})

t.test('mail comes to an alias and goes from it, and only from own ones', async (t) => {
  const w = await accountWorld(t)
  const alias = 'orders-desk@agents.example'
  const send = (from: string) =>
    w.call('POST', '/v1/send', { to: 'ada@example.org', subject: 's', text: 'Hello.', from })
  t.match((await send(alias)).json, { error: { code: 'invalid_request', fields: [{ field: 'from' }] } })
  t.equal((await w.call('POST', '/v1/aliases', { address: 'Orders-Desk@Agents.Example' })).status, 201)
  t.equal((await w.call('POST', '/v1/aliases', { address: alias })).status, 200)
  t.strictSame(addresses.parse((await w.call('GET', '/v1/aliases')).json).data, [{ address: alias }])
  t.equal((await w.mailboxes.directory.resolve('orders-desk+tag@agents.example'))?.id, w.id)

  for (const from of [alias, 'orders-desk+run7@agents.example', 'agent+x@agents.example', `Desk <${alias}>`]) {
    const answer = await send(from)
    t.equal(answer.status, 202, from)
    const message = await w.mailboxes.reading.message(w.id, accepted.parse(answer.json).id)
    t.ok(from.includes(message.from?.address ?? 'nobody'), from)
  }
  for (const from of ['theirs@agents.example', 'ada@example.org', 'agent@agents.example.org']) {
    t.match((await send(from)).json, { error: { code: 'invalid_request' } }, from)
  }
  t.match((await w.call('POST', '/v1/send', { to: alias, subject: 's', text: 't' })).json, {
    error: { code: 'invalid_request', message: /itself/ },
  })
  const mail = await w.mailboxes.delivery.deliver(await deliveryOf(w.id, { from: 'ada@example.org', to: alias }))
  const reply = await w.call('POST', `/v1/messages/${mail.id}/reply-all`, { text: 'Fine.' })
  t.match(await w.mailboxes.reading.message(w.id, accepted.parse(reply.json).id), {
    from: { address: alias },
    to: [{ address: 'ada@example.org' }],
    cc: [],
  })
  const other = await w.mailboxes.delivery.deliver(await deliveryOf(w.id, { from: 'eve@example.net', to: alias }))
  t.not(other.thread_id, mail.thread_id, 'an own address is nobody whom two strangers share')
})

t.test('an alias that is taken, reserved, or one too many is refused, and one that is removed is free', async (t) => {
  const w = await accountWorld(t)
  await w.addMailbox('their-name@agents.example', 'bob@example.org')
  for (const [address, code] of [
    ['their-name@agents.example', 'name_taken'],
    ['agent@agents.example', 'name_taken'],
    ['support@agents.example', 'name_reserved'],
    ['my-name@elsewhere.example', 'invalid_request'],
    ['my+name@agents.example', 'invalid_request'],
    ['nothing', 'invalid_request'],
  ] as const) {
    t.match((await w.call('POST', '/v1/aliases', { address })).json, { error: { code } }, address)
  }
  t.strictSame(addresses.parse((await w.call('GET', '/v1/aliases')).json).data, [])
  for (const name of ['name-one', 'name-two'])
    await w.call('POST', '/v1/aliases', { address: `${name}@agents.example` })
  t.match((await w.call('POST', '/v1/aliases', { address: 'name-three@agents.example' })).json, {
    error: { code: 'limit_reached' },
  })
  t.equal((await w.call('DELETE', '/v1/aliases/name-one%40agents.example')).status, 200)
  t.equal((await w.call('DELETE', '/v1/aliases/name-one%40agents.example')).status, 404)
  t.equal(await w.mailboxes.directory.resolve('name-one@agents.example'), undefined)
  t.equal((await w.call('POST', '/v1/mailboxes', { name: 'name-one' })).status, 201)
})

t.test('mail for nobody goes to the catch-all of its domain alone', async (t) => {
  const w = await accountWorld(t, {
    catchAll: (domain) => (domain === 'agents.example' ? 'agent@agents.example' : undefined),
  })
  const theirs = await w.addMailbox('theirs@agents.example', 'bob@example.org')
  t.equal((await w.mailboxes.directory.resolve('anything@agents.example'))?.id, w.id)
  t.equal((await w.mailboxes.directory.resolve('theirs@agents.example'))?.id, theirs.id)
  t.equal(await w.mailboxes.directory.resolve('anything@elsewhere.example'), undefined)
})
