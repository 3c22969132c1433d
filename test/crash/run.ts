/**
 * The crash run: a daemon under load (the API, mail in and out, claims, webhooks) is killed again and again, at random moments, those of its start included; then all mail is let out,
 * and what agents were told is held against what the receiving server has.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent, type Agent } from '../support/agent.js'
import { startDaemon, type Daemon } from '../support/daemon.js'
import { below, randomFrom } from '../support/random.js'
import { startClaimants } from './claimants.js'
import { judge, type Kill, type Verdict } from './judge.js'
import { startHooks } from './hooks.js'
import { everything } from './shown.js'
import { startSenders } from './senders.js'
import { left, retryNow, startWorld } from './world.js'
import { startWriters } from './writers.js'

export interface CrashOptions {
  rounds: number
  seed: number
  /** Agents that send; all four when not given. */
  agents?: number
  /** Waits for the tasks too whose message has ended or was never stored: the daemon drops them after a minute. */
  untilEmpty: boolean
  /** Told of each round. */
  onRound?: (round: number, wanted: number) => void
  /** Ends the rounds early; what was sent by then is judged all the same. */
  signal?: AbortSignal
}

const ENDED = new Set(['delivered', 'partially_delivered', 'bounced'])
const AGENTS = ['ada', 'bela', 'carla', 'dinesh']
/** A life ends after so many answers at most, and so long after the last of them. */
const MOST_ANSWERS = 40
const LAST_MS = 100
/** When nobody is answered. */
const LONGEST_LIFE_MS = 10_000
/** Rounds between two in which everything that waits for its next attempt is made due. */
const RETRY_EVERY = 5
/** Pause between two looks at the queue. */
const LOOK_MS = 200
const MAX_LOOKS = 1500

export async function crashRun({
  rounds,
  seed,
  agents: count = AGENTS.length,
  untilEmpty,
  onRound,
  signal,
}: CrashOptions): Promise<Verdict> {
  const random = randomFrom(seed)
  const world = await startWorld(randomFrom(seed + 1))
  const daemon = await startDaemon(world.settings)
  try {
    const agents: Agent[] = []
    for (const name of AGENTS.slice(0, count)) agents.push(await approvedAgent(daemon, `${name}.agent`))
    const hooks = await startHooks(world.receiver, agents, randomFrom(seed + 4))
    const senders = startSenders(agents, randomFrom(seed + 2))
    const writers = startWriters(daemon.smtpPort, agents, randomFrom(seed + 3))
    const claimants = startClaimants(daemon, randomFrom(seed + 5))
    const kills: Kill[] = []
    const kill = async (whileStarting: boolean): Promise<void> => {
      const sentAt = Date.now()
      await daemon.end('SIGKILL')
      kills.push({ sentAt, goneAt: Date.now(), whileStarting })
    }

    let startMs = 1000
    for (let round = 1; round <= rounds && signal?.aborted !== true; round++) {
      if (round > 1 && random() < 0.2) {
        const started = daemon.start().catch(() => undefined)
        await pause(random() * startMs)
        await kill(true)
        await started
      } else {
        const begun = performance.now()
        if (round > 1) await daemon.start()
        if (round > 1) startMs = performance.now() - begun
        await Promise.race([senders.answered(below(random, MOST_ANSWERS)), pause(LONGEST_LIFE_MS)])
        await pause(below(random, LAST_MS))
        await kill(false)
      }
      if (round % RETRY_EVERY === 0) await retryNow(daemon)
      onRound?.(round, senders.wanted.length)
    }

    await daemon.start()
    await Promise.all([senders.stop(), writers.stop(), claimants.stop()])
    // A task whose message has ended, or was never stored, is looked at for a minute and dropped.
    const unfinished = (await everything(agents)).flatMap(({ messages }) =>
      messages.filter(({ status }) => !ENDED.has(status)).map(({ id }) => id),
    )
    await drain(daemon, untilEmpty ? undefined : new Set(unfinished), () => kill(false))
    const hooked = await hooks.settled(() => everything(agents))
    const { wanted } = senders
    const { written } = writers
    const shown = await everything(agents)
    const claims = await claimants.judged()
    // Of a daemon that is at rest.
    await daemon.end('SIGTERM')
    const { code, stdout } = await daemon.cli('verify')
    const verified = code === 0 ? [] : [`restante verify: ${stdout}`]
    const { faults, counts } = judge({ wanted, written, agents, mail: world.sink.mail, shown, kills, hooked, claims })
    return { faults: [...faults, ...verified], counts }
  } finally {
    await daemon.remove()
    await world.close()
  }
}

/**
 * Lets out what is queued. What waits for its next attempt is made due while the daemon is down.
 *
 * @param messages whose tasks count; all when not given
 */
async function drain(daemon: Daemon, messages: Set<string> | undefined, kill: () => Promise<void>): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const { all, soon } = await left(daemon, messages)
    if (all === 0) return
    if (soon === 0) {
      await kill()
      await retryNow(daemon)
      await daemon.start()
    }
    await pause(LOOK_MS)
  }
  throw new Error(`the queue does not get empty: ${JSON.stringify(await left(daemon, messages))}\n${daemon.output()}`)
}
