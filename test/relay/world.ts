/** A relay over the real work queue, with mailboxes that are plain objects, a zone of the test and peers on the loopback address. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createResolver } from '../../src/dns/resolver.js'
import { ManualClock, systemClock, timestamp } from '../../src/lib/clock.js'
import type { Message, Recipient } from '../../src/mailbox/objects/objects.js'
import type { RelayTask } from '../../src/mailbox/tasks.js'
import type { Delivery } from '../../src/mailbox/delivery/deliver.js'
import type { OutboundMessage, RecipientResult } from '../../src/mailbox/sending/outbound-mail.js'
import { Relay } from '../../src/relay/delivery/relay.js'
import { relayDeps, type RelaySettings } from '../support/relay.js'
import { createStore } from '../../src/store/store.js'
import type { WorkQueue } from '../../src/queue/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { startDnsServer, type DnsServer } from '../support/peers/dns-server.js'
import { captureLog } from '../support/log.js'
import { mailboxRecord } from '../support/store/mailbox-record.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { tasksIn } from '../support/store/tasks.js'

export const RAW = 'From: alice@agents.test\r\nTo: you\r\nSubject: hello\r\n\r\nGood morning.\r\n.leading dot\r\n'

export interface World {
  queue: WorkQueue
  clock: ManualClock
  dns: DnsServer
  delivered: Delivery[]
  log: Record<string, unknown>[]
  /** Everything that was written down, in order. */
  results: RecipientResult[]
  /** Mail to the senders that was written down with attempts. */
  notices: string[]
  /** Messages that were said to be `sending`. */
  begun: string[]
  /** Messages that another process has cancelled. */
  cancelled: Set<string>
  /** Resolves with the next of them. */
  told(): Promise<string>
  /** Called before an attempt is written down. */
  onRecord: () => Promise<void>
  /** Stores a message to these recipients and queues its tasks. */
  send(id: string, to: string[], raw?: string | Buffer, more?: Partial<Message>): Promise<void>
  /** Takes a message away, as if it had never been stored. */
  forget(id: string): void
  recipient(id: string, address: string): Recipient
  /** Resolves when the recipient has made so many attempts, or has ended. */
  settled(id: string, address: string, attempts?: number): Promise<Recipient>
  /** Resolves with the recipient as soon as it is as it should be; looked at after all that is written down. */
  until(id: string, address: string, isSo: (recipient: Recipient) => boolean): Promise<Recipient>
  /** Moves the clock and has the queue look. */
  advance(ms: number): void
  relay: Relay
  restart(change?: Partial<RelaySettings>): Promise<void>
  /** Resolves when nobody works on a task and none is due. @returns when the next one is */
  calm(): Promise<number>
  close(): Promise<void>
}

export async function startWorld(port: number, change: Partial<RelaySettings> = {}): Promise<World> {
  const clock = new ManualClock()
  const dns = await startDnsServer({ 'mx.peer.test': { A: ['127.0.0.1'] } })
  for (const domain of ['peer.test', 'other.test']) dns.set(domain, 'MX', [{ priority: 10, exchange: 'mx.peer.test' }])
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  const store = createStore(memoryEngine())
  const queue = createWorkQueue({ store, clock })
  const messages = new Map<string, OutboundMessage>()
  const { log, lines } = captureLog()
  const watchers = new Set<() => void>()
  const tellers: ((id: string) => void)[] = []

  const find = (id: string, address: string): Recipient => {
    const recipient = messages.get(id)?.message.recipients.find((one) => one.address === address)
    if (!recipient) throw new Error(`${id} has no recipient ${address}`)
    return recipient
  }
  const deps: RelaySettings = {
    queue,
    mailboxes: {
      directory: {
        async resolveFor(address) {
          const name = address.split('@')[0] ?? ''
          if (name === 'nobody') return undefined
          return { mailbox: mailboxRecord({ id: `mbx_${name.split('+')[0]}` }), admission: 'usual' }
        },
        hasRoom: () => true,
      },
      delivery: {
        prepare: async (delivery) => ({
          mailboxId: delivery.mailboxId,
          async store() {
            world.delivered.push(delivery)
            return {} as Message
          },
        }),
      },
      outbound: {
        beginDelivery: async () => () => undefined,
        message: async (_mailboxId, id) => {
          const found = messages.get(id)
          // Cloned with the message the Buffer would be one no more.
          if (found?.message.recipients.every(({ status }) => status === 'delivered' || status === 'bounced'))
            return undefined
          return found && { ...found, message: structuredClone(found.message) }
        },
        async startSending(_mailboxId, id) {
          world.begun.push(id)
          for (const tell of tellers.splice(0)) tell(id)
          return !world.cancelled.has(id)
        },
        async recordAttempt(_mailboxId, id, results, { untried = false, notice, deliveries = [], follow } = {}) {
          await world.onRecord()
          await store.write('mailbox/mbx_alice', async (tx) => {
            for (const { delivery } of deliveries) await delivery.store(tx)
            follow?.(tx)
          })
          const told = messages.get(id)
          if (notice) world.notices.push(notice.raw.toString())
          if (notice && told) told.toldOfDelay = [...(told.toldOfDelay ?? []), ...notice.delayed]
          for (const { address, status, smtpCode, detail, nextAttemptAt } of results) {
            const recipient = find(id, address)
            world.results.push({ address, status, smtpCode, detail, nextAttemptAt })
            const next = nextAttemptAt === null ? null : timestamp(nextAttemptAt)
            const at = timestamp(clock.now())
            Object.assign(recipient, { status, smtp_code: smtpCode, detail, next_attempt_at: next, at })
            if (!untried) recipient.attempts++
          }
          for (const look of watchers) look()
          return messages.get(id)?.message as Message
        },
      },
    },
    resolver,
    signer: { sign: async (raw, domain) => Buffer.concat([Buffer.from(`DKIM-Signature: d=${domain}\r\n`), raw]) },
    scanner: { enabled: false, scan: async () => ({ virus: 'unscanned', reason: 'off' }) },
    scanOnError: 'defer',
    parseLimits: { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 },
    hostname: 'mx.agents.test',
    isLocalDomain: (domain) => domain === 'agents.test',
    outbound: true,
    port,
    allowPrivateAddresses: true,
    concurrency: 20,
    perDestination: 5,
    timeouts: { connectMs: 2000, responseMs: 5000 },
    stopGraceMs: 2000,
    jitter: () => 0,
    clock,
    log,
    ...change,
  }
  const world: World = {
    queue,
    clock,
    dns,
    delivered: [],
    log: lines,
    results: [],
    notices: [],
    begun: [],
    cancelled: new Set(),
    told: () => new Promise((resolve) => tellers.push(resolve)),
    onRecord: async () => undefined,
    async send(id, to, raw = RAW, more = {}) {
      const recipients = to.map((address): Recipient => {
        const at = timestamp(clock.now())
        return { address, status: 'queued', smtp_code: null, detail: null, attempts: 0, next_attempt_at: null, at }
      })
      const from = { address: 'alice@agents.test', name: '' }
      messages.set(id, {
        accountId: null,
        message: {
          id,
          from,
          recipients,
          message_id: `${id}@agents.test`,
          created_at: timestamp(clock.now()),
          ...more,
        } as Message,
        raw: typeof raw === 'string' ? Buffer.from(raw) : raw,
      })
      for (const domain of new Set(to.map((address) => address.slice(address.lastIndexOf('@') + 1)))) {
        const payload: RelayTask = { mailbox_id: 'mbx_alice', message_id: id, domain }
        await queue.enqueue('relay', { id: `${id}:${domain}`, payload, due: clock.now() })
      }
    },
    forget: (id) => void messages.delete(id),
    recipient: find,
    settled: (id, address, attempts = 1) =>
      world.until(
        id,
        address,
        (recipient) =>
          recipient.attempts >= attempts || recipient.status === 'delivered' || recipient.status === 'bounced',
      ),
    until: (id, address, isSo) =>
      new Promise((resolve) => {
        const look = (): void => {
          const recipient = find(id, address)
          if (!isSo(recipient)) return
          watchers.delete(look)
          resolve({ ...recipient })
        }
        watchers.add(look)
        look()
      }),
    advance(ms) {
      clock.advance(ms)
      queue.poke()
    },
    relay: new Relay(relayDeps(deps)),
    async restart(again = {}) {
      await world.relay.stop()
      world.relay = new Relay(relayDeps({ ...deps, ...again }))
    },
    async calm() {
      for (;;) {
        const tasks = await tasksIn(queue, 'relay', 1000)
        if (tasks.every(({ leased, due }) => !leased && due > clock.now()))
          return Math.min(...tasks.map(({ due }) => due))
        await nextTurn()
      }
    },
    async close() {
      await world.relay.stop()
      resolver.close()
      await dns.close()
      await store.close()
    },
  }
  return world
}
