/**
 * Tells the other processes which partitions moved, and hears theirs: by NOTIFY on a direct connection of its own, after the commits, since within
 * them it would make them wait for each other. Many commits are one notification.
 * Whether it hears is proved by probes, which are sent as commits are, on a connection of the pool. One that does not come back: the server has no
 * NOTIFY, a proxy in between passes none (pgbouncer in transaction mode), or the pool has gone on to another primary.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { CommitListener } from '../../commit-listeners.js'
import type { Hearing } from '../../engine.js'
import { UnreachableStoreError } from '../../errors.js'
import { readNotification, writeMissed, writeMoved, writeProbe } from './postgres-notifications.js'
import type { Link, Server, Statement } from './postgres-link.js'
import { findPrimary, type Pool } from './postgres-pool.js'

const CHANNEL = 'restante'
const LISTEN = `listen ${CHANNEL}`
const NOTIFY = 'select pg_notify($1, payload) from unnest($2::text[]) payload'

/** Commits within it share a notification, except for the first. */
const GATHER_MS = 10
const PROBE_MS = 5_000
/** Pause before a lost connection is replaced. */
const RETRY_MS = 500
/** Max partitions told one by one; past it the others are told to look. */
const MAX_PENDING = 4_096

export interface PostgresChannelDeps {
  target: Server
  pool: Pick<Pool, 'use'>
  /** Called for commits of other processes. */
  onCommit: CommitListener
  /** Time between probes, of which one that does not return makes a new connection. */
  probeMs?: number
}

/** It connects when something is told, or somebody asks whether it hears. */
export class PostgresChannel {
  readonly #deps: PostgresChannelDeps
  readonly #id = randomUUID()
  #isClosed = false
  #running: Promise<void> | undefined
  #endPause: () => void = () => undefined

  /** The connection, where the server takes notifications. */
  #link: Link | undefined
  #sending: Promise<void> | undefined
  #pending = new Map<string, bigint>()
  /** True if commits were not told and are not pending. */
  #hasMissed = false

  #probe = 0
  #returned = 0
  #isHearing = false
  /** Since when nothing can have been missed while it hears, by `performance.now()`. */
  #wholeSince = 0

  constructor(deps: PostgresChannelDeps) {
    this.#deps = deps
  }

  /** Tells the other processes of a commit, soon. */
  tell(partition: string, version: bigint): void {
    if (version > (this.#pending.get(partition) ?? 0n)) this.#pending.set(partition, version)
    if (this.#pending.size > MAX_PENDING) this.#drop()
    this.#start()
    this.#send()
  }

  /** Has everybody look, this process included: a commit happened that was not told. */
  miss(): void {
    this.#wholeSince = performance.now()
    this.#hasMissed = true
    this.#start()
    this.#send()
  }

  hearing(): Hearing {
    this.#start()
    return this.#isHearing ? { state: 'heard', sinceMs: this.#wholeSince } : { state: 'unheard' }
  }

  /** Tells what is pending, if there is a server, and closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#endPause()
    await this.#running
  }

  /** Ends early when the connection does, or the channel is closed. */
  async #pause(ms: number): Promise<void> {
    if (this.#isClosed) return
    const ended = new Promise<void>((resolve) => (this.#endPause = resolve))
    await Promise.race([pause(ms, undefined, { ref: false }), ended])
  }

  #start(): void {
    if (!this.#isClosed) this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    do {
      try {
        await this.#serve(await findPrimary(this.#deps.target, performance.now()))
      } catch (error) {
        if (!(error instanceof UnreachableStoreError)) throw error
      }
      await this.#pause(RETRY_MS)
    } while (!this.#isClosed)
  }

  async #serve(link: Link): Promise<void> {
    link.onNotification((payload) => this.#take(payload))
    void link.ended.then(() => this.#endPause())
    const [listening] = await link.send([{ text: LISTEN }])
    this.#wholeSince = performance.now()
    const hasChannels = !(listening instanceof Error)
    if (hasChannels) {
      this.#link = link
      this.#send()
    }
    while (link.isUsable && !this.#isClosed) {
      if (hasChannels) void this.#sendProbe()
      await this.#pause(this.#deps.probeMs ?? PROBE_MS)
      if (this.#isHearing && this.#returned < this.#probe) break
    }
    this.#isHearing = false
    if (this.#isClosed) await this.#sending
    this.#link = undefined
    if (this.#isClosed) await link.end()
    else link.discard()
  }

  async #sendProbe(): Promise<void> {
    const probe = notify([writeProbe(this.#id, ++this.#probe)])
    try {
      await this.#deps.pool.use(async (link) => link.push(probe))
    } catch (error) {
      // Then it does not return.
      if (!(error instanceof UnreachableStoreError)) throw error
    }
  }

  #take(payload: string): void {
    const notification = readNotification(payload)
    if (notification?.kind === 'probe') {
      if (notification.from !== this.#id) return
      this.#returned = notification.number
      this.#isHearing = true
    } else if (notification?.from !== this.#id) {
      if (notification?.kind === 'moved') for (const moved of notification.versions) this.#deps.onCommit(...moved)
      // Or it was written by another version of the program.
      else this.#wholeSince = performance.now()
    }
  }

  #drop(): void {
    this.#pending.clear()
    this.#hasMissed = true
  }

  #send(): void {
    const link = this.#link
    if (link) this.#sending ??= this.#sendAll(link)
  }

  async #sendAll(link: Link): Promise<void> {
    await nextTurn()
    while (link.isUsable && (this.#hasMissed || this.#pending.size > 0)) {
      const payloads = writeMoved(this.#id, this.#pending)
      if (this.#hasMissed) payloads.push(writeMissed(this.#id))
      this.#pending.clear()
      this.#hasMissed = false
      const [answer] = await link.send([notify(payloads)])
      if (answer instanceof Error) {
        this.#drop()
        link.discard()
      } else await pause(GATHER_MS)
    }
    this.#sending = undefined
  }
}

function notify(payloads: string[]): Statement {
  return { text: NOTIFY, values: [CHANNEL, payloads] }
}
