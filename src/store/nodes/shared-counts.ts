/**
 * Counts of limits on abuse, shared by the daemons on one store: each counts in memory, tells the others once a second what it has counted since, and adds
 * what they tell. So a limit of one client holds for all daemons together, up to what is counted within about a second.
 *
 * `cluster/rates/<node>`: `counts` · number → what that node counted, the last few. A daemon without peers neither collects, nor reads, nor writes.
 */
import { MINUTE, SECOND, type Clock } from '../../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from '../keys.js'
import type { Nodes } from './nodes.js'
import type { Store } from '../types.js'

/** Adds a count under a name: negative to take back. */
type Add = (name: string, count: number) => void

export interface SharedCounts {
  /**
   * @param counter its name, the same on each node
   * @param take adds what another node has counted
   * @returns tells the others what this node has counted; at once, and without a promise
   */
  join(counter: string, take: Add): Add
}

/** Of one daemon alone. */
export const NOT_SHARED: SharedCounts = { join: () => () => undefined }

export interface SharedCountsDeps {
  store: Pick<Store, 'read' | 'write' | 'versions' | 'partitions'>
  nodes: Nodes
  clock: Clock
  onError: (error: unknown) => void
  /** For tests: calls back each second, and returns a function that stops it. */
  every?: (work: () => void) => () => void
}

const PREFIX = 'cluster/rates/'
const partitionOf = (node: string): string => PREFIX + node
const rowKey = (number: number): Uint8Array => key('counts', number)

/** Names told at a time, those with the highest counts: some 40 KB. The others wait, with what comes on top. */
const MAX_TOLD = 1000
/** Names that wait to be told; further ones are not counted for the others. */
const MAX_COLLECTED = 10_000
/** Rows of a node; enough for a reader that pauses for some seconds. */
const ROWS = 10
/** Rows of a node that has gone are removed after this time. */
const GONE_MS = MINUTE
const MAX_NODES = 1000

type Told = [counter: string, name: string, count: number][]

export function startSharedCounts(deps: SharedCountsDeps): SharedCounts & {
  /** Tells and takes now. Never rejects. For tests */
  exchange(): Promise<void>
  stop(): Promise<void>
} {
  const { store, nodes, clock, onError, every = everySecond } = deps
  const takers = new Map<string, Add>()
  let collected = new Map<string, [counter: string, name: string, count: number]>()
  /** Numbers of own rows, the oldest first. They are times, so that they grow over restarts. */
  let own: number[] = []
  /** Version and newest number by peer. */
  const seen = new Map<string, { version: bigint; number: number }>()
  let isSwept = false
  let running: Promise<void> | undefined

  function note(counter: string, name: string, count: number): void {
    if (nodes.peers().length === 0) return
    const id = `${counter} ${name}`
    const known = collected.get(id)
    if (known) known[2] += count
    else if (collected.size < MAX_COLLECTED) collected.set(id, [counter, name, count])
  }

  async function tell(): Promise<void> {
    const waiting = [...collected].filter(([, [, , count]]) => count !== 0)
    if (waiting.length > MAX_TOLD) waiting.sort(([, [, , a]], [, [, , b]]) => b - a)
    const told = waiting.slice(0, MAX_TOLD)
    collected = new Map(waiting.slice(MAX_TOLD))
    if (told.length === 0) return
    const number = Math.max(clock.now(), (own.at(-1) ?? 0) + 1)
    const old = own.slice(0, Math.max(0, own.length + 1 - ROWS))
    try {
      await store.write(partitionOf(nodes.id), (tx) => {
        tx.put(rowKey(number), encode(told.map(([, one]) => one) satisfies Told))
        for (const each of old) tx.delete(rowKey(each))
      })
      own = [...own.slice(old.length), number]
    } catch (error) {
      for (const [, [counter, name, count]] of told) note(counter, name, count)
      throw error
    }
  }

  async function take(): Promise<void> {
    const peers = nodes.peers()
    for (const id of seen.keys()) if (!peers.includes(id)) seen.delete(id)
    const versions = await store.versions(peers.map(partitionOf))
    for (const [i, peer] of peers.entries()) {
      const version = versions[i] ?? 0n
      const before = seen.get(peer)
      if (version === 0n || before?.version === version) continue
      const { lt } = prefixRange('counts')
      const rows = await store.read(partitionOf(peer), (view) =>
        view.range({ gte: rowKey((before?.number ?? 0) + 1), lt, limit: ROWS }),
      )
      for (const [, value] of rows)
        for (const [counter, name, count] of decode<Told>(value)) takers.get(counter)?.(name, count)
      const last = rows.at(-1)
      seen.set(peer, { version, number: last ? Number(keyParts(last[0])[1]) : (before?.number ?? 0) })
    }
  }

  /** Once, when there are others. */
  async function sweepGone(): Promise<void> {
    const known = new Set([nodes.id, ...nodes.peers()])
    for (const partition of await store.partitions(PREFIX, MAX_NODES)) {
      if (!partition.startsWith(PREFIX)) break
      if (known.has(partition.slice(PREFIX.length))) continue
      await store.write(partition, async (tx) => {
        const rows = await tx.range({ ...prefixRange('counts'), limit: 2 * ROWS })
        const [newest = 0] = rows.map(([row]) => Number(keyParts(row)[1])).reverse()
        if (newest < clock.now() - GONE_MS) for (const [row] of rows) tx.delete(row)
      })
    }
  }

  async function exchangeNow(): Promise<void> {
    if (nodes.peers().length === 0) {
      collected.clear()
      return
    }
    try {
      await tell()
      await take()
      if (!isSwept) await sweepGone()
      isSwept = true
    } catch (error) {
      onError(error)
    }
  }

  const exchange = (): Promise<void> => (running ??= exchangeNow().finally(() => (running = undefined)))
  const end = every(() => void exchange())

  return {
    join(counter, taker) {
      if (takers.has(counter)) throw new Error(`${counter} has joined already`)
      takers.set(counter, taker)
      return (name, count) => note(counter, name, count)
    },
    exchange,
    async stop() {
      end()
      await running
      if (own.length === 0) return
      await store
        .write(partitionOf(nodes.id), (tx) => own.forEach((number) => tx.delete(rowKey(number))))
        .catch(onError)
    },
  }
}

function everySecond(work: () => void): () => void {
  const timer = setInterval(work, SECOND).unref()
  return () => clearInterval(timer)
}
