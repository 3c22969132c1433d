/** Limits, pauses and fairness of destinations, in a world where time is moved from one event to the next. */
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { HOUR, ManualClock, MINUTE, SECOND } from '../../../src/lib/clock.js'
import {
  createDestinations,
  LONGEST_PAUSE_MS,
  type DestinationState,
} from '../../../src/relay/delivery/destinations.js'
import { RETRY_WAITS_MS } from '../../../src/relay/schedule.js'
import { placesFor, Slots, type Slot } from '../../../src/relay/delivery/slots.js'

/** How long a delivery to a destination takes, and how it goes. */
type Server = (destination: string, now: number) => { ms: number; state: DestinationState }
interface Mail {
  destination: string
  lane: string
}

function setUp({ concurrency = 20, perDestination = 5 } = {}) {
  const clock = new ManualClock()
  const events: { at: number; call: () => void }[] = []
  const after = (ms: number, call: () => void): (() => void) => {
    const event = { at: clock.now() + ms, call }
    events.push(event)
    return () => void (events.includes(event) && events.splice(events.indexOf(event), 1))
  }
  const jitter = (): number => 0
  const destinations = createDestinations({ clock, jitter, perDestination })
  const slots = new Slots({ concurrency, perDestination, clock, destinations, jitter, after })
  const atOnce = new Map<string, number>()
  const most = { all: 0, destination: 0 }
  const deliveries: { destination: string; lane: string; startedAt: number; state: DestinationState }[] = []
  let sentBack = 0
  let inVain = 0

  const count = (destination: string, by: number): void => {
    atOnce.set(destination, (atOnce.get(destination) ?? 0) + by)
    most.destination = Math.max(most.destination, atOnce.get(destination) ?? 0)
    most.all = Math.max(
      most.all,
      [...atOnce.values()].reduce((sum, n) => sum + n, 0),
    )
  }
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void after(Math.max(ms, 1), resolve))

  return {
    clock,
    destinations,
    slots,
    deliveries,
    most,
    sentBack: () => sentBack,
    /** Taken out of the queue for nothing, because there was no room. */
    inVain: () => inVain,
    /** A worker with places for so many tasks works these, until the time is over; deliveries are what it did. */
    async run(mails: Mail[], server: Server, ms: number): Promise<void> {
      const until = clock.now() + ms
      const queue = [...mails]
      const places = placesFor(concurrency)
      let used = 0
      const back: { at: number; mail: Mail }[] = []
      /** By what they wait for, the one whose lane was served longest ago first. */
      const parked = new Map<string, Mail[]>()
      const served = new Map<string, number>()
      let turns = 0
      const park = (name: string, mail: Mail): void => void parked.set(name, [...(parked.get(name) ?? []), mail])
      const begin = (mail: Mail): void => {
        used++
        void work(mail).finally(() => {
          used--
          fill()
        })
      }
      const work = async (mail: Mail): Promise<void> => {
        const entry = await slots.enter(mail, new AbortController().signal)
        if (entry.kind === 'full') {
          inVain++
          park(entry.waitFor, mail)
          return
        }
        if (entry.kind === 'paused') {
          sentBack++
          back.push({ at: entry.comeAgainAt, mail })
          after(Math.max(entry.comeAgainAt - clock.now(), 1), fill)
          return
        }
        const { ms: takes, state } = server(mail.destination, clock.now())
        deliveries.push({ ...mail, startedAt: clock.now(), state })
        count(mail.destination, 1)
        await wait(takes)
        count(mail.destination, -1)
        entry.slot.leave({ state, answer: state })
        if (state !== 'fine') back.push({ at: clock.now() + HOUR, mail })
      }
      const fill = (): void => {
        const now = clock.now()
        for (let i = 0; i < back.length && used < places;) {
          const one = back[i]
          if (one && one.at <= now) {
            back.splice(i, 1)
            queue.unshift(one.mail)
          } else i++
        }
        const mayEnter = slots.ask()
        for (const [name, mails] of parked) {
          while (mails.length > 0 && used < places && mayEnter(name)) {
            const turnOf = ({ lane }: Mail): number => served.get(lane) ?? 0
            const [next] = [...mails].sort((a, b) => turnOf(a) - turnOf(b))
            if (!next) break
            mails.splice(mails.indexOf(next), 1)
            served.set(next.lane, ++turns)
            begin(next)
          }
          if (mails.length === 0) parked.delete(name)
        }
        for (
          let mail = used < places ? queue.shift() : undefined;
          mail;
          mail = used < places ? queue.shift() : undefined
        ) {
          const { destination } = mail
          if (parked.has(destination) || !mayEnter(destination)) park(destination, mail)
          else begin(mail)
        }
      }
      fill()
      for (;;) {
        await turn()
        const next = events.reduce((first, one) => (one.at < (first?.at ?? Infinity) ? one : first), events[0])
        if (!next || next.at > until) break
        clock.advance(next.at - clock.now())
        events.splice(events.indexOf(next), 1)
        next.call()
      }
      clock.advance(Math.max(until - clock.now(), 0))
    },
  }
}

async function slotOf(slots: ReturnType<typeof setUp>['slots'], destination: string, lane = 'a'): Promise<Slot> {
  const entry = await slots.enter({ destination, lane }, new AbortController().signal)
  if (entry.kind !== 'slot') throw new Error(`no slot, but ${entry.kind}`)
  return entry.slot
}

const fine = { state: 'fine' as const, answer: '250 ok' }
const dead = { state: 'unreachable' as const, answer: 'no answer' }

t.test(
  'a destination that fails is left alone, then tried by one delivery only, then at full speed step by step',
  async (t) => {
    const { clock, slots } = setUp()
    const signal = new AbortController().signal
    const enter = () => slots.enter({ destination: 'peer.test', lane: 'a' }, signal)
    ;(await slotOf(slots, 'peer.test')).leave(dead)
    t.match(await enter(), { kind: 'paused', answer: 'no answer' })
    clock.advance(45 * SECOND)
    const probe = await slotOf(slots, 'peer.test')
    t.match(await enter(), { kind: 'full', waitFor: 'peer.test' }, 'no second one beside the probe')
    t.equal(slots.ask()('peer.test'), false)
    probe.leave(dead)
    t.equal(slots.ask()('peer.test'), true, 'who waited for the probe is to hear of it')
    t.match(await enter(), { kind: 'paused' })
    clock.advance(45 * SECOND)
    t.match(await enter(), { kind: 'paused' }, 'the second pause is longer')
    clock.advance(45 * SECOND)
    ;(await slotOf(slots, 'peer.test')).leave(fine)
    const two = [await slotOf(slots, 'peer.test'), await slotOf(slots, 'peer.test')]
    const third = enter()
    for (const slot of two) slot.leave(fine)
    const entry = await third
    if (entry.kind !== 'slot') throw new Error(entry.kind)
    const five = [entry.slot, ...(await Promise.all([1, 2, 3, 4].map(() => slotOf(slots, 'peer.test'))))]
    t.equal(five.length, 5, 'full speed')
  },
)

t.test(
  'pauses grow, end before the next try of a lone message, and are never longer than three quarters of an hour',
  async (t) => {
    for (const jitter of [-1, 0, 0.999]) {
      const clock = new ManualClock()
      const destinations = createDestinations({ clock, jitter: () => jitter, perDestination: 5 })
      let before = 0
      // What was known is forgotten within the longest waits.
      for (const wait of RETRY_WAITS_MS.slice(0, 9)) {
        destinations.report('peer.test', destinations.epoch, 'unreachable', 'no answer')
        const admission = destinations.admission('peer.test')
        if (admission.open) throw new Error('open')
        t.ok(admission.pauseMs >= before)
        t.ok(admission.pauseMs < wait * 0.9)
        t.ok(admission.pauseMs <= LONGEST_PAUSE_MS * 1.1)
        before = admission.pauseMs
        clock.advance(wait)
      }
    }
  },
)

t.test(
  'five deliveries that fail together are one failure, and what began before it says nothing of afterwards',
  async (t) => {
    const { clock, slots, destinations } = setUp()
    ;(await slotOf(slots, 'peer.test')).leave(fine)
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => slotOf(slots, 'peer.test')))
    for (const slot of five.slice(0, 4)) slot.leave(dead)
    t.match(destinations.admission('peer.test'), { open: false, until: clock.now() + 45 * SECOND })
    five[4]?.leave(fine)
    t.match(destinations.admission('peer.test'), { open: false })
    t.equal(destinations.paused(), 1)
  },
)

t.test('who waits in the line of a destination is sent back when it fails', async (t) => {
  const { slots } = setUp({ perDestination: 1 })
  const slot = await slotOf(slots, 'peer.test')
  const waiting = slots.enter({ destination: 'peer.test', lane: 'b' }, new AbortController().signal)
  slot.leave(dead)
  t.match(await waiting, { kind: 'paused' })
})

t.test('mail to a hundred thousand dead domains is remembered of ten thousand', async (t) => {
  const destinations = createDestinations({ clock: new ManualClock(), jitter: () => 0, perDestination: 5 })
  for (let n = 0; n < 100_000; n++) destinations.report(`${n}.test`, destinations.epoch, 'unreachable', 'no answer')
  t.equal(destinations.paused(), 10_000)
  t.match(destinations.admission('99999.test'), { open: false })
  t.match(destinations.admission('1.test'), { open: true, atOnce: 2 })
})

t.test('never more deliveries at once than allowed: to a destination, to a host, and in all', async (t) => {
  const { run, most, deliveries } = setUp({ concurrency: 6, perDestination: 2 })
  const mails = Array.from({ length: 400 }, (_, n) => ({ destination: `${n % 4}.test`, lane: `mbx_${n % 3}` }))
  await run(mails, () => ({ ms: 100, state: 'fine' }), 5 * MINUTE)
  t.equal(deliveries.length, 400)
  t.equal(most.all, 6)
  t.equal(most.destination, 2, 'to each')
})

t.test('domains that share a host share its limit', async (t) => {
  const { slots } = setUp({ perDestination: 2 })
  const first = await slotOf(slots, 'a.test')
  const second = await slotOf(slots, 'b.test')
  const third = await slotOf(slots, 'c.test')
  t.equal(first.goesTo('mx.test'), undefined)
  t.equal(second.goesTo('mx.test'), undefined)
  t.match(third.goesTo('mx.test'), { waitFor: 'host mx.test' })
  t.equal(slots.ask()('host mx.test'), false)
  third.leave()
  const waiting = slots.enter({ destination: 'c.test', lane: 'a' }, new AbortController().signal)
  const elsewhere = await slotOf(slots, 'd.test')
  t.equal(elsewhere.goesTo('other.test'), undefined, 'another host has room')
  first.leave(fine)
  t.match(await waiting, { kind: 'slot' }, 'known from the last time, so it waits in line')
  second.leave(fine)
  const mayEnter = slots.ask()
  t.same([mayEnter('host mx.test'), mayEnter('host mx.test')], [true, false], 'as many as have left')
})

t.test('at a busy destination one message does not wait for all of a mailbox that sends much', async (t) => {
  const { run, deliveries } = setUp({ concurrency: 20, perDestination: 2 })
  const many = Array.from({ length: 500 }, () => ({ destination: 'peer.test', lane: 'mbx_many' }))
  const mails = [...many.slice(0, 60), { destination: 'peer.test', lane: 'mbx_one' }, ...many]
  await run(mails, () => ({ ms: 200, state: 'fine' }), 10 * SECOND)
  const place = deliveries.findIndex(({ lane }) => lane === 'mbx_one')
  t.ok(place >= 0 && place <= 15, `delivered as number ${place + 1}`)
})

const LIVING = 10
const living = (n: number): Mail => ({ destination: `living-${n % LIVING}.test`, lane: `mbx_${n % 7}` })
const rateOf = async (
  others: Mail[],
  server: Server,
): Promise<{ delivered: number; sentBack: number; inVain: number }> => {
  const world = setUp()
  const mails = Array.from({ length: 3000 }, (_, n) => living(n))
  // One of the others for each living, as they would come out of the queue.
  const mixed = mails.flatMap((mail, n) => (others[n] ? [others[n], mail] : [mail]))
  await world.run(mixed, server, 15 * SECOND)
  const delivered = world.deliveries.filter(({ destination }) => destination.startsWith('living')).length
  return { delivered, sentBack: world.sentBack(), inVain: world.inVain() }
}
const aliveOr =
  (other: { ms: number; state: DestinationState }): Server =>
  (destination) =>
    destination.startsWith('living') ? { ms: 120, state: 'fine' } : other

t.test(
  'dead and slow destinations take less than a tenth of their rate from the living, hundreds of new ones at once less than a fifth',
  async (t) => {
    const alone = await rateOf([], aliveOr({ ms: 120, state: 'fine' }))
    t.ok(alone.delivered > 2200, `${alone.delivered} alone`)
    const some = (name: string, destinations: number, mails: number): Mail[] =>
      Array.from({ length: mails }, (_, n) => ({
        destination: `${name}-${n % destinations}.test`,
        lane: `mbx_${n % 7}`,
      }))
    const cases = [
      {
        what: 'ten that do not answer, half of all mail',
        mails: some('dead', 10, 3000),
        other: { ms: 30_000, state: 'unreachable' as const },
      },
      {
        what: 'ten that refuse the connection',
        mails: some('closed', 10, 3000),
        other: { ms: 1, state: 'unreachable' as const },
      },
      {
        what: 'ten tarpits that take every message, in 20 seconds',
        mails: some('tarpit', 10, 3000),
        other: { ms: 20_000, state: 'fine' as const },
      },
      {
        what: 'three hundred dead ones with one message each',
        mails: some('each', 300, 300),
        other: { ms: 30_000, state: 'unreachable' as const },
      },
    ]
    for (const { what, mails, other } of cases) {
      const { delivered, sentBack, inVain } = await rateOf(mails, aliveOr(other))
      const share = what.startsWith('three hundred') ? 0.8 : 0.9
      t.ok(delivered >= share * alone.delivered, `${what}: ${delivered} of ${alone.delivered}`)
      t.ok(sentBack < 4 * (mails.length + 3000), `${what}: sent back ${sentBack} times, so nobody turns in circles`)
      t.equal(inVain, 0, `${what}: nobody is taken out of the queue for whom there is no room`)
    }
  },
)
