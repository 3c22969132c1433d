/** The parts of the daemon that a message meets in the store: mailboxes with their account, queue and index over a folder of their own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccounts } from '../../src/accounts/accounts.js'
import { ensureAccount } from '../../src/accounts/record.js'
import { createSuppressions } from '../../src/accounts/suppressions.js'
import { openDkimKeys } from '../../src/authentication/keys.js'
import type { Guard } from '../../src/guard/types.js'
import { createGuard } from '../../src/guard/verdict/guard.js'
import { HOUR, systemClock as clock } from '../../src/lib/clock.js'
import { newId } from '../../src/lib/ids.js'
import { createMailboxes } from '../../src/mailbox/composition/mailboxes.js'
import type { MailWork } from '../../src/mailbox/mail-work/mail-work.js'
import { RecentBodies } from '../../src/mailbox/recent-bodies.js'
import { createMailbox, readMailbox } from '../../src/mailbox/record.js'
import { createIndexer } from '../../src/mailbox/search/indexer.js'
import { createLogger } from '../../src/observe/log.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { openBlobs } from '../../src/store/blobs/blobs.js'
import type { Engine } from '../../src/store/engine.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import { secretFolder } from '../../src/lib/secret-files.js'

export const DOMAIN = 'agents.example'
export const PARSE_LIMITS = { maxHeaderBytes: 262_144, maxParts: 1000, maxDepth: 30 }

export interface MailPartsOptions {
  mailboxCount?: number
  guard?: Guard
  work?: MailWork
  /** Around the engine of the store. */
  wrap?: (engine: Engine) => Engine
}

export type MailParts = Awaited<ReturnType<typeof openMailParts>>

export async function openMailParts({
  mailboxCount = 10,
  guard = createGuard(),
  work,
  wrap = (engine) => engine,
}: MailPartsOptions = {}) {
  const dir = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'restante-bench-'))
  const store = createStore(wrap(openLmdb({ path: join(dir, 'store') })))
  const blobs = await openBlobs({ dir: join(dir, 'blobs'), clock })
  const queue = createWorkQueue({ store, clock })
  const keys = await openDkimKeys({ files: secretFolder(join(dir, 'dkim')), clock })
  await keys.generate(DOMAIN)
  const log = createLogger({ level: 'silent' })
  const accounts = createAccounts({
    store,
    clock,
    limits: {
      requestsPerMinute: 1e6,
      newRecipientsPerDay: 1e6,
      storageBytes: 1e12,
      messageBytes: 1e8,
      recipientsPerMessage: 50,
      attachmentsPerMessage: 50,
      longPollSeconds: 60,
    },
    mailbox: (id) => readMailbox(store, id),
    operator: undefined,
  })
  const account = await ensureAccount(store, null, clock.now())
  const bodies = new RecentBodies()
  const indexer = createIndexer({ store, bodies })
  const isLocalDomain = (domain: string): boolean => domain === DOMAIN
  const mailboxes = createMailboxes({
    storage: { store, blobs, queue },
    clock,
    accounts,
    suppressions: createSuppressions({ store, clock }),
    guard,
    indexer,
    bodies,
    log,
    limits: {
      storageBytes: 1e12,
      pendingStorageBytes: 1e6,
      recipientsPerMessage: 50,
      attachmentsPerMessage: 50,
      messageBytes: 25e6,
      idempotencyMs: 24 * HOUR,
    },
    composing: { parseLimits: PARSE_LIMITS, work },
    domains: { isLocal: isLocalDomain },
  })
  const ids: string[] = []
  for (let n = 0; n < mailboxCount; n++) {
    const id = newId('mbx', clock.now())
    const about = { id, address: `agent${n}@${DOMAIN}`, agentName: 'Agent', claimId: null, status: 'claimed' as const }
    await createMailbox(store, { ...about, accountId: account.id, now: clock.now() })
    ids.push(id)
  }
  return {
    store,
    queue,
    keys,
    log,
    indexer,
    mailboxes,
    isLocalDomain,
    mailboxIds: ids,
    mailboxAt: (n: number): string => ids[n % ids.length] ?? '',
    async close(): Promise<void> {
      await store.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
