/** The daemons: each has two proxies to the database, a receiving server of its own, and whoever starts it again, as systemd does. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Daemon } from '../../support/daemon.js'
import { startCluster } from '../../support/nodes.js'
import { startPeer, type Peer } from '../../support/peers/peer-server.js'
import { startTcpProxy, type TcpProxy } from '../../support/peers/tcp-proxy.js'
import { randomFrom } from '../../support/random.js'
import { sinkBehaviour } from '../world.js'
import type { Pair } from './database.js'

const RESTART_MS = 1_000

export interface Node {
  /** From 0. */
  index: number
  daemon: Daemon
  /** To the servers of the database, by their places. */
  proxies: TcpProxy[]
  /** Receives what this node relays. */
  peer: Peer
  /** False while it has no process. */
  isAlive: boolean
  /** How long it stays down after its next end. */
  downMs: number
  /** How each of its processes ended without a signal of the test. */
  ownEnds: { at: number; output: string }[]
}

export interface Fleet {
  nodes: Node[]
  /** Sends a signal, waits for the end of the process. It is started again after `downMs`. */
  end(node: Node, signal: NodeJS.Signals, downMs?: number): Promise<{ code: number | null; from: number; to: number }>
  /** Resolves when the node answers. */
  isUp(node: Node): Promise<void>
  /** Ends the nodes properly, and starts none any more. */
  rest(): Promise<void>
  remove(): Promise<void>
}

export async function startFleet(
  pair: Pair,
  count: number,
  settings: Record<string, string>,
  options: { refusals: boolean; seed: number },
): Promise<Fleet> {
  const cluster = await startCluster(settings, pair.primary())
  const nodes: Node[] = []
  const ending = new Set<Node>()
  let resting = false

  async function add(index: number): Promise<Node> {
    const peer = await startPeer(sinkBehaviour(randomFrom(options.seed + index), options.refusals))
    const proxies = [await startTcpProxy(() => pair.portOf(0)), await startTcpProxy(() => pair.portOf(1))]
    const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join()
    const daemon = await cluster.add({
      'store.url': `postgres://postgres@${hosts}/postgres`,
      'relay.port': String(peer.port),
    })
    return { index, daemon, proxies, peer, isAlive: true, downMs: RESTART_MS, ownEnds: [] }
  }

  async function keep(node: Node): Promise<void> {
    for (;;) {
      await node.daemon.ended()
      node.isAlive = false
      if (!ending.has(node) && !resting)
        node.ownEnds.push({ at: Date.now(), output: node.daemon.output().slice(-2000) })
      await pause(node.downMs)
      node.downMs = RESTART_MS
      ending.delete(node)
      if (resting) return
      // One that ends while it starts is started once more.
      node.isAlive = true
      await node.daemon.start().catch(() => pause(RESTART_MS))
    }
  }

  async function isUp({ daemon }: Node): Promise<void> {
    for (;;) {
      const answer = await fetch(`${daemon.url}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
      if (answer?.ok) return
      await pause(100)
    }
  }

  for (let index = 0; index < count; index++) nodes.push(await add(index))
  const keepers = nodes.map(keep)
  return {
    nodes,
    isUp,
    async end(node, signal, downMs = RESTART_MS) {
      node.downMs = downMs
      ending.add(node)
      node.isAlive = false
      const from = Date.now()
      const code = await node.daemon.end(signal)
      return { code, from, to: Date.now() }
    },
    async rest() {
      await Promise.all(nodes.map(isUp))
      resting = true
      await Promise.all(nodes.map(({ daemon }) => daemon.end('SIGTERM')))
      await Promise.all(keepers)
    },
    async remove() {
      resting = true
      await cluster.stop()
      await Promise.all(keepers)
      for (const { peer, proxies } of nodes) {
        await peer.close()
        for (const proxy of proxies) await proxy.close()
      }
    },
  }
}
