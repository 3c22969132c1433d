/**
 * The proof that several daemons lose nothing: three of them on a primary and a synchronous standby, under load, while daemons are killed, stopped, cut off
 * and restarted, and standbys promoted; then what was acknowledged is held against what is there.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent, type Agent } from '../../support/agent.js'
import { randomFrom } from '../../support/random.js'
import { startHooks } from '../hooks.js'
import type { Verdict } from '../judge.js'
import { everything } from '../shown.js'
import { startWorld } from '../world.js'
import { roaming } from './callers.js'
import { check } from './check.js'
import { startPair } from './database.js'
import { breakAll, type Break, type Plan } from './faults.js'
import { startFleet } from './fleet.js'
import { startLoad } from './load.js'

export interface ProofOptions {
  plan: Plan
  seed: number
  /** True if receiving servers refuse some recipients for now, which takes minutes. */
  refusals: boolean
  /** Messages on their way at once, in each direction. */
  lines: number
  /** Ends the breaking early; what was done by then is judged all the same. */
  signal?: AbortSignal
  onBreak?: (done: Break, left: number) => void
}

const NODES = 3
const AGENTS = ['ada', 'bela', 'carla', 'dinesh']
const ENDED = new Set(['delivered', 'partially_delivered', 'bounced'])
const LOOK_MS = 500
/** Looks without news, and with no next try set for later, after which what has not arrived counts as lost. */
const MAX_QUIET_LOOKS = 400

export async function proveNodes({ plan, seed, refusals, lines, signal, onBreak }: ProofOptions): Promise<Verdict> {
  const random = randomFrom(seed)
  const world = await startWorld(randomFrom(seed + 1))
  const pair = await startPair()
  const fleet = await startFleet(pair, NODES, world.settings, { refusals, seed: seed + 10 })
  try {
    const { nodes } = fleet
    const [first] = nodes
    if (!first) throw new Error('no nodes')
    const agents: Agent[] = []
    for (const name of AGENTS) agents.push(await approvedAgent(first.daemon, `${name}.agent`))
    const anywhere = agents.map((agent) => roaming(agent, nodes, randomFrom(seed + 5)))
    const hooks = await startHooks(world.receiver, anywhere, randomFrom(seed + 4))
    const load = startLoad({ nodes, agents, random: randomFrom(seed + 2), refusals, lines })

    const breaks = await breakAll({ fleet, pair, random, plan, signal, onBreak: onBreak ?? (() => undefined) })
    await Promise.all(nodes.map(fleet.isUp))
    await pause(2_000)
    await load.stop()
    await allEnded(anywhere)
    const hooked = await hooks.settled(() => everything(anywhere))
    const shown = await everything(anywhere)
    await load.readersAt((address) => shown.find(({ agent }) => agent.address === address)?.events.at(-1)?.seq ?? 0)
    await fleet.rest()
    const { code, stdout } = await first.daemon.cli('verify')
    const verdict = check({ load, nodes, breaks, shown, hooked, received: world.receiver.received })
    const verified = code === 0 ? [] : [`restante verify: ${stdout}`]
    return { ...verdict, faults: [...verdict.faults, ...verified] }
  } finally {
    await fleet.remove()
    await pair.stop()
    await world.close()
  }
}

/** Waits until every message has a final status, or nothing has changed for a while. Each node's receiving server refuses a recipient once: three waits. */
async function allEnded(agents: Agent[]): Promise<void> {
  const shown = await everything(agents)
  let open = shown.flatMap(({ agent, messages }) => messages.map(({ id }) => ({ agent, id })))
  let before = ''
  for (let quiet = 0; open.length > 0 && quiet < MAX_QUIET_LOOKS; quiet++) {
    const now: string[] = []
    const left: typeof open = []
    let isToCome = false
    for (const one of open) {
      const { body } = await one.agent.call('GET', `/v1/messages/${one.id}`)
      if (ENDED.has(body.status)) continue
      left.push(one)
      now.push(JSON.stringify([one.id, body.recipients]))
      isToCome ||= body.recipients.some(
        ({ next_attempt_at: next }: { next_attempt_at: string | null }) =>
          next !== null && Date.parse(next) > Date.now(),
      )
    }
    if (isToCome || now.join() !== before) quiet = 0
    before = now.join()
    open = left
    await pause(LOOK_MS)
  }
}
