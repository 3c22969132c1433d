/** A webhook at each agent's mailbox: what its receiver had is held against the events that the API shows. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Agent } from '../support/agent.js'
import type { Random } from '../support/random.js'
import type { Receiver } from '../support/peers/webhook-receiver.js'
import type { Shown } from './shown.js'

export interface Hooks {
  /** Waits until the receiver has every event, or nothing has come for a while. */
  settled(shown: () => Promise<Shown[]>): Promise<HookCounts>
}

export interface HookCounts {
  events: number
  /** Events that came, each counted once. */
  delivered: number
  /** Deliveries beyond the first of an event. */
  repeated: number
  faults: string[]
}

/** Pause between two looks, and looks without news after which what is missing counts as lost. */
const LOOK_MS = 500
const MAX_QUIET_LOOKS = 80

/** @param random says which events the receiver refuses once: they come again within seconds */
export async function startHooks(receiver: Receiver, agents: Agent[], random: Random): Promise<Hooks> {
  const refused = new Set<string>()
  receiver.otherwise = (response, { event }) => {
    const isRefused = random() < 0.02 && !refused.has(event.id)
    if (isRefused) refused.add(event.id)
    response.writeHead(isRefused ? 500 : 204).end()
  }
  /** The newest event when the webhook was made, by mailbox. */
  const from = new Map<string, number>()
  for (const agent of agents) {
    const made = await agent.call('POST', '/v1/webhooks', { url: receiver.url })
    if (made.status !== 201) throw new Error(`webhook: ${made.status} ${JSON.stringify(made.body)}`)
    from.set(agent.address, (await agent.call('GET', '/v1/mailbox')).body.last_event_seq)
  }

  return {
    async settled(shown) {
      for (let quiet = 0; ;) {
        const before = receiver.received.length
        const wanted = (await shown()).flatMap(({ agent, events }) =>
          events.filter(({ seq }) => seq > (from.get(agent.address) ?? 0)),
        )
        const had = new Set(receiver.received.map(({ event }) => String(event.id)))
        const missing = wanted.filter(({ id }) => !had.has(id))
        if (missing.length === 0 || quiet >= MAX_QUIET_LOOKS) {
          const known = new Set(wanted.map(({ id }) => id))
          return {
            events: wanted.length,
            delivered: wanted.length - missing.length,
            repeated: receiver.received.length - had.size,
            faults: [
              ...missing.map(({ id, seq }) => `event ${id} (${seq}) never came to its webhook`),
              ...[...had].filter((id) => !known.has(id)).map((id) => `event ${id} came, and the API does not show it`),
            ],
          }
        }
        await pause(LOOK_MS)
        quiet = receiver.received.length === before ? quiet + 1 : 0
      }
    },
  }
}
