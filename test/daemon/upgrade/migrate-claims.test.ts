/** What a crash left of claims, mailboxes and addresses while those were several commits. */
import t from 'tap'
import { listKey } from '../../../src/accounts/key-ring.js'
import { claimPartition, readClaim } from '../../../src/lifecycle/claims/record.js'
import { settleClaims } from '../../../src/daemon/upgrade/migrate-claims.js'
import { DAY } from '../../../src/lib/clock.js'
import { addressOwner, reserveAddress } from '../../../src/mailbox/addresses.js'
import { listMailboxes } from '../../../src/mailbox/all-mailboxes.js'
import { readMailbox } from '../../../src/mailbox/record.js'
import { encode, key, prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { claim, runClaimTasks, world, type World } from '../../lifecycle/claims/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'

async function migrate(store: Store): Promise<void> {
  for (let cursor: string | undefined = ''; cursor !== undefined;) cursor = await settleClaims(store, cursor)
}

interface Left {
  claimed: string
  declined: string
  making: string
  approved: string
}

/** Gives a claim another state and nothing else, as a process that died left it. */
async function turn({ store }: World, address: string, change: object): Promise<string> {
  const mailbox = await readMailbox(store, (await addressOwner(store, address)) ?? '')
  const record = await readClaim(store, mailbox?.claimId ?? '')
  if (!mailbox || !record) throw new Error('no claim')
  await store.write(claimPartition(record.id), (tx) => tx.put(key('claim'), encode({ ...record, ...change })))
  return mailbox.id
}

async function leave(w: World): Promise<Left> {
  for (const name of ['robot-1', 'robot-2', 'robot-3', 'robot-4']) await claim(w, name)
  await w.claims.approve('robot-4@agents.example', 'ana@example.org')
  const left = {
    claimed: await turn(w, 'robot-1@agents.example', { state: 'claimed', owner: 'ana@example.org' }),
    declined: await turn(w, 'robot-2@agents.example', { state: 'declined' }),
    making: await turn(w, 'robot-3@agents.example', { state: 'making' }),
    approved: (await addressOwner(w.store, 'robot-4@agents.example')) ?? '',
  }
  const { id } = await w.accounts.ensure('ana@example.org')
  const [own] = await w.accounts.keys(left.approved)
  await w.store.write([`account/${id}`, 'address/never@agents.example'], (tx) => {
    tx.delete(key('key', left.approved, own?.id ?? ''))
    tx.put(key('mailbox', 'mbx_never'), encode(1))
  })
  await reserveAddress(w.store, 'never@agents.example', 'mbx_never', w.clock.now())
  const claimId = (await readMailbox(w.store, left.claimed))?.claimId ?? ''
  await w.store.write(claimPartition(claimId), (tx) => tx.put(key('invite', 'inv_1'), encode({ state: 'sending' })))
  return left
}

async function check(w: World, left: Left, what: string): Promise<void> {
  const account = await w.accounts.ensure('ana@example.org')
  t.match(await readMailbox(w.store, left.claimed), { status: 'claimed', accountId: account.id }, what)
  t.same((await w.accounts.mailboxes(account.id)).sort(), [left.claimed, left.approved].sort(), what)
  for (const id of [left.claimed, left.approved]) t.equal((await w.accounts.keys(id)).length, 1, `${what}: keys`)
  t.type((await readMailbox(w.store, left.declined))?.declinedAt, 'number', what)
  for (const name of ['robot-2', 'robot-3', 'never'])
    t.equal(await addressOwner(w.store, `${name}@agents.example`), undefined, `${what}: ${name}`)
  t.equal(await readMailbox(w.store, left.making), undefined, what)
  t.same(await w.claims.list(), [], what)
  const claimId = (await readMailbox(w.store, left.claimed))?.claimId ?? ''
  t.same(await w.store.read(claimPartition(claimId), (view) => view.range(prefixRange('invite'))), [], what)
  w.clock.advance(DAY)
  await runClaimTasks(w)
  t.equal((await listMailboxes(w.store)).length, 2, `${what}: a day later`)
}

t.test('it is finished or taken back, wherever that is cut off', async (t) => {
  for (const moment of ['before', 'after'] as const) {
    for (let at = 1; ; at++) {
      const engine = memoryEngine({ lateness: 0, conflicts: 0 })
      const w = await world(t, { engine })
      const left = await leave(w)
      const dying = mortal(engine, at, moment)
      dying.arm()
      await migrate(createStore(dying.engine)).catch((error: unknown) => error)
      await migrate(w.store)
      await check(w, left, `${moment} commit ${at}`)
      if (!dying.died()) break
      t.ok(at < 100)
    }
  }
})

t.test('a folder in which nothing was left stays as it is', async (t) => {
  const engine = memoryEngine({ lateness: 0, conflicts: 0 })
  const w = await world(t, { engine })
  await claim(w, 'robot-1')
  const { id } = await w.accounts.ensure('ana@example.org')
  await w.store.write(`account/${id}`, (tx) => listKey(tx, 'mbx_9', 'key_9', 'hash'))
  const version = await w.store.version(`account/${id}`)
  await migrate(w.store)
  t.equal(await w.store.version(`account/${id}`), version)
  t.equal((await w.claims.list()).length, 1)
})
