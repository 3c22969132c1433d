/** What is done to the nodes and the database, one after the other, in an order that the seed decides. */
import { setTimeout as pause } from 'node:timers/promises'
import { below, pick, type Random } from '../../support/random.js'
import type { Pair } from './database.js'
import type { Fleet, Node } from './fleet.js'

/** Something that may come between another server's 250 and its record. */
export interface Break {
  kind: 'kill' | 'promotion' | 'cut' | 'stop' | 'roll'
  /** Index of the node; undefined for all. */
  node?: number
  /** Milliseconds since the epoch. */
  from: number
  to: number
}

export interface Plan {
  kills: number
  promotions: number
  /** Connections of one node that are held, and later let go. */
  cuts: number
  cutMs: number
  stops: number
  stopMs: number
  rolls: number
  /** Times that all nodes but one are killed, and stay away until that one knows that it is alone. */
  lonely: number
}

/** Longest pause between two of them. */
const PAUSE_MS = 6_000
/** Longer than others wait for a sign of life. */
const LONG_DOWN_MS = 13_000
const LOAD_MS = 2_000

export interface FaultOptions {
  fleet: Fleet
  pair: Pair
  random: Random
  plan: Plan
  signal?: AbortSignal | undefined
  onBreak: (done: Break, left: number) => void
}

export async function breakAll({ fleet, pair, random, plan, signal, onBreak }: FaultOptions): Promise<Break[]> {
  const breaks: Break[] = []
  const { nodes } = fleet
  const note = (one: Break): void => void breaks.push(one)

  /** Also of one that starts. */
  async function kill(): Promise<void> {
    let alive = nodes
    while ((alive = nodes.filter(({ isAlive }) => isAlive)).length === 0) await pause(100)
    const node = pick(random, alive)
    const downMs = random() < 0.2 ? LONG_DOWN_MS : undefined
    const { from, to } = await fleet.end(node, 'SIGKILL', downMs)
    note({ kind: 'kill', node: node.index, from, to })
  }

  /** The primary is lost, or only its address is taken away from it; a daemon may be lost with it. */
  async function promotion(): Promise<void> {
    await Promise.all(nodes.map(fleet.isUp))
    const old = pair.place()
    const from = Date.now()
    const refuse = (isOn: boolean): void => nodes.forEach(({ proxies }) => proxies[old]?.refuse(isOn))
    if (random() < 0.5) await pair.primary().kill()
    else refuse(true)
    await pause(random() * 2_000)
    if (random() < 0.3) await kill()
    await pair.promote()
    note({ kind: 'promotion', from, to: Date.now() })
    await pause(LOAD_MS)
    await pair.renew()
    refuse(false)
  }

  async function cut(): Promise<void> {
    const node = pick(random, nodes)
    const from = Date.now()
    const isHeld = random() < 0.5
    const letGo = node.proxies.map((proxy) => (isHeld ? proxy.hold() : refused(proxy)))
    await pause(plan.cutMs)
    for (const free of letGo) free()
    note({ kind: 'cut', node: node.index, from, to: Date.now() })
  }

  async function stop(): Promise<void> {
    const node = pick(random, nodes)
    await fleet.isUp(node)
    const pid = node.daemon.pid()
    const from = Date.now()
    process.kill(pid, 'SIGSTOP')
    await pause(plan.stopMs)
    process.kill(pid, 'SIGCONT')
    note({ kind: 'stop', node: node.index, from, to: Date.now() })
  }

  /** One after the other ends properly, as in an upgrade. */
  async function roll(): Promise<void> {
    for (const node of nodes) {
      await Promise.all(nodes.map(fleet.isUp))
      const { code, from, to } = await fleet.end(node, 'SIGTERM')
      if (code !== 0) throw new Error(`node${node.index + 1} ended with ${code}:\n${node.daemon.output()}`)
      note({ kind: 'roll', node: node.index, from, to })
    }
  }

  async function leaveOne(): Promise<void> {
    const last = pick(random, nodes)
    await fleet.isUp(last)
    await Promise.all(
      nodes.map(async (node) => {
        if (node === last) return
        const { from, to } = await fleet.end(node, 'SIGKILL', LONG_DOWN_MS)
        note({ kind: 'kill', node: node.index, from, to })
      }),
    )
    await pause(LONG_DOWN_MS)
  }

  const wanted = shuffled(random, [
    ...many(plan.kills, kill),
    ...many(plan.promotions, promotion),
    ...many(plan.cuts, cut),
    ...many(plan.stops, stop),
    ...many(plan.rolls, roll),
    ...many(plan.lonely, leaveOne),
  ])
  for (const [i, each] of wanted.entries()) {
    if (signal?.aborted) break
    await pause(500 + below(random, PAUSE_MS))
    await each()
    const done = breaks.at(-1)
    if (done) onBreak(done, wanted.length - i - 1)
  }
  return breaks
}

const many = (count: number, one: () => Promise<void>): (() => Promise<void>)[] =>
  Array.from({ length: count }, () => one)

function refused(proxy: Node['proxies'][number]): () => void {
  proxy.refuse(true)
  return () => proxy.refuse(false)
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
