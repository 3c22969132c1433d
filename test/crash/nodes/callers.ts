/** Calls any node: whoever gets no answer, or one that asks to come again, asks another. */
import { setTimeout as pause } from 'node:timers/promises'
import { request, type Agent, type Answer } from '../../support/agent.js'
import { pick, type Random } from '../../support/random.js'
import type { Node } from './fleet.js'

/** A node that stands still answers nothing. */
const PATIENCE_MS = 10_000
const PAUSE_MS = 150

export interface Answered {
  answer: Answer
  /** How many requests before it had no answer, or a 5xx. */
  failed: number
}

/** @param headers the same for all tries */
export async function askAny(
  nodes: readonly Node[],
  random: Random,
  agent: Agent,
  [method, path, body]: [method: string, path: string, body?: unknown],
  headers: Record<string, string> = {},
): Promise<Answered> {
  for (let failed = 0; ; failed++) {
    const { daemon } = pick(random, nodes)
    const answer = await Promise.race([
      request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${agent.key}`, ...headers }).catch(
        noAnswer,
      ),
      pause(PATIENCE_MS, undefined, { ref: false }),
    ])
    if (answer && answer.status < 500 && answer.status !== 429) return { answer, failed }
    await pause(PAUSE_MS)
  }
}

/** The same mailbox, on whichever node answers. */
export function roaming(agent: Agent, nodes: readonly Node[], random: Random): Agent {
  return {
    ...agent,
    call: async (method, path, body, headers) =>
      (await askAny(nodes, random, agent, [method, path, body], headers)).answer,
  }
}

/** fetch fails with a TypeError when the connection does, and JSON.parse with a SyntaxError when an answer was cut. */
function noAnswer(error: unknown): undefined {
  if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error
}
