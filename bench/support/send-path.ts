/**
 * The way of a message from `send` to the receiving server's 250, in one process: the parts of the daemon that it meets, over a real store
 * whose commits are counted. Only the receiving server, Postfix's `smtp-sink`, is elsewhere.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSuppressions } from '../../src/accounts/suppressions.js'
import { createAccounts } from '../../src/accounts/accounts.js'
import { ensureAccount } from '../../src/accounts/record.js'
import { openDkimKeys } from '../../src/authentication/keys.js'
import { createSigner } from '../../src/authentication/sign.js'
import { createResolver } from '../../src/dns/resolver.js'
import { createGuard } from '../../src/guard/verdict/guard.js'
import { HOUR, systemClock as clock } from '../../src/lib/clock.js'
import { startIndexing } from '../../src/jobs/indexing.js'
import { newId } from '../../src/lib/ids.js'
import { createIndexer } from '../../src/mailbox/search/indexer.js'
import { createMailboxes } from '../../src/mailbox/composition/mailboxes.js'
import { createMailbox, readMailbox } from '../../src/mailbox/record.js'
import type { CheckTask } from '../../src/mailbox/tasks.js'
import type { SendRequest } from '../../src/mailbox/sending/requests.js'
import { createLogger } from '../../src/observe/log.js'
import { relayDeps } from '../../test/support/relay.js'
import { Relay } from '../../src/relay/delivery/relay.js'
import { scannerOff } from '../../src/scan/no-scanner.js'
import { openBlobs } from '../../src/store/blobs/blobs.js'
import type { Engine } from '../../src/store/engine.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import { createWorkQueue } from '../../src/queue/queue.js'

export interface Written {
  commits: number
  /** Keys put or deleted. */
  rows: number
  /** Of keys and values. */
  bytes: number
}

export interface SendPath {
  /** Accepts a message in one of the mailboxes. */
  send(n: number, request: SendRequest): Promise<void>
  /** By kind of partition, such as `mailbox` and `work/relay`. */
  written: Map<string, Written>
  /** Recipients whose attempt was written down. */
  recorded(): number
  close(): Promise<void>
}

const DOMAIN = 'agents.example'

/** @param sinkPort of a server on the loopback address that takes everything */
export async function startSendPath(sinkPort: number, mailboxCount = 10): Promise<SendPath> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  const written = new Map<string, Written>()
  const store = createStore(counting(openLmdb({ path: join(dir, 'store') }), written))
  const blobs = await openBlobs({ dir: join(dir, 'blobs'), clock })
  const queue = createWorkQueue({ store, clock })
  const keys = await openDkimKeys({ dir: join(dir, 'dkim'), clock })
  await keys.generate(DOMAIN)
  const log = createLogger({ level: 'silent' })
  const resolver = createResolver({ servers: ['127.0.0.1:9'], clock })
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
  const indexer = createIndexer({ store })
  const parseLimits = { maxHeaderBytes: 262_144, maxParts: 1000, maxDepth: 30 }
  const isLocalDomain = (domain: string): boolean => domain === DOMAIN
  const mailboxes = createMailboxes({
    storage: { store, blobs, queue },
    clock,
    accounts,
    suppressions: createSuppressions({ store, clock }),
    guard: createGuard(),
    indexer,
    log,
    limits: {
      storageBytes: 1e12,
      pendingStorageBytes: 1e6,
      recipientsPerMessage: 50,
      attachmentsPerMessage: 50,
      messageBytes: 25e6,
      idempotencyMs: 24 * HOUR,
    },
    composing: { parseLimits },
    domains: { isLocal: isLocalDomain },
  })
  const ids: string[] = []
  for (let n = 0; n < mailboxCount; n++) {
    const id = newId('mbx', clock.now())
    const address = `agent${n}@${DOMAIN}`
    const now = clock.now()
    await createMailbox(store, {
      id,
      address,
      agentName: 'Agent',
      claimId: null,
      status: 'claimed',
      accountId: account.id,
      now,
    })
    ids.push(id)
  }
  const checks = queue.run<CheckTask>(
    'check',
    async ({ payload }) => {
      await mailboxes.outbound.runCheck(payload.mailbox_id, payload.message_id)
      return { done: true }
    },
    { concurrency: 16, onError: fail },
  )
  const indexing = startIndexing({ store, indexer, concurrency: 2, onError: fail })
  let recorded = 0
  const relay = new Relay(
    relayDeps({
      queue,
      mailboxes: {
        ...mailboxes,
        outbound: {
          ...mailboxes.outbound,
          async recordAttempt(mailboxId, messageId, results, how) {
            const message = await mailboxes.outbound.recordAttempt(mailboxId, messageId, results, how)
            recorded += results.filter(({ status }) => status === 'delivered').length
            return message
          },
        },
      },
      resolver,
      signer: createSigner(keys),
      scanner: scannerOff,
      scanOnError: 'defer',
      parseLimits,
      hostname: `mx.${DOMAIN}`,
      isLocalDomain,
      outbound: true,
      smarthost: { host: '127.0.0.1', port: sinkPort },
      port: sinkPort,
      allowPrivateAddresses: true,
      concurrency: 20,
      perDestination: 20,
      timeouts: { connectMs: 30_000, responseMs: 300_000 },
      clock,
      log,
    }),
  )
  return {
    written,
    recorded: () => recorded,
    async send(n, request) {
      const id = ids[n % ids.length]
      if (id !== undefined) await mailboxes.sending.send(id, request, {})
    },
    async close() {
      await checks.stop()
      await relay.stop()
      await indexing.stop()
      resolver.close()
      await store.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function fail(error: unknown): void {
  process.exitCode = 1
  console.error(error)
}

function counting(engine: Engine, written: Map<string, Written>): Engine {
  return {
    ...engine,
    async commit(checks, ops, mark) {
      const done = await engine.commit(checks, ops, mark)
      if (done === 'conflict') return done
      const seen = new Set<string>()
      for (const { partition, key, value } of ops) {
        const kind = /^work\/[a-z]+|^[a-z]+/.exec(partition)?.[0] ?? partition
        const sum = written.get(kind) ?? { commits: 0, rows: 0, bytes: 0 }
        written.set(kind, sum)
        if (!seen.has(kind)) sum.commits++
        seen.add(kind)
        sum.rows++
        sum.bytes += key.length + (value?.length ?? 0)
      }
      return done
    },
  }
}
