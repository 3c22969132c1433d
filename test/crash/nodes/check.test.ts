/** What the proof calls a fault: a record of a good run, changed in one place each. */
import t from 'tap'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { PeerMail } from '../../support/peers/peer-server.js'
import { check, type Records } from './check.js'

const OUT = 'bob-n0x-0@one.example'
const IN = 'bela@agents.test'
const ADA = 'ada@agents.test'

/** A copy that a node's server got, at a time. */
const mail = (at: number): PeerMail => ({
  from: '',
  to: [OUT],
  raw: 'Message-ID: <1@agents.test>\r\n\r\n',
  encrypted: false,
  connection: 1,
  dataAt: at,
  at,
})

const event = (seq: number): { id: string; seq: number } => ({ id: `evt_${seq}`, seq })

/** Ada sent to Bela and to another server, Bela got a letter; the second node was killed from 100 to 110. */
function good() {
  const message = {
    id: 'msg_1',
    subject: 'Crash run n0x',
    recipients: [
      { address: OUT, status: 'delivered', at: new Date(120).toISOString() },
      { address: IN, status: 'delivered', at: new Date(120).toISOString() },
    ],
  } as unknown as Message
  const agent = (address: string) => ({ address }) as Records['shown'][number]['agent']
  const node = (index: number, received: PeerMail[]) =>
    ({
      index,
      peer: { mail: received },
      ownEnds: [] as { at: number; output: string }[],
    }) as unknown as Records['nodes'][number]
  const sent = { token: 'n0x', sender: agent(ADA), recipients: [OUT, IN], id: 'msg_1', failed: 0 }
  return {
    load: {
      sent: [sent],
      posted: [{ token: 'w1x', recipient: IN, lost: 0, deferred: 0 }],
      read: new Map([
        [ADA, [event(1), event(2)]],
        [IN, [event(1), event(2)]],
      ]),
      faults: [] as string[],
      stop: async () => undefined,
      readersAt: async () => undefined,
    },
    nodes: [node(0, [mail(115)]), node(1, [])],
    breaks: [{ kind: 'kill' as const, node: 1, from: 100, to: 110 }],
    shown: [
      { agent: agent(ADA), messages: [message], received: [] as string[], events: [event(1), event(2)] },
      {
        agent: agent(IN),
        messages: [],
        received: ['Crash run n0x', 'Crash run w1x'],
        events: [event(1), event(2)],
      },
    ],
    hooked: { events: 0, delivered: 0, repeated: 0, faults: [] as string[] },
    received: [] as { event: { mailbox_id: string; seq: number } }[],
  }
}

type Good = ReturnType<typeof good>
const judged = (change: (records: Good) => void): string[] => {
  const records = good()
  change(records)
  return check(records as unknown as Records).faults
}
const seqs = (...list: number[]) => list.map((seq) => ({ event: { mailbox_id: 'mbx_1', seq } }))

t.test('a good run has no faults', async (t) => {
  t.same(
    judged(() => undefined),
    [],
  )
  t.same(
    judged(({ nodes }) => nodes[1]?.peer.mail.push(mail(90))),
    [],
    'the second node was killed before it could record its copy',
  )
  t.same(
    judged((records) => (records.received = seqs(2, 1, 3, 3, 4))),
    [],
    'deliveries that run at once pass each other',
  )
})

const FAULTS: [name: string, change: (records: Good) => unknown, fault: RegExp][] = [
  ['a message with 202 is gone', ({ shown }) => shown[0]?.messages.pop(), /n0x got 202 as msg_1, and is $/],
  ['it got nowhere', ({ nodes }) => nodes[0]?.peer.mail.pop(), /bob-n0x-0@one.example got nothing/],
  ['it came twice inside', ({ shown }) => shown[1]?.received.push('Crash run n0x'), /got n0x 2 times/],
  ['somebody got mail that nobody sent', ({ load }) => load.sent.pop(), /was never written to/],
  ['a message with 250 is gone', ({ shown }) => shown[1]?.received.pop(), /got w1x 0 times/],
  ['it came twice', ({ shown }) => shown[1]?.received.push('Crash run w1x'), /got w1x 2 times/],
  ['a reader missed an event', ({ load }) => load.read.get(IN)?.shift(), /the reader had event 2 in place of 1/],
  ['a reader had one twice', ({ load }) => load.read.get(IN)?.push(event(2)), /3 of 2 events/],
  [
    'numbers have a gap',
    ({ load, shown }) => [shown[1]?.events, load.read.get(IN)].forEach((events) => events?.push(event(4))),
    /event 4 follows 2/,
  ],
  [
    'a webhook had an event after many later ones',
    (records) => (records.received = seqs(2, 3, 4, 5, 6, 7, 8, 9, 1)),
    /event 1 of mbx_1 came to its webhook after 8 later ones/,
  ],
  ['a second copy without a reason', ({ nodes }) => nodes[0]?.peer.mail.push(mail(60)), /got a copy by node1 at/],
  [
    'a second copy by nodes that were not killed',
    ({ nodes }) => nodes[0]?.peer.mail.push(mail(130)),
    /got a copy by node1 at/,
  ],
  [
    'a second copy after the record of the first',
    ({ nodes, breaks }) => {
      nodes[1]?.peer.mail.push(mail(140))
      breaks.splice(0, 1, { kind: 'kill', node: 1, from: 130, to: 135 })
    },
    /one by node2 at/,
  ],
  ['a node ended itself', ({ nodes }) => nodes[0]?.ownEnds.push({ at: 90, output: 'why' }), /node1 ended by itself/],
]
for (const [name, change, fault] of FAULTS)
  t.test(`fault: ${name}`, async (t) => {
    t.ok(judged((records) => void change(records)).some((one) => fault.test(one)))
  })
