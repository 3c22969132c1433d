import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createAccounts } from '../../../src/accounts/accounts.js'
import { openDkimKeys } from '../../../src/authentication/keys.js'
import { secretFolder } from '../../../src/lib/secret-files.js'
import { followHeldDomains, HELD_PARTITION, verifiedOwner } from '../../../src/lifecycle/domains/verified.js'
import { createAccountMailboxes } from '../../../src/lifecycle/claims/account-mailboxes.js'
import { changeOwnDomain, completeHeld, takeDomain } from '../../../src/lifecycle/domains/record.js'
import { DAY, ManualClock } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { eventReader } from '../../../src/mailbox/events.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { changeWithin, createMailbox, readMailbox } from '../../../src/mailbox/record.js'
import { key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { Found } from '../../support/peers/fake-resolver.js'
import { ownDomainsWith } from '../../support/own-domains.js'
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
  const follow = () =>
    followHeldDomains({ store, names: ['agents.example'], onError: (error) => t.fail(String(error)) })
  const held = await follow()
  t.teardown(() => held.stop())
  const domains = ownDomainsWith({ store, clock, accounts, dkimKeys, held }, dns)
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
    ...{ clock, store, accounts, domains, follow, dkimKeys, dir, dns, held, events, publish, signal },
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
  t.notOk(verifiedOwner(s.held.latest, own.domain))

  s.dns.set(`TXT _restante.${own.domain}`, ['restante-verification=wrong'])
  t.match((await s.domains.verify(s.ana.id, own.domain)).records[0], { state: 'differs', found: /wrong/ })
  await s.publish(s.ana.id, own.domain)
  const right = await s.domains.verify(s.ana.id, own.domain)
  t.equal(right.own.status, 'verified')
  t.strictSame(
    right.records.filter(({ purpose }) => purpose !== 'spf').map(({ state }) => state),
    ['ok', 'ok', 'ok', 'ok', 'ok'],
  )
  t.equal(verifiedOwner(s.held.latest, own.domain), s.ana.id)
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
  const state = [['shop.example', { accountId: s.ana.id, isVerified: true }]]
  t.strictSame([...(await s.follow()).latest], state)
  await s.store.write(HELD_PARTITION, (tx) => tx.delete(key('domain', 'shop.example')))
  t.strictSame([...(await s.follow()).latest], [])
  await completeHeld(s.store)
  t.strictSame([...(await s.follow()).latest], state, 'also where an earlier version verified it')
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
  t.equal(verifiedOwner(s.held.latest, 'shop.example'), s.ana.id)
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
  t.notOk(verifiedOwner(s.held.latest, 'shop.example'))
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
  t.ok(verifiedOwner(s.held.latest, 'shop.example'), 'and works on')
  await s.accounts.forgetMailbox(s.ana.id, id)
  t.ok(existsSync(join(s.dir, 'shop.example')))
  await s.domains.remove(s.ana.id, 'shop.example')
  t.notOk(verifiedOwner(s.held.latest, 'shop.example'))
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
    t.notOk(verifiedOwner(s.held.latest, 'shop.example'))
    await s.accounts.forgetMailbox(s.ana.id, id)

    t.equal((await s.domains.verify(s.bob.id, 'shop.example')).own.status, 'verified')
    t.equal((await s.domains.verify(s.ana.id, 'shop.example')).own.status, 'lost')
    t.equal(verifiedOwner(s.held.latest, 'shop.example'), s.bob.id)
    await s.domains.remove(s.ana.id, 'shop.example')
    t.equal(verifiedOwner(s.held.latest, 'shop.example'), s.bob.id, 'what she removes is her own entry')
    t.equal(s.dkimKeys.signingKeys('shop.example').length, 2)
  },
)

t.test('a domain goes, or gets an address, whichever is first', async (t) => {
  const s = await setting(t)
  const { createMailbox: make, addAlias } = createAccountMailboxes({
    store: s.store,
    clock: s.clock,
    accounts: s.accounts,
    domains: ['agents.example'],
    reserved: [],
    limits: { mailboxesPerAccount: 100, aliasesPerMailbox: 100 },
  })
  const given = (name: string) => ({ id: newId('mbx', s.clock.now()), name, domain: 'shop.example' })
  const won = { removal: 0, address: 0 }
  for (let turns = 0; turns < 20; turns++) {
    await s.domains.add(s.ana.id, 'shop.example')
    await s.publish(s.ana.id, 'shop.example')
    await s.domains.verify(s.ana.id, 'shop.example')
    const later = async (work: () => Promise<unknown>): Promise<void> => {
      for (let left = turns % 10; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
      await work()
    }
    const alias = `a${turns}@shop.example`
    const making = (): Promise<unknown> =>
      turns % 2 === 0 ? make(s.ana.id, given(`hi${turns}`)) : addAlias(s.ana.id, s.ana.mailboxId, alias)
    const [removed, made] = await Promise.allSettled([s.domains.remove(s.ana.id, 'shop.example'), later(making)])
    t.not(removed.status, made.status)
    if (removed.status === 'rejected') {
      t.match(removed.reason, { code: 'domain_in_use' })
      won.address++
      for (const { id, address } of await mailboxesOf(s))
        if (address.endsWith('@shop.example')) await s.accounts.forgetMailbox(s.ana.id, id)
      await s.store.write(mailboxPartition(s.ana.mailboxId), (tx) =>
        changeWithin(tx, async (_tx, mailbox) => void (mailbox.aliases = [])),
      )
      await s.domains.remove(s.ana.id, 'shop.example')
    } else {
      t.match(made.status === 'rejected' && made.reason, { code: 'invalid_request' })
      won.removal++
    }
  }
  t.ok(won.removal > 0 && won.address > 0, JSON.stringify(won))
})

async function mailboxesOf(s: Awaited<ReturnType<typeof setting>>) {
  const found = await Promise.all((await s.accounts.mailboxes(s.ana.id)).map((id) => readMailbox(s.store, id)))
  return found.filter((mailbox) => mailbox !== undefined)
}

t.test('every node knows at once whose a domain is', async (t) => {
  const s = await setting(t)
  const other = await s.follow()
  t.teardown(() => other.stop())
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  await s.domains.verify(s.ana.id, 'shop.example')
  t.equal(verifiedOwner(await other.get(), 'shop.example'), s.ana.id)
  s.dns.set('TXT _restante.shop.example', 'not_found')
  for (let day = 0; day < 3; day++) await s.domains.lookAgain(s.signal)
  t.equal(verifiedOwner(await other.get(), 'shop.example'), undefined)
})

t.test(
  'a holder who has verified a lost domain again keeps it, also where another takes it at that moment',
  async (t) => {
    const s = await setting(t)
    await s.domains.add(s.ana.id, 'shop.example')
    await s.publish(s.ana.id, 'shop.example')
    await s.domains.verify(s.ana.id, 'shop.example')
    await s.domains.add(s.bob.id, 'other.example')
    await changeOwnDomain(s.store, s.bob.id, 'shop.example', () => ({
      ...{ domain: 'shop.example', status: 'pending', token: 'his', createdAt: 0, verifiedAt: null },
      ...{ checkedAt: null, misses: 0 },
    }))
    const taking = { domain: 'shop.example', accountId: s.bob.id, from: s.ana.id }
    t.equal(await takeDomain(s.store, taking, (before) => ({ ...before, status: 'verified' })), 'taken')
    t.equal(verifiedOwner(await s.held.get(), 'shop.example'), s.ana.id)
  },
)

t.test('an account that ends takes its domains along', async (t) => {
  const s = await setting(t)
  await s.domains.add(s.ana.id, 'shop.example')
  await s.publish(s.ana.id, 'shop.example')
  await s.domains.verify(s.ana.id, 'shop.example')
  await s.domains.add(s.ana.id, 'pending.example')
  await s.domains.removeAll(s.ana.id)
  await s.domains.removeAll(s.ana.id)
  t.strictSame(await s.domains.list(s.ana.id), [])
  t.equal((await s.held.get()).size, 0)
  t.strictSame(s.dkimKeys.list(), [])
  s.dns.clear()
  await s.domains.add(s.bob.id, 'shop.example')
  await s.publish(s.bob.id, 'shop.example')
  t.equal((await s.domains.verify(s.bob.id, 'shop.example')).own.status, 'verified', 'it is free')
})
