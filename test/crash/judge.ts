/**
 * Holds what the agents were told against what the receiving server has. Three records made by three parties: the agents' (who was answered
 * what), the receiving server's (what it said 250 to, and when), the daemon's own (what its API says now).
 */
import type { Agent } from '../support/agent.js'
import type { PeerMail } from '../support/peers/peer-server.js'
import type { Message } from '../../src/mailbox/objects/objects.js'
import type { ClaimCounts } from './claimants.js'
import type { HookCounts } from './hooks.js'
import type { Shown } from './shown.js'
import type { Wanted } from './senders.js'
import type { Written } from './writers.js'

/** Milliseconds since the epoch. */
export interface Kill {
  sentAt: number
  goneAt: number
  whileStarting: boolean
}

export interface Verdict {
  counts: Record<string, number>
  /** Sentences; none when every promise was kept. */
  faults: string[]
}

export interface Copy {
  messageId: string
  /** The server had all of it, and said 250. */
  dataAt: number
  at: number
}

interface Records {
  wanted: Wanted[]
  written: Written[]
  agents: Agent[]
  mail: PeerMail[]
  shown: Shown[]
  kills: Kill[]
  hooked: HookCounts
  claims: ClaimCounts
}

export function judge({ wanted, written, agents, mail, shown, kills, hooked, claims }: Records): Verdict {
  const faults: string[] = [...hooked.faults, ...claims.faults]
  const check = (ok: boolean, fault: string): void => void (ok || faults.push(fault))

  const copies = copiesBy(mail)
  const messages = shown.flatMap((one) => one.messages)
  const byToken = new Map<string, Message[]>()
  for (const message of messages) {
    const token = tokenOf(message.subject)
    byToken.set(token, [...(byToken.get(token) ?? []), message])
  }
  const received = new Map<string, number>()
  for (const { agent, received: subjects } of shown) {
    for (const subject of subjects) {
      const key = `${agent.address} ${tokenOf(subject)}`
      received.set(key, (received.get(key) ?? 0) + 1)
    }
  }
  const isInside = (address: string): boolean => agents.some((agent) => agent.address === address)

  let [lostAnswers, inside, outside, refused, bounced] = [0, 0, 0, 0, 0]
  for (const { token, answer, id, recipients, cuts, refusal } of wanted) {
    const stored = byToken.get(token) ?? []
    check(answer !== 'refused', `${token} was refused: ${refusal}`)
    check(stored.length <= 1, `${token} was accepted ${stored.length} times in spite of its idempotency key`)
    if (answer === 'accepted') check(stored[0]?.id === id, `${token} got 202 as ${id} and is ${stored[0]?.id} now`)
    const [message] = stored
    if (!message) {
      for (const address of recipients) {
        check(
          !copies.has(address) && !received.has(`${address} ${token}`),
          `${address} has ${token}, which nobody stored`,
        )
      }
      continue
    }
    if (answer !== 'accepted') {
      lostAnswers++
      check(cuts > 0, `${token} is stored though no request for it was cut off`)
    }
    check(
      same(
        message.recipients.map(({ address }) => address),
        recipients,
      ),
      `${token} has other recipients`,
    )
    for (const recipient of message.recipients) {
      const { address, status } = recipient
      if (isInside(address)) {
        inside++
        check(status === 'delivered', `${address} of ${token} is ${status}`)
        check(
          received.get(`${address} ${token}`) === 1,
          `${address} got ${token} ${received.get(`${address} ${token}`)} times`,
        )
        continue
      }
      outside++
      const got = copies.get(address) ?? []
      if (address.startsWith('nobody-')) {
        bounced++
        check(status === 'bounced' && got.length === 0, `${address} is ${status}, and the server has ${got.length}`)
        continue
      }
      if (recipient.attempts > 1) refused++
      check(status === 'delivered' && got.length > 0, `${address} is ${status}, and the server has ${got.length}`)
      check(
        got.every(({ messageId }) => messageId === message.message_id),
        `${address} got copies with another Message-ID`,
      )
    }
    const expected = statusOf(message)
    check(message.status === expected, `${token} is ${message.status}, its recipients make it ${expected}`)
  }
  const known = new Set(wanted.flatMap(({ recipients }) => recipients))
  for (const address of copies.keys()) check(known.has(address), `${address} was never written to`)
  let incoming = 0
  for (const { token, recipients, answer, refusal } of written) {
    check(answer !== 'refused', `${token} was refused: ${refusal}`)
    for (const address of recipients) {
      const times = received.get(`${address} ${token}`) ?? 0
      incoming += times
      if (answer === 'accepted') check(times === 1, `${address} got ${token} ${times} times, and its sender had a 250`)
      else if (answer === 'lost') check(times <= 1, `${address} got ${token} ${times} times`)
      else check(times === 0, `${address} has ${token}, which was ${answer}`)
    }
  }
  for (const { agent, events } of shown) {
    check(
      events.every(({ seq }, i) => i === 0 || seq > (events[i - 1]?.seq ?? 0)),
      `events of ${agent.address} repeat or go back`,
    )
  }

  const recorded = new Map(
    messages.flatMap(({ recipients }) => recipients.map(({ address, at }) => [address, Date.parse(at)] as const)),
  )
  const duplicates = [...copies].flatMap(([address, got]) =>
    got.slice(1).map((copy, i) => ({ address, first: got[i] ?? copy, again: copy })),
  )
  const gaps: number[] = []
  let beforeReply = 0
  for (const { address, first, again } of duplicates) {
    // Between the end of the data and our commit: the kill lies between the copies, and our record of the delivery after the kill.
    const kill = kills.find(({ sentAt, goneAt }) => goneAt >= first.dataAt && sentAt <= again.dataAt)
    check(kill !== undefined, `${address} got a second copy, and the daemon was not killed in between`)
    if (!kill) continue
    check((recorded.get(address) ?? 0) >= kill.sentAt, `${address} got a copy after its delivery had been written down`)
    gaps.push(Math.max(0, kill.sentAt - first.at))
    if (kill.sentAt < first.at) beforeReply++
  }
  const accepted = wanted.filter(({ answer }) => answer === 'accepted')
  return {
    faults,
    counts: {
      kills: kills.length,
      'kills during start-up': kills.filter(({ whileStarting }) => whileStarting).length,
      'messages asked for': wanted.length,
      'answered 202': accepted.length,
      'of them after a repeated request': accepted.filter(({ cuts }) => cuts > 0).length,
      'accepted, and the 202 lost with the connection': lostAnswers,
      'requests cut off and not accepted': wanted.filter(({ token, cuts }) => cuts > 0 && !byToken.has(token)).length,
      'recipients outside': outside,
      'of them refused for good by the server': bounced,
      'of them tried more than once': refused,
      'recipients in other mailboxes here': inside,
      'messages written to agents': written.length,
      'of them answered 250': written.filter(({ answer }) => answer === 'accepted').length,
      'of them cut off before the answer': written.filter(({ answer }) => answer === 'lost').length,
      'copies of them in mailboxes': incoming,
      'addresses claimed': claims.claimed,
      'of them answered with a key': claims.accepted,
      'of them approved': claims.approved,
      'events for webhooks': hooked.events,
      'of them delivered': hooked.delivered,
      'of them delivered again': hooked.repeated,
      'transactions the server said 250 to': mail.length,
      'recipients that got nothing': faults.filter((fault) => fault.includes('the server has 0')).length,
      'second copies': duplicates.length,
      'of them explained by a kill before the 250 was read': beforeReply,
      'of them explained by a kill between the 250 and our commit': gaps.length - beforeReply,
      'longest time from a 250 to the kill that made a second copy, ms': Math.max(0, ...gaps),
    },
  }
}

/** What the receiving server has, by recipient. */
export function copiesBy(mail: PeerMail[]): Map<string, Copy[]> {
  const copies = new Map<string, Copy[]>()
  for (const { to, raw, dataAt, at } of mail) {
    const messageId = /^Message-ID: <(.*)>/im.exec(raw)?.[1] ?? ''
    for (const address of to) copies.set(address, [...(copies.get(address) ?? []), { messageId, dataAt, at }])
  }
  return copies
}

export function tokenOf(subject: string): string {
  return subject.replace('Crash run ', '')
}

function statusOf({ recipients }: Message): string {
  const delivered = recipients.filter(({ status }) => status === 'delivered').length
  return delivered === recipients.length ? 'delivered' : delivered === 0 ? 'bounced' : 'partially_delivered'
}

function same(a: string[], b: string[]): boolean {
  return a.toSorted().join() === b.toSorted().join()
}
