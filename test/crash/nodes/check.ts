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

export function check(records: Records): Verdict {
  const { load, nodes, breaks, hooked, received } = records
  const parts = [
    checkSent(records),
    checkPosted(records),
    checkEvents(records),
    { faults: [...hooked.faults, ...disorders(received)], counts: {} },
    { faults: unexpectedEnds(nodes, breaks), counts: {} },
    checkCopies(records),
  ]
  const faults = [...load.faults, ...parts.flatMap((part) => part.faults)]
  const done = (kind: Break['kind']): number => breaks.filter((one) => one.kind === kind).length
  return {
    faults,
    counts: {
      'kills of a daemon (SIGKILL)': done('kill'),
      'promotions of the standby': done('promotion'),
      'cuts of a node from the database': done('cut'),
      'stops of a node (SIGSTOP)': done('stop'),
      'nodes restarted for an upgrade (SIGTERM)': done('roll'),
      'nodes that ended themselves': sum(nodes.map(({ ownEnds }) => ownEnds.length)),
      ...Object.assign({}, ...parts.map(({ counts }) => counts)),
      'events for webhooks': hooked.events,
      'of them delivered again': hooked.repeated,
      'lost, doubled or out of order': faults.length,
    },
  }
}

/** Each message that got 202 is there once, under its id, and at each of its recipients. */
function checkSent({ load, nodes, shown }: Records): Verdict {
  const faults: string[] = []
  const fail = failing(faults)
  const copies = copiesByRecipient(nodes)
  const inMailbox = timesReceived(shown)
  const messages = shown.flatMap((one) => one.messages)
  let [outside, inside] = [0, 0]
  for (const { token, id, recipients } of load.sent) {
    const stored = messages.filter(({ subject }) => tokenOf(subject) === token)
    const [message] = stored
    fail(
      stored.length !== 1 || message?.id !== id,
      `${token} got 202 as ${id}, and is ${stored.map((one) => one.id).join()}`,
    )
    for (const address of recipients) {
      const state = message?.recipients.find((one) => one.address === address)
      fail(state?.status !== 'delivered', `${address} of ${token} is ${state?.status}: ${JSON.stringify(state)}`)
      if (shown.some(({ agent }) => agent.address === address)) {
        inside++
        const times = inMailbox.get(`${address} ${token}`) ?? 0
        fail(times !== 1, `${address} got ${token} ${times} times`)
      } else {
        outside++
        fail(!copies.has(address), `${address} got nothing`)
      }
    }
  }
  const known = new Set(load.sent.flatMap(({ recipients }) => recipients))
  for (const address of copies.keys()) fail(!known.has(address), `${address} was never written to`)
  return {
    faults,
    counts: {
      'sends answered 202': load.sent.length,
      'of them after requests that failed': load.sent.filter(({ failed }) => failed > 0).length,
      'recipients outside': outside,
      'recipients in other mailboxes here': inside,
    },
  }
}

/** Each message that got 250 is there; a second time only if an earlier try of it was cut off. */
function checkPosted({ load, shown }: Records): Verdict {
  const faults: string[] = []
  const fail = failing(faults)
  const inMailbox = timesReceived(shown)
  let again = 0
  for (const { token, recipient, lost } of load.posted) {
    const times = inMailbox.get(`${recipient} ${token}`) ?? 0
    again += Math.max(0, times - 1)
    fail(times < 1 || times > 1 + lost, `${recipient} got ${token} ${times} times; ${lost} connections were lost`)
  }
  return {
    faults,
    counts: {
      'messages from outside answered 250': load.posted.length,
      'tries answered 4xx': sum(load.posted.map(({ deferred }) => deferred)),
      'tries cut off before the answer': sum(load.posted.map(({ lost }) => lost)),
      'second copies of such a try and the next': again,
    },
  }
}

/** Readers by cursor had the events that are there, each once, in order and without a gap. */
function checkEvents({ load, shown }: Records): Verdict {
  const faults: string[] = []
  const fail = failing(faults)
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
  return { faults, counts: { 'events read by cursor': sum([...load.read.values()].map((events) => events.length)) } }
}

/** Another server has a second copy only if something came between its 250 and our record of it, of a node that sent one of the two. */
function checkCopies({ nodes, breaks, shown }: Records): Verdict {
  const faults: string[] = []
  const fail = failing(faults)
  const recordedAt = new Map(
    shown.flatMap(({ messages }) =>
      messages.flatMap(({ recipients }) => recipients.map(({ address, at }) => [address, Date.parse(at)] as const)),
    ),
  )
  const explained: Record<Break['kind'], number> = { kill: 0, promotion: 0, cut: 0, stop: 0, roll: 0 }
  const gaps: number[] = []
  for (const [address, all] of copiesByRecipient(nodes)) {
    const recorded = recordedAt.get(address) ?? Infinity
    for (const [i, copy] of all.slice(1).entries()) {
      const first = all[i] ?? copy
      const cause = breaks.find(
        ({ kind, node, from, to }) =>
          kind !== 'roll' &&
          (node === undefined || node === first.node || node === copy.node) &&
          first.dataAt <= to &&
          from <= copy.dataAt &&
          from <= recorded,
      )
      fail(
        !cause,
        `${address} got a copy by node${first.node + 1} at ${timeOf(first.at)}, one by node${copy.node + 1} at ${timeOf(copy.at)}, recorded at ${timeOf(recorded)}`,
      )
      fail(copy.messageId !== first.messageId, `${address} got copies with another Message-ID`)
      if (!cause) continue
      explained[cause.kind]++
      gaps.push(Math.max(0, cause.from - first.at))
    }
  }
  return {
    faults,
    counts: {
      'second copies at another server': gaps.length,
      'of them by a kill': explained.kill,
      'of them by a promotion': explained.promotion,
      'of them by a cut': explained.cut,
      'of them by a stop': explained.stop,
      'longest time from a 250 to what made a second copy, ms': Math.max(0, ...gaps),
    },
  }
}

/** A node ends itself when others took over its work: not for any other reason. */
function unexpectedEnds(nodes: readonly Node[], breaks: readonly Break[]): string[] {
  return nodes.flatMap(({ index, ownEnds }) =>
    ownEnds
      .filter(
        ({ at }) =>
          !breaks.some(
            ({ kind, node, from, to }) =>
              kind !== 'kill' && (node === undefined || node === index) && from <= at && at <= to + AFTERMATH_MS,
          ),
      )
      .map(({ at, output }) => `node${index + 1} ended by itself at ${timeOf(at)}:\n${output}`),
  )
}

const failing =
  (faults: string[]) =>
  (isWrong: boolean, fault: string): void =>
    void (isWrong && faults.push(fault))

const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0)

const timeOf = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'no time')

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
