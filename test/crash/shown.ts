/** What the API says in the end. */
import type { Message } from '../../src/mailbox/objects/objects.js'
import type { Agent } from '../support/agent.js'

/** A mailbox as the API shows it in the end. */
export interface Shown {
  agent: Agent
  /** What it sent. */
  messages: Message[]
  /** Subjects of what it got, one for each event. */
  received: string[]
  events: { id: string; seq: number }[]
}

/** What the API says of every mailbox. */
export async function everything(agents: Agent[]): Promise<Shown[]> {
  return Promise.all(
    agents.map(async (agent) => {
      const sent = new Set<string>()
      const received: string[] = []
      const events: Shown['events'] = []
      for (let after = 0; ;) {
        const { status, body: page } = await agent.call('GET', `/v1/events?after=${after}&limit=100`)
        if (status !== 200) throw new Error(`events after ${after}: ${status} ${JSON.stringify(page)}`)
        if (page.data.length === 0) break
        for (const { type, id, seq, data } of page.data) {
          events.push({ id, seq })
          if (type === 'message.received') received.push(data.subject)
          else if (type === 'message.status') sent.add(data.message_id)
        }
        after = page.next_after
      }
      const messages = []
      for (const id of sent) messages.push((await agent.call('GET', `/v1/messages/${id}`)).body)
      return { agent, messages, received, events }
    }),
  )
}
