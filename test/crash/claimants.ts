/** Agents that claim addresses, one after the other, whatever happens to the daemon; the operator approves every other one. None claims a second time. */
import { setTimeout as pause } from 'node:timers/promises'
import { claim as claimMailbox, RestanteError } from '#client'
import { type Agent, claim } from '../support/agent.js'
import type { Daemon } from '../support/daemon.js'
import { below, type Random } from '../support/random.js'

/** One address that somebody claimed. */
interface Claimed {
  name: string
  /** `lost`: the request was cut off; the address may be claimed, and nobody has its key. */
  answer: 'accepted' | 'lost' | 'refused'
  agent: Agent | undefined
  /** `unknown`: the operator's command got no answer. */
  approval: 'none' | 'approved' | 'unknown'
  refusal: string
}

export interface ClaimCounts {
  claimed: number
  accepted: number
  approved: number
  faults: string[]
}

export interface Claimants {
  stop(): Promise<void>
  /** Holds what they were told against what is there; `stop` comes before. */
  judged(): Promise<ClaimCounts>
}

/** Between two claims: those of one network get harder with their number. */
const PAUSE_MS = 500

export function startClaimants(daemon: Daemon, random: Random): Claimants {
  const all: Claimed[] = []
  let stopping = false

  async function claimOne(): Promise<void> {
    const one: Claimed = {
      name: `claimed-${all.length}`,
      answer: 'lost',
      agent: undefined,
      approval: 'none',
      refusal: '',
    }
    all.push(one)
    try {
      one.agent = await claim(daemon, one.name)
      one.answer = 'accepted'
    } catch (error) {
      if (error instanceof RestanteError && error.status < 500) {
        one.answer = 'refused'
        one.refusal = error.message
      }
    }
    if (!one.agent || random() < 0.5) return
    one.approval = (await daemon.cli('claim', 'approve', one.agent.address)).code === 0 ? 'approved' : 'unknown'
  }

  const line = (async () => {
    while (!stopping) {
      await claimOne()
      await pause(below(random, PAUSE_MS))
    }
  })()

  async function problemOf({ name, answer, agent, approval, refusal }: Claimed): Promise<string | undefined> {
    if (answer === 'refused') return `the claim of ${name} was refused: ${refusal}`
    if (!agent) return undefined
    const { status, body } = await agent.call('GET', '/v1/claim/status')
    if (status !== 200) return `the key of ${name} does not work: ${status} ${JSON.stringify(body)}`
    if (body.address !== agent.address) return `the key of ${name} is that of ${body.address}`
    if (approval === 'approved' && body.status !== 'claimed') return `${name} was approved, and is ${body.status}`
    if (approval === 'none' && body.status !== 'pending') return `${name} is ${body.status}, and nobody decided on it`
    const again = await claimMailbox({ baseUrl: daemon.url, name }).catch((error: unknown) => error)
    return again instanceof RestanteError && again.code === 'name_taken' ? undefined : `${name} was claimed twice`
  }

  return {
    async stop() {
      stopping = true
      await line
    },
    async judged() {
      const faults: string[] = []
      for (const one of all) faults.push(...[await problemOf(one)].flatMap((problem) => problem ?? []))
      return {
        claimed: all.length,
        accepted: all.filter(({ answer }) => answer === 'accepted').length,
        approved: all.filter(({ approval }) => approval === 'approved').length,
        faults,
      }
    },
  }
}
