import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createAccounts } from '../../../src/accounts/accounts.js'
import { enterMailboxOf } from '../../../src/accounts/mailbox-list.js'
import { accountPartition } from '../../../src/accounts/record.js'
import { openDkimKeys } from '../../../src/authentication/keys.js'
import { secretFolder } from '../../../src/lib/secret-files.js'
import { loadConfig } from '../../../src/config/load.js'
import { ownerFor, verifiedOwner, type HeldDomains } from '../../../src/lifecycle/domains/verified.js'
import { OwnDomains } from '../../../src/lifecycle/domains/own-domains.js'
import { DAY, ManualClock } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { eventReader } from '../../../src/mailbox/events.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { createMailbox, enterMailbox, readMailbox } from '../../../src/mailbox/record.js'
import { createStore } from '../../../src/store/store.js'
import { fakeResolver, type Found } from '../../support/peers/fake-resolver.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1_000_000,
  requestsPerMinute: 600,
  recipientsPerMessage: 50,
  messageBytes: 2_000_000,
  attachmentsPerMessage: 20,
  longPollSeconds: 60,
}

/** Two accounts, each with a mailbox, and a DNS that the test fills: `TXT name` → texts. */
async function setting(t: Test) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const accounts = createAccounts({
    store,
    clock,
    limits: LIMITS,
    mailbox: (id, view) => readMailbox(view ?? store, id),
  })
  const dir = t.testdir()
  const dkimKeys = await openDkimKeys({ files: secretFolder(dir), clock })
  const dns = new Map<string, Found>()
  const held: HeldDomains = new Map()
  const build = () =>
    new OwnDomains({
      store,
      clock,
      config: loadConfig({ set: ['domains.names=["agents.example"]', 'limits.domains_per_account=2'] }),
      accounts,
      dkimKeys,
      freshResolver: () => fakeResolver((name, rrtype) => dns.get(`${rrtype} ${name}`) ?? 'not_found'),
      held,
    })
  const account = async (owner: string) => {
    const { id } = await accounts.ensure(owner)
    const mailboxId = newId('mbx', clock.now())
    await createMailbox(store, {
      id: mailboxId,
      address: `${owner.split('@')[0]}@agents.example`,
      agentName: null,
      claimId: null,
      status: 'claimed',
      accountId: id,
      now: clock.now(),
    })
    await accounts.addMailbox(id, mailboxId)
    return { id, mailboxId }
  }
  const domains = build()
  const events = async (mailboxId: string) => {
    const page = await eventReader(store)(mailboxId, { after: 0, limit: 100, waitMs: 0 }, new AbortController().signal)
    return page.data.map(({ type, data }) => [type, data['domain']])
  }
  /** Sets every record that a domain needs. */
  const publish = async (accountId: string, domain: string): Promise<void> => {
    for (const { type, name, value } of (await domains.get(accountId, domain)).records)
      dns.set(`${type} ${name}`, type === 'MX' ? [{ priority: 10, exchange: 'agents.example' }] : [value])
    dns.set('A agents.example', ['192.0.2.1'])
  }
  const signal = new AbortController().signal
  return {
    ...{ clock, store, accounts, domains, build, dkimKeys, dir, dns, held, events, publish, signal },
    ana: await account('ana@example.net'),
    bob: await account('bob@example.net'),
  }
}

t.test('a domain is added with the records to set, and verified once they are there', async (t) => {
  const s = await setting(t)
  const { own, isNew } = await s.domains.add(s.ana.id, 'Bücher.Example')
  t.match({ own, isNew }, { own: { domain: 'xn--bcher-kva.example', status: 'pending' }, isNew: true })
  t.equal((await s.domains.add(s.ana.id, 'bücher.example')).isNew, false)
  const { records } = await s.domains.get(s.ana.id, own.domain)
  t.strictSame(
    records.map(({ purpose, type }) => `${purpose} ${type}`),
    ['ownership TXT', 'mx MX', 'spf TXT', 'dkim TXT', 'dkim TXT', 'dmarc TXT'],
  )
  const missing = await s.domains.verify(s.ana.id, own.domain)
  t.equal(missing.own.status, 'pending')
  t.ok(missing.records.every(({ state }) => state === 'missing'))
  t.notOk(verifiedOwner(s.held, own.domain))

  s.dns.set(`TXT _restante.${own.domain}`, ['restante-verification=wrong'])
  t.match((await s.domains.verify(s.ana.id, own.domain)).records[0], { state: 'differs', found: /wrong/ })
  await s.publish(s.ana.id, own.domain)
  const right = await s.domains.verify(s.ana.id, own.domain)
  t.equal(right.own.status, 'verified')
  t.strictSame(
    right.records.filter(({ purpose }) => purpose !== 'spf').map(({ state }) => state),
    ['ok', 'ok', 'ok', 'ok', 'ok'],
  )
  t.equal(verifiedOwner(s.held, own.domain), s.ana.id)
  t.equal(s.dkimKeys.signingKeys(own.domain).length, 2, 'its mail is signed')
  await s.domains.verify(s.ana.id, own.domain)
  t.strictSame(await s.events(s.ana.mailboxId), [['domain.verified', own.domain]], 'told once')
  t.strictSame(await s.events(s.bob.mailboxId), [])
})

t.test('it is known again after a restart', async (t) => {
  const s = await setting(t)
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  await s.domains.verify(s.ana.id, 'shop.example')
  await s.domains.add(s.bob.id, 'other.example')
  s.held.clear()
  await s.build().open()
  t.strictSame([...s.held], [['shop.example', { accountId: s.ana.id, isVerified: true }]])
})

t.test('a domain belongs to whom its DNS names, whoever added it first', async (t) => {
  const s = await setting(t)
  await s.domains.add(s.bob.id, 'shop.example')
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  t.equal((await s.domains.verify(s.bob.id, 'shop.example')).own.status, 'pending', 'his proof is another one')
  t.equal((await s.domains.verify(s.ana.id, 'shop.example')).own.status, 'verified')
  await s.publish(s.bob.id, 'shop.example')
  await t.rejects(s.domains.verify(s.bob.id, 'shop.example'), { code: 'domain_taken' })
  t.equal(verifiedOwner(s.held, 'shop.example'), s.ana.id)
  await s.domains.remove(s.bob.id, 'shop.example')
  t.equal(s.dkimKeys.signingKeys('shop.example').length, 2, 'her keys stay')
  await t.rejects(s.domains.add(s.bob.id, 'shop.example'), { code: 'domain_taken' })
  await t.rejects(s.domains.get(s.bob.id, 'shop.example'), { code: 'not_found' })
})

t.test('what can be nobody’s domain is refused, and so is one too many', async (t) => {
  const s = await setting(t)
  for (const domain of [
    '',
    'example',
    'a b.example',
    'agents.example',
    'simulator.agents.example',
    'co.uk',
    'github.io',
    '192.0.2.1',
  ])
    await t.rejects(s.domains.add(s.ana.id, domain), { code: 'invalid_request', fields: [{ field: 'domain' }] }, domain)
  await s.domains.add(s.ana.id, 'one.example')
  await s.domains.add(s.ana.id, 'two.example')
  await t.rejects(s.domains.add(s.ana.id, 'three.example'), { code: 'limit_reached' })
})

t.test('a proof that is gone for three days loses the domain, and a silent DNS does not', async (t) => {
  const s = await setting(t)
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  await s.domains.verify(s.ana.id, 'shop.example')
  const proof = 'TXT _restante.shop.example'
  const right = s.dns.get(proof) ?? 'not_found'
  const look = async (found: Found) => {
    s.clock.advance(DAY)
    s.dns.set(proof, found)
    return s.domains.lookAgain(s.signal)
  }
  for (let day = 0; day < 5; day++) t.match(await look('temporary'), { looked: 1, lost: 0 })
  await look('not_found')
  await look('not_found')
  await look(right)
  t.match(await look('not_found'), { lost: 0 }, 'counted anew')
  t.match(await look('no_data'), { lost: 0 })
  t.match(await look(['something else']), { lost: 1 })
  t.notOk(verifiedOwner(s.held, 'shop.example'))
  t.match(await s.domains.get(s.ana.id, 'shop.example'), { own: { status: 'lost' } })
  t.strictSame(await s.events(s.ana.mailboxId), [
    ['domain.verified', 'shop.example'],
    ['domain.lost', 'shop.example'],
  ])
  s.dns.set(proof, right)
  t.equal((await s.domains.verify(s.ana.id, 'shop.example')).own.status, 'verified')
})

t.test('a domain with addresses on it stays; without them it goes with its keys', async (t) => {
  const s = await setting(t)
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  await s.domains.verify(s.ana.id, 'shop.example')
  const id = newId('mbx', s.clock.now())
  const made = { id, address: 'hi@shop.example', agentName: null, claimId: null, now: s.clock.now() }
  await createMailbox(s.store, { ...made, status: 'claimed', accountId: s.bob.id })
  await s.accounts.addMailbox(s.ana.id, id)
  await t.rejects(s.domains.remove(s.ana.id, 'shop.example'), { code: 'domain_in_use', message: /hi@shop\.example/ })
  t.ok(verifiedOwner(s.held, 'shop.example'), 'and works on')
  await s.accounts.forgetMailbox(s.ana.id, id)
  t.ok(existsSync(join(s.dir, 'shop.example')))
  await s.domains.remove(s.ana.id, 'shop.example')
  t.notOk(verifiedOwner(s.held, 'shop.example'))
  t.strictSame(await s.domains.list(s.ana.id), [])
  t.notOk(existsSync(join(s.dir, 'shop.example')))
})

t.test(
  'who has it proven anew takes over what its former owner lost, but not while addresses stand on it',
  async (t) => {
    const s = await setting(t)
    const proof = 'TXT _restante.shop.example'
    await s.domains.add(s.ana.id, 'shop.example')
    await s.publish(s.ana.id, 'shop.example')
    await s.domains.verify(s.ana.id, 'shop.example')
    await t.rejects(s.domains.add(s.bob.id, 'shop.example'), { code: 'domain_taken' })
    s.dns.set(proof, 'not_found')
    for (let day = 0; day < 3; day++) await s.domains.lookAgain(s.signal)
    await s.domains.add(s.bob.id, 'shop.example')
    await s.publish(s.bob.id, 'shop.example')

    const id = newId('mbx', s.clock.now())
    const left = { id, address: 'hi@shop.example', agentName: null, claimId: null, now: s.clock.now() }
    await createMailbox(s.store, { ...left, status: 'claimed', accountId: s.ana.id })
    await s.accounts.addMailbox(s.ana.id, id)
    await t.rejects(s.domains.verify(s.bob.id, 'shop.example'), { code: 'domain_taken' })
    t.notOk(verifiedOwner(s.held, 'shop.example'))
    await s.accounts.forgetMailbox(s.ana.id, id)

    t.equal((await s.domains.verify(s.bob.id, 'shop.example')).own.status, 'verified')
    t.equal((await s.domains.verify(s.ana.id, 'shop.example')).own.status, 'lost')
    t.equal(verifiedOwner(s.held, 'shop.example'), s.bob.id)
    await s.domains.remove(s.ana.id, 'shop.example')
    t.equal(verifiedOwner(s.held, 'shop.example'), s.bob.id, 'what she removes is her own entry')
    t.equal(s.dkimKeys.signingKeys('shop.example').length, 2)
  },
)

t.test('while it is looked whether a domain can go, nobody gets an address on it', async (t) => {
  const s = await setting(t)
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  await s.domains.verify(s.ana.id, 'shop.example')
  t.equal(ownerFor(s.held, 'shop.example'), s.ana.id)
  const id = newId('mbx', s.clock.now())
  const made = { id, address: 'hi@shop.example', agentName: null, claimId: null, now: s.clock.now() }
  const making = s.store.write([accountPartition(s.ana.id), mailboxPartition(id)], async (tx) => {
    await enterMailboxOf(tx, s.ana.id, id, s.clock.now())
    enterMailbox(tx, { ...made, status: 'claimed', accountId: s.ana.id })
  })
  const removing = s.domains.remove(s.ana.id, 'shop.example')
  const seen = new Set<string | undefined>()
  const settled = removing.then(
    () => 'removed',
    (error: unknown) => error,
  )
  for (let done = false; !done;) {
    seen.add(ownerFor(s.held, 'shop.example'))
    t.equal(verifiedOwner(s.held, 'shop.example'), s.ana.id, 'mail comes on')
    done = await Promise.race([settled.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))])
  }
  t.match(await settled, { code: 'domain_in_use' })
  await making
  t.ok(seen.has(s.ana.id))
  t.equal(ownerFor(s.held, 'shop.example'), s.ana.id, 'as before')
  await s.accounts.forgetMailbox(s.ana.id, id)
  await s.domains.remove(s.ana.id, 'shop.example')
})

t.test('an account that ends takes its domains along', async (t) => {
  const s = await setting(t)
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  await s.domains.verify(s.ana.id, 'shop.example')
  await s.domains.add(s.ana.id, 'pending.example')
  await s.domains.removeAll(s.ana.id)
  await s.domains.removeAll(s.ana.id)
  t.strictSame(await s.domains.list(s.ana.id), [])
  t.equal(s.held.size, 0)
  t.strictSame(s.dkimKeys.list(), [])
  s.dns.clear()
  await s.domains.add(s.bob.id, 'shop.example')
  await s.publish(s.bob.id, 'shop.example')
  t.equal((await s.domains.verify(s.bob.id, 'shop.example')).own.status, 'verified', 'it is free')
})
