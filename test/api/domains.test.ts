import t from 'tap'
import { z } from 'zod'
import { HOUR } from '../../src/lib/clock.js'
import { accountWorld, type AccountWorld } from './support/account-world.js'

const withRecords = z.looseObject({
  records: z.array(z.looseObject({ type: z.string(), name: z.string(), value: z.string(), state: z.string() })),
})
const made = z.looseObject({ id: z.string(), api_key: z.string() })
const PROOF = 'TXT _restante.shop.example'

/** Adds the domain, sets every record that it names, and verifies it. */
async function verified(w: AccountWorld, key = w.key) {
  const { records } = withRecords.parse((await w.call('POST', '/v1/domains', { domain: 'shop.example' }, key)).json)
  for (const { type, name, value } of records)
    w.dns.set(`${type} ${name}`, type === 'MX' ? [{ priority: 10, exchange: 'agents.example' }] : [value])
  w.dns.set('A agents.example', ['192.0.2.1'])
  const answer = await w.call('POST', '/v1/domains/shop.example/verify', undefined, key)
  return { records, answer }
}

t.test('a domain is added, proven, used and removed', async (t) => {
  const w = await accountWorld(t)
  const added = await w.call('POST', '/v1/domains', { domain: 'Shop.Example.' })
  t.equal(added.status, 201)
  t.match(added.json, {
    domain: 'shop.example',
    status: 'pending',
    next_steps: [/\/v1\/domains\/shop\.example\/verify/],
  })
  t.strictSame(
    withRecords.parse(added.json).records.map(({ purpose, type, state }) => `${String(purpose)} ${type} ${state}`),
    ['ownership TXT', 'mx MX', 'spf TXT', 'dkim TXT', 'dkim TXT', 'dmarc TXT'].map((each) => `${each} unknown`),
  )
  t.equal((await w.call('POST', '/v1/domains', { domain: 'shop.example' })).status, 200, 'again')
  const none = await w.call('POST', '/v1/domains/shop.example/verify')
  t.match(none, {
    status: 200,
    json: { status: 'pending', next_steps: [/Not seen yet: TXT _restante\.shop\.example/] },
  })
  t.equal(await w.mailboxes.directory.resolve('hi@shop.example'), undefined)
  const early = await w.call('POST', '/v1/mailboxes', { name: 'hi', domain: 'shop.example' })
  t.match(early.json, { error: { code: 'invalid_request', fields: [{ field: 'domain' }] } }, 'not proven yet')

  const { answer } = await verified(w)
  t.match(answer, { status: 200, json: { status: 'verified' } })
  t.ok(withRecords.parse(answer.json).records.every(({ state }) => state === 'ok'))
  t.match((await w.call('GET', '/v1/domains')).json, { data: [{ domain: 'shop.example', status: 'verified' }] })
  const events = z.object({ data: z.array(z.looseObject({ type: z.string(), data: z.unknown() })) })
  t.match(events.parse((await w.call('GET', '/v1/events')).json).data.at(-1), {
    type: 'domain.verified',
    data: { domain: 'shop.example' },
  })

  const mailbox = made.parse((await w.call('POST', '/v1/mailboxes', { name: 'hi', domain: 'shop.example' })).json)
  t.equal((await w.mailboxes.directory.resolve('hi@shop.example'))?.id, mailbox.id)
  t.equal((await w.call('POST', '/v1/aliases', { address: 'sales@shop.example' })).status, 201)
  t.equal((await w.mailboxes.directory.resolve('sales+x@shop.example'))?.id, w.id)
  t.equal(await w.mailboxes.directory.resolve('nobody@shop.example'), undefined)
  const sent = await w.call('POST', '/v1/send', { to: 'a@example.org', subject: 's', text: 't' }, mailbox.api_key)
  t.equal(sent.status, 202)
  t.equal(w.dkimKeys.signingKeys('shop.example').length, 2)

  const inUse = await w.call('DELETE', '/v1/domains/shop.example')
  t.match(inUse, { status: 409, json: { error: { code: 'domain_in_use', message: /sales@shop\.example/ } } })
  t.equal((await w.call('DELETE', '/v1/aliases/sales%40shop.example')).status, 200)
  t.equal((await w.call('DELETE', `/v1/mailboxes/${mailbox.id}`)).status, 202)
  t.equal((await w.call('DELETE', '/v1/domains/shop.example')).status, 409, 'the mailbox is still on its way out')
  await w.runRemovals()
  t.equal((await w.call('DELETE', '/v1/domains/shop.example')).status, 200)
  t.match((await w.call('GET', '/v1/domains')).json, { data: [] })
  t.equal((await w.call('GET', '/v1/domains/shop.example')).status, 404)
  t.strictSame(w.dkimKeys.list(), [])
})

t.test('a domain is one account’s, and not seen by others', async (t) => {
  const w = await accountWorld(t)
  const bob = await w.addMailbox('bob@agents.example', 'bob@example.org')
  await verified(w)
  for (const [method, path] of [
    ['GET', '/v1/domains/shop.example'],
    ['POST', '/v1/domains/shop.example/verify'],
    ['DELETE', '/v1/domains/shop.example'],
  ] as const)
    t.equal((await w.call(method, path, undefined, bob.key)).status, 404, path)
  t.match((await w.call('POST', '/v1/domains', { domain: 'shop.example' }, bob.key)).json, {
    error: { code: 'domain_taken' },
  })
  const theirs = await w.call('POST', '/v1/aliases', { address: 'hi@shop.example' }, bob.key)
  t.match(theirs.json, { error: { code: 'invalid_request' } })
})

t.test('what can’t be added is refused, and the limit holds', async (t) => {
  const w = await accountWorld(t)
  for (const domain of ['', 'agents.example', 'x.agents.example', 'co.uk', '../etc', '192.0.2.1', 'a\r\nb.example'])
    t.match((await w.call('POST', '/v1/domains', { domain })).json, { error: { code: 'invalid_request' } }, domain)
  t.equal((await w.call('POST', '/v1/domains', { domain: 'bücher.example' })).status, 201)
  t.equal((await w.call('GET', '/v1/domains/xn--bcher-kva.example')).status, 200)
  t.equal((await w.call('POST', '/v1/domains', { domain: 'two.example' })).status, 201)
  t.match((await w.call('POST', '/v1/domains', { domain: 'three.example' })).json, { error: { code: 'limit_reached' } })
})

t.test('a domain whose proof is gone neither sends nor receives until it is back', async (t) => {
  const w = await accountWorld(t)
  await verified(w)
  const { api_key: key, id } = made.parse(
    (await w.call('POST', '/v1/mailboxes', { name: 'hi', domain: 'shop.example' })).json,
  )
  const mail = { to: 'a@example.org', subject: 's', text: 't' }
  const later = new Date(w.clock.now() + HOUR).toISOString()
  const scheduled = z
    .object({ id: z.string() })
    .parse((await w.call('POST', '/v1/send', { ...mail, send_at: later }, key)).json)
  const proof = w.dns.get(PROOF) ?? 'not_found'
  w.dns.set(PROOF, 'not_found')
  for (let day = 0; day < 3; day++) {
    t.equal((await w.call('POST', '/v1/send', { ...mail, text: `day ${day}` }, key)).status, 202)
    await w.ownDomains.lookAgain(new AbortController().signal)
  }
  t.match(await w.call('POST', '/v1/send', mail, key), { status: 403, json: { error: { code: 'sending_stopped' } } })
  t.equal(await w.mailboxes.directory.resolve('hi@shop.example'), undefined)
  t.equal((await w.call('POST', '/v1/send', mail)).status, 202, 'from the server’s domain as ever')
  w.clock.advance(2 * HOUR)
  t.equal(await w.mailboxes.outbound.runScheduled(id, scheduled.id), 'done')
  t.match((await w.call('GET', `/v1/messages/${scheduled.id}`, undefined, key)).json, { status: 'cancelled' })

  w.dns.set(PROOF, proof)
  t.match((await w.call('POST', '/v1/domains/shop.example/verify')).json, { status: 'verified' })
  t.equal((await w.call('POST', '/v1/send', mail, key)).status, 202)
  t.equal((await w.mailboxes.directory.resolve('hi@shop.example'))?.id, id)
})

t.test('an account that ends takes its domains and their keys along', async (t) => {
  const w = await accountWorld(t)
  await verified(w)
  const { id } = made.parse((await w.call('POST', '/v1/mailboxes', { name: 'hi', domain: 'shop.example' })).json)
  const account = await w.accounts.get(w.account.id)
  if (!account) throw new Error('there is an account')
  await w.erase.everything(account)
  t.equal(await w.mailboxes.directory.get(id), undefined)
  t.strictSame(await w.ownDomains.list(account.id), [])
  t.strictSame(w.dkimKeys.list(), [])
  t.equal(await w.mailboxes.directory.resolve('hi@shop.example'), undefined)
  const bob = await w.addMailbox('bob@agents.example', 'bob@example.org')
  t.match((await verified(w, bob.key)).answer.json, { status: 'verified' }, 'it is free')
})
