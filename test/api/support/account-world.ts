/** The API over a real socket with the real domain behind it, on an engine in memory: for what the faked domain can't show. */
import { join } from 'node:path'
import type { Test } from 'tap'
import { createAccounts } from '../../../src/accounts/accounts.js'
import { createAudit } from '../../../src/audit/audit.js'
import { createSessions } from '../../../src/accounts/sessions.js'
import { createSuppressions } from '../../../src/accounts/suppressions.js'
import { createAccountMailboxes } from '../../../src/lifecycle/claims/account-mailboxes.js'
import { openDkimKeys } from '../../../src/authentication/keys.js'
import { secretFolder } from '../../../src/lib/secret-files.js'
import { followHeldDomains, verifiedOwner } from '../../../src/lifecycle/domains/verified.js'
import { Erase } from '../../../src/lifecycle/deletion/erase.js'
import { createRemoval, type RemovalTask } from '../../../src/lifecycle/deletion/mailbox-removal.js'
import type { GuardVerdict } from '../../../src/guard/types.js'
import { createHolds } from '../../../src/http/limits/long-polls.js'
import { DAY, HOUR, ManualClock } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { reserveAddress } from '../../../src/mailbox/addresses.js'
import { createIndexer } from '../../../src/mailbox/search/indexer.js'
import { createMailboxes } from '../../../src/mailbox/composition/mailboxes.js'
import { createMailbox, readMailbox } from '../../../src/mailbox/record.js'
import { putSchema, SCHEMA_PARTITION, SCHEMA_VERSION } from '../../../src/store/schema-version.js'
import { openBlobs } from '../../../src/store/blobs/blobs.js'
import { createStore } from '../../../src/store/store.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { LIMITS, PARSE_LIMITS, SEND } from '../../mailbox/world.js'
import type { Found } from '../../support/peers/fake-resolver.js'
import { ownDomainsWith } from '../../support/own-domains.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { ask, type Answer } from '../../http/client.js'
import { fakeOAuth } from './fake-oauth.js'
import { fakes } from './fakes.js'
import { serve } from './serve.js'
import { tasksIn } from '../../support/store/tasks.js'

export type AccountWorld = Awaited<ReturnType<typeof accountWorld>>

/** An account of ana@example.org with the mailbox agent@agents.example, and a key that may do everything. */
export async function accountWorld(
  t: Test,
  options: {
    catchAll?: (domain: string) => string | undefined
    newRecipientsPerDay?: number
    verdict?: GuardVerdict
    isAudited?: boolean
  } = {},
) {
  // Ahead of the ids that are made by the clock of the machine.
  const clock = new ManualClock(Date.now() + 86_400_000)
  const store = createStore(memoryEngine())
  await store.write(SCHEMA_PARTITION, (tx) => putSchema(tx, { version: SCHEMA_VERSION, by: 'test' }))
  const queue = createWorkQueue({ store, clock })
  const folder = t.testdir()
  const blobs = await openBlobs({ dir: join(folder, 'blobs'), clock })
  const limits = {
    newRecipientsPerDay: options.newRecipientsPerDay ?? 100,
    storageBytes: LIMITS.storageBytes,
    requestsPerMinute: 100_000,
    accountRequestsPerMinute: 100_000,
    requestsAtOncePerKey: 100,
    bodyBytes: 2_000_000,
    recipientsPerMessage: 5,
    messageBytes: LIMITS.messageBytes,
    attachmentsPerMessage: 5,
    longPollSeconds: 60,
    eventStreamSeconds: 60,
    longPollsPerKey: 2,
  }
  const heldDomains = await followHeldDomains({
    store,
    names: ['agents.example'],
    onError: (error) => t.fail(String(error)),
  })
  t.teardown(() => heldDomains.stop())
  const isLocalDomain = (domain: string): boolean =>
    domain === 'agents.example' || verifiedOwner(heldDomains.latest, domain) !== undefined
  const accounts = createAccounts({ store, clock, limits, mailbox: (id, view) => readMailbox(view ?? store, id) })
  const suppressions = createSuppressions({ store, clock })
  const mailboxes = createMailboxes({
    storage: { store, blobs, queue },
    clock,
    accounts,
    suppressions,
    guard: {
      check: async () => options.verdict ?? SEND,
      isDoubtful: () => false,
      ask: async (_subject, verdict) => verdict,
    },
    indexer: createIndexer({ store }),
    onPause: accounts.cutOffMailbox,
    log: { warn: () => undefined },
    limits: { ...LIMITS, idempotencyMs: 24 * HOUR },
    composing: { parseLimits: PARSE_LIMITS },
    domains: {
      isLocal: isLocalDomain,
      own: async (name) => (await heldDomains.get()).get(name),
      catchAll: options.catchAll,
    },
  })
  const account = await accounts.ensure('ana@example.org')

  /** A further mailbox of an account: of Ana's when not told otherwise. */
  async function addMailbox(address: string, owner = 'ana@example.org'): Promise<{ id: string; key: string }> {
    const id = newId('mbx', clock.now())
    const { id: accountId } = await accounts.ensure(owner)
    await reserveAddress(store, address, id, clock.now())
    await createMailbox(store, {
      id,
      address,
      agentName: null,
      claimId: null,
      status: 'claimed',
      accountId,
      now: clock.now(),
    })
    await accounts.addMailbox(accountId, id)
    return { id, key: (await accounts.createKey(id)).text }
  }
  const own = await addMailbox('agent@agents.example')

  const accountMailboxes = createAccountMailboxes({
    store,
    clock,
    accounts,
    domains: ['agents.example'],
    reserved: ['support'],
    limits: { mailboxesPerAccount: 3, aliasesPerMailbox: 2 },
  })
  const dns = new Map<string, Found>()
  const dkimKeys = await openDkimKeys({ files: secretFolder(join(folder, 'dkim')), clock })
  const ownDomains = ownDomainsWith({ store, clock, accounts, dkimKeys, held: heldDomains }, dns)
  const sessions = createSessions({ store, clock })
  const receipts = { flush: async () => undefined }
  const forgetHolds = async (): Promise<void> => undefined
  const disconnected: (string | undefined)[] = []
  const connections = { revokeAll: async (_: string, mailboxId?: string) => void disconnected.push(mailboxId) }
  const erase = new Erase({ store, blobs, queue, accounts, sessions, receipts, forgetHolds, ownDomains, connections })
  const removal = createRemoval({
    store,
    clock,
    queue,
    accounts,
    erase,
    connections,
    operatorMailboxId: 'mbx_operator',
  })

  /** Works the tasks of mailboxes that are being removed, once each. */
  async function runRemovals(): Promise<void> {
    for (const task of await tasksIn<RemovalTask>(queue, 'mailbox-removal', 10)) {
      const { id } = task
      const outcome = await removal.run(task)
      if (outcome.done) await queue.remove('mailbox-removal', id)
      else if ('retryAt' in outcome)
        await queue.reschedule<RemovalTask>(
          'mailbox-removal',
          id,
          outcome.retryAt,
          (before) => outcome.payload ?? before,
        )
    }
  }

  const domain = fakes()
  const holds = createHolds(limits.longPollsPerKey, accounts, { clock })
  const server = await serve(t, {
    ...domain,
    ...fakeOAuth(),
    store,
    mailboxes,
    accounts,
    suppressions,
    accountMailboxes,
    ownDomains,
    removal,
    limits,
    sessions,
    holds,
    ...(options.isAudited && {
      audit: createAudit({
        store,
        clock,
        retentionMs: 90 * DAY,
        log: { info: () => undefined, error: () => undefined },
      }),
    }),
    clock,
    onError: (error) => t.fail('a fault of ours', { found: error }),
  })
  t.teardown(async () => {
    await server.close(0)
    await store.close()
  })

  return {
    clock,
    store,
    queue,
    accounts,
    mailboxes,
    suppressions,
    accountMailboxes,
    ownDomains,
    dkimKeys,
    /** Records of the DNS: `TXT name` → its texts. */
    dns,
    removal,
    runRemovals,
    /** Mailboxes whose connections by OAuth were ended, in turn. */
    disconnected,
    erase,
    account,
    id: own.id,
    key: own.key,
    sessions,
    port: server.port,
    addMailbox,
    /** Ends when so many requests are held open. */
    async held(count: number): Promise<void> {
      while (holds.count < count) await new Promise((resolve) => setImmediate(resolve))
    },
    call: (
      method: string,
      path: string,
      json?: unknown,
      key = own.key,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      ask(server.port, path, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
  }
}
