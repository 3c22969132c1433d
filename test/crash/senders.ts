/** The agents of the crash run: each sends as fast as it is answered, to the world and to the others, and goes on whatever happens to the daemon. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Agent, Answer } from '../support/agent.js'
import { hasCode } from '../../src/lib/thrown.js'
import { below, pick, type Random } from '../support/random.js'
import { DOMAINS } from './world.js'

/** One message an agent wanted to send. */
export interface Wanted {
  /** Stands in the subject, and in each recipient's address outside. */
  token: string
  sender: Agent
  recipients: string[]
  /** `lost`: the request was cut off before its answer, and not made again. */
  answer: 'accepted' | 'lost' | 'refused' | 'never reached'
  /** Of the accepted one. */
  id: string | null
  /** How often the request was cut off. */
  cuts: number
  refusal: string | null
}

export interface Senders {
  wanted: Wanted[]
  /** Resolves when so many more requests have their answer. */
  answered(count: number): Promise<void>
  /** No new messages; resolves when the last request has its answer. */
  stop(): Promise<void>
}

const LINE = 'What was acknowledged is not lost, at whatever line the process ends.\n'
/** Messages an agent has on their way at once. */
const LINES_OF_WORK = 3
/** While nobody answers. */
const PAUSE_MS = 50

export function startSenders(agents: Agent[], random: Random): Senders {
  const wanted: Wanted[] = []
  let answers = 0
  let waiting: { from: number; resolve: () => void } | undefined
  let stopping = false

  function plan(sender: Agent): Wanted {
    const token = `n${wanted.length}x`
    const outside = Array.from(
      { length: 1 + below(random, 3) },
      (_, i) => `${kindOf(random)}-${token}-${i}@${pick(random, DOMAINS)}`,
    )
    const others = agents.filter((agent) => agent !== sender)
    const inside = random() < 0.3 ? [pick(random, others).address] : []
    const one: Wanted = {
      token,
      sender,
      recipients: [...outside, ...inside],
      answer: 'never reached',
      id: null,
      cuts: 0,
      refusal: null,
    }
    wanted.push(one)
    return one
  }

  async function send(one: Wanted): Promise<void> {
    const body = {
      to: one.recipients,
      subject: `Crash run ${one.token}`,
      text: LINE.repeat(1 + below(random, 60)),
    }
    const asksAgain = random() < 0.5
    const key = { 'idempotency-key': randomUUID() }
    for (;;) {
      const answer = await reached(() => one.sender.call('POST', '/v1/send', body, key))
      if (answer === 'nobody there') {
        // Nothing was sent, so nothing can have been accepted by this try.
        if (stopping && one.cuts === 0) return
        await pause(PAUSE_MS)
        continue
      }
      if (answer === 'cut off') {
        one.cuts++
        one.answer = 'lost'
        if (!asksAgain) return
        continue
      }
      if (answer.status === 202) {
        one.answer = 'accepted'
        one.id = String(answer.body.id)
      } else {
        one.answer = 'refused'
        one.refusal = `${answer.status} ${JSON.stringify(answer.body)}`
      }
      if (++answers >= (waiting?.from ?? Infinity)) waiting?.resolve()
      return
    }
  }

  const lines = agents.flatMap((agent) =>
    Array.from({ length: LINES_OF_WORK }, async () => {
      while (!stopping) {
        await send(plan(agent))
        await pause(below(random, 20))
      }
    }),
  )
  return {
    wanted,
    answered: (count) => new Promise((resolve) => (waiting = { from: answers + count, resolve })),
    async stop() {
      stopping = true
      await Promise.all(lines)
    },
  }
}

/** What the sink does with an address is told by its first word. */
function kindOf(random: Random): string {
  const roll = random()
  return roll < 0.03 ? 'nobody' : roll < 0.13 ? 'later' : 'bob'
}

async function reached(request: () => Promise<Answer>): Promise<Answer | 'nobody there' | 'cut off'> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return hasCode(error.cause, 'ECONNREFUSED') ? 'nobody there' : 'cut off'
  }
}
