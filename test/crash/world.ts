/** What the crash run's daemon lives in: name servers for three domains, and one receiving server behind all of them. */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/lib/clock.js'
import type { CheckTask } from '../../src/mailbox/tasks.js'
import type { WorkQueue } from '../../src/queue/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import type { Daemon } from '../support/daemon.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { startPeer, type Peer, type PeerBehaviour } from '../support/peers/peer-server.js'
import { below, type Random } from '../support/random.js'
import { startReceiver, type Receiver } from '../support/peers/webhook-receiver.js'

export const DOMAINS = ['one.example', 'two.example', 'three.example'] as const

export interface World {
  sink: Peer
  /** Of webhooks. */
  receiver: Receiver
  /** For `startDaemon`. */
  settings: Record<string, string>
  close(): Promise<void>
}

/**
 * The receiving server: mostly quick, sometimes slow; `later-…` is refused once with a 4xx, `nobody-…` always with a 5xx.
 *
 * @param refusals false for one that refuses none of the rest for now
 */
export function sinkBehaviour(random: Random, refusals = true): PeerBehaviour {
  const refusedOnce = new Set<string>()
  return {
    rcpt: (address) => {
      if (address.startsWith('nobody-')) return '550 5.1.1 no such user'
      if (!address.startsWith('later-') || refusedOnce.has(address)) return undefined
      refusedOnce.add(address)
      return '451 4.2.1 not now'
    },
    data: () => (refusals && random() < 0.02 ? '452 4.3.1 no room just now' : undefined),
    hold: () => pause(random() < 0.1 ? 100 + below(random, 500) : below(random, 15)),
  }
}

export async function startWorld(random: Random): Promise<World> {
  const sink = await startPeer(sinkBehaviour(random))
  const receiver = await startReceiver()
  const zones = DOMAINS.map(
    (domain) =>
      [domain, { MX: [{ priority: 10, exchange: `mx.${domain}` }], TXT: ['v=spf1 ip4:127.0.0.1 -all'] }] as const,
  )
  const hosts = DOMAINS.map((domain) => [`mx.${domain}`, { A: ['127.0.0.1'] }] as const)
  const dns = await startDnsServer(Object.fromEntries<object>([...zones, ...hosts]))
  return {
    sink,
    receiver,
    settings: {
      'webhooks.allow_http': 'true',
      'webhooks.allow_private_addresses': 'true',
      'webhooks.ports': String(receiver.port),
      'server.dns': dns.address,
      'relay.port': String(sink.port),
      'relay.allow_private_addresses': 'true',
      'limits.new_recipients_per_day': '1000000',
      'limits.requests_per_minute': '1000000',
      'limits.account_requests_per_minute': '1000000',
      'smtp.connections_per_minute': '100000',
      'smtp.connections_per_minute_per_network': '100000',
      'smtp.messages_per_minute': '100000',
      'smtp.messages_per_minute_per_network': '100000',
    },
    async close() {
      receiver.close()
      await sink.close()
      await dns.close()
    },
  }
}

/** The daemon's work queue, opened beside it or in its place, as an operator's tool would. */
async function withQueue<T>(daemon: Daemon, use: (queue: WorkQueue) => Promise<T>): Promise<T> {
  const store = await daemon.openStore()
  try {
    return await use(createWorkQueue({ store, clock: systemClock }))
  } finally {
    await store.close()
  }
}

/** What waits for its next attempt needs not wait any longer. */
export async function retryNow(daemon: Daemon): Promise<void> {
  await withQueue(daemon, async (queue) => {
    for await (const { id } of queue.all('relay')) await queue.reschedule('relay', id, systemClock.now())
  })
}

/**
 * Tasks that are left in the queue; `soon` of them are at work or will be within seconds.
 *
 * @param messages whose tasks count; all when not given
 */
export async function left(daemon: Daemon, messages?: Set<string>): Promise<{ all: number; soon: number }> {
  return withQueue(daemon, async (queue) => {
    const tasks = []
    for (const kind of ['check', 'relay']) {
      for await (const task of queue.all<CheckTask>(kind)) {
        if (messages?.has(task.payload.message_id) ?? true) tasks.push(task)
      }
    }
    const soon = tasks.filter(({ leased, due }) => leased || due < systemClock.now() + 6000)
    return { all: tasks.length, soon: soon.length }
  })
}
