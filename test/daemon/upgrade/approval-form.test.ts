/** Approval by a human waits until no node is left that sends without it: the nodes before neither know the setting nor can read the events. */
import t from 'tap'
import { MEMBERS, memberKey } from '../../../src/cluster/rows.js'
import { finish, upgrade, type UpgradeDeps } from '../../../src/daemon/upgrade/upgrade.js'
import { createAccounts } from '../../../src/accounts/accounts.js'
import { encode } from '../../../src/store/keys.js'
import {
  APPROVAL_FORM,
  putSchema,
  readSchema,
  SCHEMA_PARTITION,
  SCHEMA_VERSION,
} from '../../../src/store/schema-version.js'
import { createStore } from '../../../src/store/store.js'
import { eventsOf, letter, makeWorld, USAGE_LIMITS, waiting, type World } from '../../mailbox/world.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const OLD = memberKey('old')

const depsOf = ({ store, clock }: World): UpgradeDeps => ({
  ...{ store, clock, dataDir: '/data', entries: 9, version: '9.9.9', me: 'new-1' },
  log: captureLog().log,
})

t.test('beside a node of the version before nothing waits for a human, and all does once it is gone', async (t) => {
  const w = await makeWorld(t, createStore(memoryEngine()))
  const { store, clock, mailboxes, id } = w
  const draftEvents = async () => (await eventsOf(w)).flatMap(({ type }) => (type.startsWith('draft.') ? [type] : []))
  const { sending, settings, deciding, drafts } = mailboxes
  const accounts = createAccounts({
    ...{ store, clock, limits: USAGE_LIMITS },
    mailbox: () => mailboxes.directory.get(id),
  })
  await store.write([SCHEMA_PARTITION, MEMBERS], async (tx) => {
    putSchema(tx, { version: APPROVAL_FORM - 1, by: '0.1.0' })
    tx.in(MEMBERS).put(OLD, encode({ id: 'old', instance: 'old-1', name: 'old', knows: APPROVAL_FORM - 1 }))
  })
  t.equal(await upgrade(depsOf(w)), true, 'the new node starts beside it')
  t.match(await readSchema(store), { version: APPROVAL_FORM - 1 })

  const { id: draftId } = await drafts.create(id, { to: letter().to, text: 'Hello' }, {})
  const key = await accounts.createKey(id, { name: 'free' })
  const seen = await deciding.shown(id, draftId)
  const attempts: Record<string, () => Promise<unknown>> = {
    'a send that asks': () => sending.send(id, letter(), { requiresApproval: true }),
    'a draft that asks': () => sending.sendDraft(id, draftId, { requiresApproval: true }),
    'the setting of the mailbox': () => settings.change(id, { requiresApproval: true }, 'human'),
    'a key': () => accounts.createKey(id, { requiresApproval: true }),
    'a key that is changed': () => accounts.changeKey(id, key.key.id, { requiresApproval: true }),
    'the human sends': () => deciding.approve(id, draftId, seen),
    'the human discards': () => deciding.discard(id, draftId, seen.draft),
    'the human sends back': () => deciding.sendBack(id, draftId, { ...seen.draft, note: 'No.' }),
  }
  for (const [name, attempt] of Object.entries(attempts)) await t.rejects(attempt(), { code: 'unavailable' }, name)
  t.same(await deciding.waiting(id), [])
  t.same(await draftEvents(), [], 'no event that it can not read')
  t.match(await w.send(), { status: 'queued' }, 'all else goes on')

  await store.write(MEMBERS, async (tx) => tx.delete(OLD))
  t.equal(await finish(depsOf(w), SCHEMA_VERSION), true)
  waiting(await sending.send(id, letter(), { requiresApproval: true }))
  await settings.change(id, { requiresApproval: true })
  t.match(await accounts.changeKey(id, key.key.id, { requiresApproval: true }), { requiresApproval: true })
  t.match(await deciding.approve(id, draftId, seen), { status: 'queued' })
  t.same(await draftEvents(), ['draft.waiting', 'draft.approved'])
})
