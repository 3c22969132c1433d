/**
 * The way of a message from `send` to the receiving server's 250, in one process: the parts of the daemon that it meets, over a real store
 * whose commits are counted. Only the receiving server, Postfix's `smtp-sink`, is elsewhere.
 */
import { createSigner } from '../../src/authentication/sign.js'
import { ownAll } from '../../src/cluster/alone.js'
import { createResolver } from '../../src/dns/resolver.js'
import { systemClock as clock } from '../../src/lib/clock.js'
import { startIndexing } from '../../src/jobs/indexing.js'
import type { CheckTask } from '../../src/mailbox/tasks.js'
import type { SendRequest } from '../../src/mailbox/sending/requests.js'
import { relayDeps } from '../../test/support/relay.js'
import { Relay } from '../../src/relay/delivery/relay.js'
import { scannerOff } from '../../src/scan/no-scanner.js'
import type { Engine } from '../../src/store/engine.js'
import { DOMAIN, openMailParts, PARSE_LIMITS } from './mail-parts.js'

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

/** @param sinkPort of a server on the loopback address that takes everything */
export async function startSendPath(sinkPort: number, mailboxCount = 10): Promise<SendPath> {
  const written = new Map<string, Written>()
  const parts = await openMailParts({ mailboxCount, wrap: (engine) => counting(engine, written) })
  const { store, queue, keys, log, indexer, mailboxes, isLocalDomain } = parts
  const resolver = createResolver({ servers: ['127.0.0.1:9'], clock })
  const checks = queue.run<CheckTask>(
    'check',
    async ({ payload }) => {
      await mailboxes.outbound.runCheck(payload.mailbox_id, payload.message_id)
      return { done: true }
    },
    { concurrency: 16, onError: fail },
  )
  const indexing = startIndexing({ store, shards: ownAll(), indexer, concurrency: 2, onError: fail })
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
      parseLimits: PARSE_LIMITS,
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
      await mailboxes.sending.send(parts.mailboxAt(n), request, {})
    },
    async close() {
      await checks.stop()
      await relay.stop()
      await indexing.stop()
      resolver.close()
      await parts.close()
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
