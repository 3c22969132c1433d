/** What goes on all the time: agents send, people write to them, and each mailbox is read by its events. All of them move from node to node. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../../../src/lib/thrown.js'
import type { Agent } from '../../support/agent.js'
import { deliver } from '../../support/peers/smtp.js'
import { below, pick, type Random } from '../../support/random.js'
import { DOMAINS } from '../world.js'
import { askAny } from './callers.js'
import type { Node } from './fleet.js'

/** A message that an agent sends until it gets 202. */
export interface Sent {
  token: string
  sender: Agent
  recipients: string[]
  id: string
  failed: number
}

/** A message that somebody sends until it gets 250. */
export interface Posted {
  token: string
  recipient: string
  /** Tries whose connection was lost when the message may have been accepted. */
  lost: number
  /** Tries that were answered 4xx. */
  deferred: number
}

export interface Load {
  sent: Sent[]
  posted: Posted[]
  /** Events as a reader with a cursor got them, by address. */
  read: Map<string, { id: string; seq: number }[]>
  faults: string[]
  /** No new messages; resolves when the last has its answer. */
  stop(): Promise<void>
  /** Resolves when each reader has read up to here. */
  readersAt(last: (address: string) => number): Promise<void>
}

export interface LoadOptions {
  nodes: readonly Node[]
  agents: readonly Agent[]
  random: Random
  refusals: boolean
  /** Messages on their way at once, in each direction. */
  lines: number
}

/** Longest pause of a line. */
const PAUSE_MS = 800
/** Of a connection to a node that may stand still. */
const SMTP_PATIENCE_MS = 15_000
const LINE = 'What was acknowledged is not lost, whichever machine ends.\n'

export function startLoad({ nodes, agents, random, refusals, lines: atOnce }: LoadOptions): Load {
  const sent: Sent[] = []
  const posted: Posted[] = []
  const read = new Map<string, { id: string; seq: number }[]>()
  const faults: string[] = []
  let isStopping = false
  let areReadersStopping = false
  let count = 0
  const textOf = (): string => LINE.repeat(random() < 0.1 ? 2_000 : 1 + below(random, 60))

  async function send(): Promise<void> {
    const token = `n${count++}x`
    const sender = pick(random, agents)
    const outside = Array.from({ length: below(random, 3) }, (_, i) => {
      const kind = refusals && random() < 0.05 ? 'later' : 'bob'
      return `${kind}-${token}-${i}@${pick(random, DOMAINS)}`
    })
    const others = agents.filter((agent) => agent !== sender)
    const recipients = outside.length === 0 || random() < 0.3 ? [...outside, pick(random, others).address] : outside
    const body = { to: recipients, subject: `Crash run ${token}`, text: textOf() }
    const { answer, failed } = await askAny(nodes, random, sender, ['POST', '/v1/send', body], {
      'idempotency-key': randomUUID(),
    })
    if (answer.status !== 202) return void faults.push(`${token}: ${answer.status} ${JSON.stringify(answer.body)}`)
    const id = String(answer.body.id)
    sent.push({ token, sender, recipients, id, failed })
    const seen = await askAny(nodes, random, sender, ['GET', `/v1/messages/${id}`])
    if (seen.answer.status !== 200) faults.push(`${token} had its 202, and another node answers ${seen.answer.status}`)
  }

  async function post(): Promise<void> {
    const token = `w${count++}x`
    const one: Posted = { token, recipient: pick(random, agents).address, lost: 0, deferred: 0 }
    const mail = {
      from: `wanda@${pick(random, DOMAINS)}`,
      to: [one.recipient],
      subject: `Crash run ${token}`,
      text: textOf(),
    }
    for (;;) {
      const { daemon } = pick(random, nodes)
      const outcome = await deliver(daemon.smtpPort, mail, SMTP_PATIENCE_MS).then(() => 'accepted' as const, outcomeOf)
      if (outcome === 'accepted') return void posted.push(one)
      if (outcome.startsWith('5')) return void faults.push(`${token} was refused: ${outcome}`)
      if (outcome === 'lost') one.lost++
      else if (outcome !== 'nobody there') one.deferred++
      await pause(100)
    }
  }

  async function readEvents(agent: Agent): Promise<void> {
    const events: { id: string; seq: number }[] = []
    read.set(agent.address, events)
    while (!areReadersStopping) {
      const after = events.at(-1)?.seq ?? 0
      const { answer } = await askAny(nodes, random, agent, ['GET', `/v1/events?after=${after}&limit=100&wait=4`])
      if (answer.status !== 200) {
        faults.push(`events of ${agent.address} after ${after}: ${answer.status} ${JSON.stringify(answer.body)}`)
        return
      }
      for (const { id, seq } of answer.body.data) events.push({ id, seq })
    }
  }

  const linesOf = (work: () => Promise<void>): Promise<void>[] =>
    Array.from({ length: atOnce }, async () => {
      while (!isStopping) {
        await work()
        await pause(below(random, PAUSE_MS))
      }
    })
  const lines = [...linesOf(send), ...linesOf(post)]
  const readers = agents.map(readEvents)
  return {
    sent,
    posted,
    read,
    faults,
    async stop() {
      isStopping = true
      await Promise.all(lines)
    },
    async readersAt(last) {
      const isBehind = (): boolean =>
        agents.some(({ address }) => (read.get(address)?.at(-1)?.seq ?? 0) < last(address))
      for (let looks = 0; isBehind() && looks < 300; looks++) await pause(100)
      areReadersStopping = true
      await Promise.all(readers)
    },
  }
}

/** A reply that refuses, or what became of the connection. */
function outcomeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reply = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  if (reply > 0) return messageOf(error).replace(/^[^45]*/, '')
  return code === 'ESOCKET' && /ECONNREFUSED/.test(messageOf(error)) ? 'nobody there' : 'lost'
}
