/** People who write to the agents over SMTP, each as fast as the receiver answers, and go on whatever happens to the daemon. None writes a second time. */
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../../src/lib/thrown.js'
import type { Agent } from '../support/agent.js'
import { below, pick, type Random } from '../support/random.js'
import { deliver } from '../support/peers/smtp.js'
import { DOMAINS } from './world.js'

/** One message that somebody wrote. */
export interface Written {
  /** Stands in the subject. */
  token: string
  recipients: string[]
  /** `lost`: the connection was cut before the answer to its data; `deferred`: 4xx. */
  answer: 'accepted' | 'lost' | 'deferred' | 'refused' | 'never reached'
  refusal: string | null
}

export interface Writers {
  written: Written[]
  stop(): Promise<void>
}

const LINE = 'You wrote to me last week about the garden. The beans are in.\n'
const LINES_OF_WORK = 3
/** While nobody answers. */
const PAUSE_MS = 50

export function startWriters(port: number, agents: Agent[], random: Random): Writers {
  const written: Written[] = []
  let stopping = false

  async function write(): Promise<void> {
    const first = pick(random, agents).address
    const others = agents.map(({ address }) => address).filter((address) => address !== first)
    const recipients = random() < 0.2 ? [first, pick(random, others)] : [first]
    const one: Written = { token: `w${written.length}x`, recipients, answer: 'never reached', refusal: null }
    written.push(one)
    const mail = {
      from: `wanda@${pick(random, DOMAINS)}`,
      to: recipients,
      subject: `Crash run ${one.token}`,
      // Some ride in the commit, some are files.
      text: LINE.repeat(random() < 0.1 ? 2000 : 1 + below(random, 60)),
    }
    // Until somebody is there: nothing was sent, so nothing can have been accepted.
    while (one.answer === 'never reached' && !stopping) {
      try {
        await deliver(port, mail)
        one.answer = 'accepted'
      } catch (error) {
        Object.assign(one, outcomeOf(error))
        await pause(PAUSE_MS)
      }
    }
  }

  const lines = Array.from({ length: LINES_OF_WORK }, async () => {
    while (!stopping) {
      await write()
      await pause(below(random, 30))
    }
  })
  return {
    written,
    async stop() {
      stopping = true
      await Promise.all(lines)
    },
  }
}

function outcomeOf(error: unknown): Pick<Written, 'answer' | 'refusal'> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reply = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : undefined
  if (reply !== undefined && reply > 0)
    return { answer: reply < 500 ? 'deferred' : 'refused', refusal: messageOf(error) }
  return {
    answer: code === 'ESOCKET' && /ECONNREFUSED/.test(messageOf(error)) ? 'never reached' : 'lost',
    refusal: null,
  }
}
