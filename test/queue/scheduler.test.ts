/** Whose turn it is among the tasks of a kind: entries in, the next ones out. No store, no clock. */
import fc from 'fast-check'
import t from 'tap'
import { HOUR } from '../../src/lib/clock.js'
import { Scheduler } from '../../src/queue/scheduler.js'
import { HELD, type Priority } from '../../src/queue/types.js'

const NOW = Date.UTC(2026, 0, 1)
const NONE = { waiting: 0, ready: 0, leased: 0, held: 0 }

function setUp() {
  const scheduler = new Scheduler()
  const of = (id: string) => {
    const entry = scheduler.get(id)
    if (!entry) throw new Error(`no ${id}`)
    return entry
  }
  return {
    scheduler,
    of,
    add(id: string, lane = '', priority: Priority = 1, due = NOW, room = ''): void {
      scheduler.add({ id, shard: 0, due, lane, priority, room }, NOW)
    },
    pick: (limit: number, ask?: (room: string) => boolean, now = NOW): string[] =>
      scheduler.pick(now, limit, ask).taken.map(({ id }) => id),
    /** One after the other; each is finished at once. */
    all(now = NOW): string[] {
      const ids: string[] = []
      for (;;) {
        const [entry] = scheduler.pick(now, 1).taken
        if (!entry) return ids
        ids.push(entry.id)
        scheduler.remove(entry)
      }
    },
  }
}

/** Room for so many at once, less those that have some. */
const room = (most: Record<string, number>, atWork: Record<string, number> = {}) => {
  const granted: Record<string, number> = {}
  return (name: string): boolean => {
    const used = (atWork[name] ?? 0) + (granted[name] ?? 0)
    if (used >= (most[name] ?? 0)) return false
    granted[name] = (granted[name] ?? 0) + 1
    return true
  }
}

t.test('one message waits for one of the thousand that another mailbox queued before it, not for all', async (t) => {
  const { add, pick } = setUp()
  for (let n = 0; n < 1000; n++) add(`many-${n}`, 'mbx_many')
  add('single', 'mbx_one')
  t.ok(pick(2).includes('single'))
})

t.test('lanes take turns in a round, and the earliest of a lane comes first', async (t) => {
  const { add, all } = setUp()
  const lanes = Array.from({ length: 40 }, (_, n) => `mbx_${n}`)
  for (const round of [2, 0, 1]) for (const lane of lanes) add(`${lane}:${round}`, lane, 1, NOW - 10 + round)
  const order = all()
  for (const round of [0, 1, 2])
    t.same(
      order.slice(40 * round, 40 * (round + 1)),
      lanes.map((lane) => `${lane}:${round}`),
    )
})

t.test('the first priority goes before, and the last is never starved', async (t) => {
  const { add, all } = setUp()
  for (let n = 0; n < 50; n++) for (const priority of [0, 1, 2] as const) add(`${priority}-${n}`, 'mbx_a', priority)
  const order = all().map((id) => id.slice(0, 1))
  t.equal(order[0], '0')
  const share = (priority: string): number => order.slice(0, 35).filter((one) => one === priority).length
  t.same([share('0'), share('1'), share('2')], [20, 10, 5])
})

t.test('a bulk message goes at once when nothing else is due', async (t) => {
  const { add, pick } = setUp()
  add('bulk', 'mbx_a', 2)
  t.same(pick(1), ['bulk'])
})

t.test('what is held stays, however late it is, and is counted so', async (t) => {
  const { add, all, of, scheduler } = setUp()
  add('a', 'mbx_a', 1, HELD)
  add('b', 'mbx_b')
  t.same(scheduler.counts, { ...NONE, ready: 1, held: 1 })
  t.same(all(NOW + 1000 * HOUR), ['b'])
  scheduler.take(of('a'))
  scheduler.putBack(of('a'), NOW, NOW)
  t.same(all(), ['a'])
  t.same(scheduler.counts, NONE)
})

t.test('what waits for room lets all others by, and is asked about when something ended there', async (t) => {
  const { add, of, pick, scheduler } = setUp()
  for (let n = 0; n < 400; n++) add(`slow-${n}`, 'mbx_a', 1, NOW, 'slow.test')
  for (let n = 0; n < 40; n++) add(`to-${n}`, 'mbx_a', 1, NOW, `${n}.test`)
  const most: Record<string, number> = { 'slow.test': 2 }
  for (let n = 0; n < 40; n++) most[`${n}.test`] = 1
  t.equal(pick(50, room(most)).length, 42)
  t.same(scheduler.counts, { ...NONE, leased: 42, ready: 398 })
  let asked = 0
  const none = (): boolean => {
    asked++
    return false
  }
  t.same(pick(8, none), [])
  t.equal(asked, 0, 'nobody is asked while nothing has ended')
  const first = of('slow-0')
  scheduler.remove(first)
  scheduler.roomMayHaveCome(first)
  t.same(pick(8, room(most, { 'slow.test': 1 })), ['slow-2'])
})

t.test('mailboxes take turns at a destination too', async (t) => {
  const { add, pick, scheduler } = setUp()
  for (let n = 0; n < 60; n++) add(`many-${n}`, 'mbx_many', 1, NOW, 'a.test')
  t.equal(pick(1, room({ 'a.test': 1 })).length, 1)
  pick(99, room({}))
  for (const lane of ['x', 'y', 'z']) add(`one-${lane}`, `mbx_${lane}`, 1, NOW, 'a.test')
  pick(99, room({}))
  scheduler.roomMayHaveCome()
  const next = pick(4, room({ 'a.test': 4 }))
  t.same(next.filter((id) => id.startsWith('one')).sort(), ['one-x', 'one-y', 'one-z'])
})

t.test('of ten thousand destinations some are asked about at a time, and all in turn', async (t) => {
  const { add, pick, scheduler } = setUp()
  for (let n = 0; n < 10_000; n++) add(`${n}`, '', 1, NOW, `${n}.test`)
  for (let i = 0; i < 6; i++)
    t.same(
      pick(9, () => false),
      [],
    )
  const asked = new Set<string>()
  for (let i = 0; i < 400; i++) {
    scheduler.roomMayHaveCome()
    let now = 0
    pick(9, (name) => {
      asked.add(name)
      now++
      return false
    })
    if (now > 64) t.fail(`${now} at a time`)
  }
  t.equal(asked.size, 10_000)
})

t.test('many that become due at once are moved in steps', async (t) => {
  const { add, scheduler } = setUp()
  for (let n = 0; n < 5_000; n++) add(`${n}`, '', 1, NOW + 1, 'a.test')
  let steps = 1
  while (scheduler.pick(NOW + 1, 9, () => false).more) steps++
  t.ok(steps >= 3, `${steps}`)
  t.same(scheduler.counts, { ...NONE, ready: 5_000 })
})

t.test('whatever is done to it, it is what a list of tasks would be', async (t) => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), id, due: fc.constantFrom(-2, -1, 0, 1, 3, HELD - NOW) }),
    fc.record({ do: fc.constant('move' as const), id, due: fc.constantFrom(-1, 0, 2, HELD - NOW) }),
    fc.record({ do: fc.constant('remove' as const), id }),
    fc.record({ do: fc.constant('look' as const) }),
    fc.record({ do: fc.constant('park' as const), id, room: fc.constantFrom('r', 's') }),
    fc.record({ do: fc.constant('end' as const), id, again: fc.option(fc.integer({ min: -1, max: 3 })) }),
    fc.record({ do: fc.constant('take' as const), limit: fc.integer({ min: 1, max: 4 }), r: fc.nat(2), s: fc.nat(2) }),
    fc.record({ do: fc.constant('later' as const), by: fc.integer({ min: 1, max: 3 }) }),
  )
  const lanes: Record<string, string> = { a: 'x', b: 'x', c: 'y', d: 'y' }
  const rooms: Record<string, string> = { a: 'r', c: 'r', e: 's' }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { scheduler, of } = setUp()
      const model = new Map<string, { due: number; leased: boolean; parked: boolean }>()
      let now = NOW
      for (const one of steps) {
        const task = 'id' in one ? model.get(one.id) : undefined
        if (one.do === 'later') now += one.by
        if (one.do === 'look') scheduler.roomMayHaveCome()
        if (one.do === 'add') {
          const due = Math.min(now + one.due, HELD)
          const { id } = one
          scheduler.add(
            {
              id,
              shard: 0,
              due,
              lane: lanes[id] ?? '',
              priority: 1,
              room: rooms[id] ?? '',
            },
            now,
          )
          model.set(id, { due, leased: false, parked: false })
        }
        if (one.do === 'move' && task && !task.leased) {
          const due = Math.min(now + one.due, HELD)
          scheduler.take(of(one.id))
          scheduler.putBack(of(one.id), due, now)
          model.set(one.id, { due, leased: false, parked: false })
        }
        if (one.do === 'remove' && task) {
          scheduler.remove(of(one.id))
          model.delete(one.id)
        }
        if (one.do === 'park' && task?.leased) {
          scheduler.park(of(one.id), one.room)
          task.leased = false
          task.parked = true
        }
        if (one.do === 'end' && task?.leased) {
          const entry = of(one.id)
          scheduler.roomMayHaveCome(entry)
          if (one.again === null) {
            scheduler.remove(entry)
            model.delete(one.id)
          } else {
            scheduler.putBack(entry, now + one.again, now)
            model.set(one.id, { due: now + one.again, leased: false, parked: false })
          }
        }
        if (one.do === 'take') {
          const most: Record<string, number> = { '': 9, r: one.r, s: one.s }
          const { taken } = scheduler.pick(now, one.limit, room(most))
          if (taken.length > one.limit) throw new Error('too many')
          for (const { id } of taken) {
            const of = model.get(id)
            if (!of || of.leased || (of.due > now && !of.parked)) throw new Error(`${id} is not to be taken`)
            of.leased = true
          }
        }
        scheduler.promote(now)
        const want = { ...NONE }
        for (const { due, leased, parked } of model.values())
          want[leased ? 'leased' : due === HELD ? 'held' : due <= now || parked ? 'ready' : 'waiting']++
        const is = JSON.stringify(scheduler.counts)
        if (is !== JSON.stringify(want)) throw new Error(`${is}, not ${JSON.stringify(want)}`)
      }
      // With room for all, all that is due comes out, once.
      scheduler.roomMayHaveCome()
      const ready = scheduler.counts.ready
      const rest = scheduler.pick(now, 99, () => true).taken
      if (rest.length !== ready || new Set(rest).size !== ready) throw new Error(`${rest.length} of ${ready} came out`)
    }),
    { numRuns: 2_000 },
  )
  t.pass('for 2,000 stories')
})
