/** Holds what senders were told against what the receiving servers, the mailboxes, the readers and the receiver of webhooks have. */
import type { Received } from '../../support/peers/webhook-receiver.js'
import type { HookCounts } from '../hooks.js'
import { copiesBy, tokenOf, type Copy, type Verdict } from '../judge.js'
import type { Shown } from '../shown.js'
import type { Break } from './faults.js'
import type { Node } from './fleet.js'
import type { Load } from './load.js'

/** Deliveries of a webhook that run at once: so far events may pass each other. */
const WINDOW = 8
/** After the end of a break, until which a node that ends itself is expected to. */
const AFTERMATH_MS = 30_000

export interface Records {
  load: Load
  nodes: readonly Node[]
  breaks: readonly Break[]
  shown: readonly Shown[]
  hooked: HookCounts
  received: readonly Received[]
}

interface NodeCopy extends Copy {
  node: number
}

export function check({ load, nodes, breaks, shown, hooked, received }: Records): Verdict {
  const faults = [...load.faults, ...hooked.faults]
  const fail = (isWrong: boolean, fault: string): void => void (isWrong && faults.push(fault))
  const inMailbox = timesReceived(shown)
  const messages = shown.flatMap((one) => one.messages)
  const copies = copiesByRecipient(nodes)
  const recordedAt = new Map(
    messages.flatMap(({ recipients }) => recipients.map(({ address, at }) => [address, Date.parse(at)] as const)),
  )

  let [outside, inside] = [0, 0]
  for (const { token, id, recipients } of load.sent) {
    const stored = messages.filter(({ subject }) => tokenOf(subject) === token)
    fail(
      stored.length !== 1 || stored[0]?.id !== id,
      `${token} got 202 as ${id}, and is ${stored.map((m) => m.id).join()}`,
    )
    for (const address of recipients) {
      const status = stored[0]?.recipients.find((one) => one.address === address)?.status
      fail(status !== 'delivered', `${address} of ${token} is ${status}`)
      const times = inMailbox.get(`${address} ${token}`) ?? 0
      if (shown.some(({ agent }) => agent.address === address)) {
        inside++
        fail(times !== 1, `${address} got ${token} ${times} times`)
      } else {
        outside++
        fail(!copies.has(address), `${address} got nothing`)
      }
    }
  }
  const known = new Set(load.sent.flatMap(({ recipients }) => recipients))
  for (const address of copies.keys()) fail(!known.has(address), `${address} was never written to`)
  let again = 0
  for (const { token, recipient, lost } of load.posted) {
    const times = inMailbox.get(`${recipient} ${token}`) ?? 0
    again += Math.max(0, times - 1)
    fail(times < 1 || times > 1 + lost, `${recipient} got ${token} ${times} times; ${lost} connections were lost`)
  }

  for (const { agent, events } of shown) {
    const read = load.read.get(agent.address) ?? []
    const at = events.findIndex(({ id, seq }, i) => read[i]?.id !== id || read[i].seq !== seq)
    fail(
      at !== -1 || read.length !== events.length,
      `${agent.address}: the reader had event ${read[at]?.seq} in place of ${events[at]?.seq}; ${read.length} of ${events.length} events`,
    )
    const gap = events.findIndex(({ seq }, i) => i > 0 && seq !== (events[i - 1]?.seq ?? 0) + 1)
    fail(gap !== -1, `${agent.address}: event ${events[gap]?.seq} follows ${events[gap - 1]?.seq}`)
  }
  faults.push(...disorders(received))
  for (const { index, ownEnds } of nodes) {
    for (const { at, output } of ownEnds) {
      const isExpected = breaks.some(
        ({ kind, node, from, to }) =>
          kind !== 'kill' && (node === undefined || node === index) && from <= at && at <= to + AFTERMATH_MS,
      )
      fail(!isExpected, `node${index + 1} ended by itself at ${new Date(at).toISOString()}:\n${output}`)
    }
  }

  const explained: Record<Break['kind'], number> = { kill: 0, promotion: 0, cut: 0, stop: 0, roll: 0 }
  let second = 0
  for (const [address, all] of copies) {
    for (const [i, copy] of all.slice(1).entries()) {
      second++
      const first = all[i] ?? copy
      const cause = breaks.find(
        ({ kind, node, from, to }) =>
          kind !== 'roll' &&
          (node === undefined || node === first.node || node === copy.node) &&
          first.dataAt <= to &&
          from <= copy.dataAt &&
          from <= (recordedAt.get(address) ?? Infinity),
      )
      if (cause) explained[cause.kind]++
      fail(
        !cause,
        `${address} got a copy by node${first.node + 1} at ${new Date(first.at).toISOString()}, one by node${copy.node + 1} at ${new Date(copy.at).toISOString()}, recorded at ${new Date(recordedAt.get(address) ?? 0).toISOString()}`,
      )
      fail(copy.messageId !== first.messageId, `${address} got copies with another Message-ID`)
    }
  }
  const done = (kind: Break['kind']): number => breaks.filter((one) => one.kind === kind).length
  const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0)
  return {
    faults,
    counts: {
      'kills of a daemon (SIGKILL)': done('kill'),
      'promotions of the standby': done('promotion'),
      'cuts of a node from the database': done('cut'),
      'stops of a node (SIGSTOP)': done('stop'),
      'nodes restarted for an upgrade (SIGTERM)': done('roll'),
      'nodes that ended themselves': sum(nodes.map(({ ownEnds }) => ownEnds.length)),
      'sends answered 202': load.sent.length,
      'of them after requests that failed': load.sent.filter(({ failed }) => failed > 0).length,
      'recipients outside': outside,
      'recipients in other mailboxes here': inside,
      'messages from outside answered 250': load.posted.length,
      'tries answered 4xx': sum(load.posted.map(({ deferred }) => deferred)),
      'tries cut off before the answer': sum(load.posted.map(({ lost }) => lost)),
      'second copies of such a try and the next': again,
      'events read by cursor': sum([...load.read.values()].map((events) => events.length)),
      'events for webhooks': hooked.events,
      'of them delivered again': hooked.repeated,
      'second copies at another server': second,
      'of them by a kill': explained.kill,
      'of them by a promotion': explained.promotion,
      'of them by a cut': explained.cut,
      'of them by a stop': explained.stop,
      'lost, doubled or out of order otherwise': faults.length,
    },
  }
}

/** By address and token. */
function timesReceived(shown: readonly Shown[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const { agent, received } of shown) {
    for (const subject of received) {
      const name = `${agent.address} ${tokenOf(subject)}`
      times.set(name, (times.get(name) ?? 0) + 1)
    }
  }
  return times
}

/** In the order in which the servers had them. */
function copiesByRecipient(nodes: readonly Node[]): Map<string, NodeCopy[]> {
  const copies = new Map<string, NodeCopy[]>()
  for (const { index, peer } of nodes)
    for (const [address, own] of copiesBy(peer.mail))
      copies.set(address, [...(copies.get(address) ?? []), ...own.map((copy) => ({ ...copy, node: index }))])
  for (const own of copies.values()) own.sort((a, b) => a.dataAt - b.dataAt)
  return copies
}

/** Events that came first to their webhook when too many later ones had. */
function disorders(received: readonly Received[]): string[] {
  const faults: string[] = []
  const seen = new Map<string, Set<number>>()
  for (const { event } of received) {
    const mailbox = String(event.mailbox_id)
    const own = seen.get(mailbox) ?? new Set<number>()
    seen.set(mailbox, own)
    if (own.has(event.seq)) continue
    const passed = [...own].filter((seq) => seq > event.seq).length
    if (passed >= WINDOW) faults.push(`event ${event.seq} of ${mailbox} came to its webhook after ${passed} later ones`)
    own.add(event.seq)
  }
  return faults
}
