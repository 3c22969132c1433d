/** The day's numbers: what a minute is made of, that a restart loses none, and that it stays a day however long it runs. */
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DAY, HOUR, ManualClock, MINUTE, SECOND, timestamp } from '../../../src/lib/clock.js'
import { DAY_FOLDER, openDayFile } from '../../../src/observe/day/file.js'
import { createNow } from '../../../src/observe/day/now.js'
import { startRecorder } from '../../../src/observe/day/recorder.js'
import { COUNTS, LATENCIES, LEVELS, type Source } from '../../../src/observe/day/series.js'
import { dayView } from '../../../src/observe/day/view.js'
import { createMetrics, DURATION_BUCKETS } from '../../../src/observe/metrics.js'
import { captureLog } from '../../support/log.js'
import { declaredMetrics } from '../../docs/declared-metrics.js'

/** One run of the daemon: its metrics begin at nothing, the folder is what it was. */
async function run(t: Test, { dir, clock, lines }: { dir: string; clock: ManualClock; lines?: number }) {
  const metrics = createMetrics()
  const messages = metrics.counter('mx_messages_total', 'x', ['reply'])
  const seconds = metrics.histogram('mx_message_seconds', 'x', DURATION_BUCKETS)
  const attempts = metrics.histogram('relay_destination_attempt_seconds', 'x', [1, 5], ['destination'])
  let open = 0
  metrics.gauge('mx_connections', 'x', () => open)
  const own = {
    read: () => ({ memory_bytes: 100 + open, loop_delay_ms: 3 }),
    restart: () => undefined,
    stop: () => undefined,
  }
  const { log, lines: logged } = captureLog()
  const recorder = await startRecorder({ metrics, file: openDayFile(dir, lines), clock, log, own })
  t.teardown(() => recorder.stop())
  return {
    recorder,
    metrics,
    logged,
    attempts,
    take: (reply = '250 2.0.0', ms = 20) => (messages.inc({ reply }), seconds.observe(ms / 1000)),
    connections: (count: number) => (open = count),
    async minute() {
      clock.advance(MINUTE)
      await recorder.record()
    },
  }
}

t.test('a minute has what came in it, and how things stood at its end', async (t) => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)
  const day = await run(t, { dir: t.testdir(), clock })
  day.take()
  day.take()
  day.take('550 5.1.1')
  await day.minute()
  day.take('250 2.0.0', 400)
  day.connections(4)
  await day.minute()
  await day.minute()

  const { steps } = dayView(await day.recorder.minutes(), clock.now(), '1m')
  t.equal(steps.length, 120)
  t.match(steps.at(-4), {
    at: '2026-01-01T12:00:00.000Z',
    minutes: 1,
    counts: { mail_accepted: 2, mail_refused: 1, delivered: 0 },
    levels: { smtp_connections: 0, memory_bytes: 100, queue_waiting: null },
    latency: { reply: { count: 3 }, delivery: { count: 0, p50_seconds: null } },
  })
  t.match(steps.at(-3), { counts: { mail_accepted: 1 }, levels: { smtp_connections: 4, memory_bytes: 104 } })
  const p50 = steps.at(-3)?.latency.reply.p50_seconds ?? 0
  t.ok(p50 > 0.25 && p50 <= 0.5, `${p50} is within the bucket that 400 ms fell into`)
  t.match(steps.at(-2), { counts: { mail_accepted: 0 }, latency: { reply: { count: 0 } } })
  t.match(steps[0], { minutes: 0, levels: { smtp_connections: null } }, 'nothing ran then')
})

t.test('ten minutes are the sum of theirs', async (t) => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)
  const day = await run(t, { dir: t.testdir(), clock })
  for (let i = 0; i < 25; i++) {
    day.take()
    await day.minute()
  }
  const { steps, step_seconds: seconds } = dayView(await day.recorder.minutes(), clock.now(), '10m')
  t.same([steps.length, seconds], [144, 600])
  t.same(
    steps.slice(-4).map(({ at, minutes, counts }) => [at.slice(11, 16), minutes, counts.mail_accepted]),
    [
      ['11:50', 0, 0],
      ['12:00', 10, 10],
      ['12:10', 10, 10],
      ['12:20', 6, 5],
    ],
  )
})

t.test('a restart loses nothing, and the minute in which it was is one', async (t) => {
  const [dir, clock] = [t.testdir(), new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)]
  const first = await run(t, { dir, clock })
  first.take()
  await first.minute()
  first.take()
  clock.advance(10 * SECOND)
  await first.recorder.stop()
  const second = await run(t, { dir, clock })
  second.take()
  await second.minute()
  const found = dayView(await second.recorder.minutes(), clock.now(), '1m').steps.slice(-3)
  t.same(
    found.map(({ counts }) => counts.mail_accepted),
    [1, 2, 0],
  )
})

t.test('what a crash leaves half written costs that line alone; the next one is whole', async (t) => {
  const [dir, clock] = [t.testdir(), new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)]
  const first = await run(t, { dir, clock })
  first.take()
  await first.minute()
  await appendFile(join(dir, DAY_FOLDER, 'minutes.jsonl'), '{"at":17672688')
  const second = await run(t, { dir, clock })
  second.take()
  await second.minute()
  const third = await run(t, { dir, clock })
  const counts = dayView(await third.recorder.minutes(), clock.now(), '1m').steps.slice(-3)
  t.same(
    counts.map((step) => step.counts.mail_accepted),
    [1, 1, 0],
  )
  t.equal((await stat(join(dir, DAY_FOLDER, 'minutes.jsonl'))).mode & 0o777, 0o600)
})

t.test('a day is kept, on disk two of them at most', async (t) => {
  const [dir, clock] = [t.testdir(), new ManualClock(Date.UTC(2026, 0, 1) + 20)]
  const day = await run(t, { dir, clock, lines: 10 })
  for (let i = 0; i < 34; i++) await day.minute()
  const lines = async (name: string) =>
    (await readFile(join(dir, DAY_FOLDER, name), 'utf8')).split('\n').filter((line) => line !== '').length
  t.same([await lines('minutes.jsonl'), await lines('minutes.earlier.jsonl')], [4, 10])
  const again = await run(t, { dir, clock })
  t.equal((await again.recorder.minutes()).length, 15, 'both files are read, and the minute that runs is there')
  clock.advance(DAY)
  await again.recorder.record()
  t.same(
    (await again.recorder.minutes()).map(({ at }) => timestamp(at)),
    ['2026-01-02T00:34:00.000Z'],
  )
})

t.test('a clock that goes back: what is ahead of it goes, and the day goes on', async (t) => {
  const [dir, clock] = [t.testdir(), new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)]
  const day = await run(t, { dir, clock })
  day.take()
  await day.minute()
  clock.advance(-HOUR)
  await day.recorder.record()
  t.same(
    (await day.recorder.minutes()).map(({ at }) => timestamp(at)),
    ['2026-01-01T11:01:00.000Z'],
  )
  day.take()
  await day.minute()
  await day.minute()
  const minutes = await day.recorder.minutes()
  t.same(
    minutes.map(({ counts }) => counts.mail_accepted),
    [1, 0, 0],
  )
  t.same((await (await run(t, { dir, clock })).recorder.minutes()).length, 3, 'and after a restart')
})

t.test('a folder that cannot be written is told of once, and the day goes on in memory', async (t) => {
  const [dir, clock] = [t.testdir({ [DAY_FOLDER]: 'a file' }), new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)]
  const day = await run(t, { dir, clock })
  day.take()
  await day.minute()
  await day.minute()
  t.equal((await day.recorder.minutes())[0]?.counts.mail_accepted, 1)
  t.same(
    day.logged.map(({ msg }) => msg),
    [
      "the day's stored records cannot be read; recording begins again",
      "the day's records cannot be stored; a restart would lose them",
    ],
  )
})

t.test('minutes of another version are read as far as they can be', async (t) => {
  const [dir, clock] = [t.testdir({ [DAY_FOLDER]: {} }), new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)]
  const minute = {
    at: clock.now() - 20,
    counts: { mail_accepted: 7, unheard_of: 1 },
    levels: {},
    latency: { reply: [1] },
  }
  await writeFile(join(dir, DAY_FOLDER, 'minutes.jsonl'), `${JSON.stringify(minute)}\nnull\n[]\n{"at":-1}\n`)
  const day = await run(t, { dir, clock })
  t.match((await day.recorder.minutes())[0], {
    counts: { mail_accepted: 7, delivered: 0 },
    levels: { queue_held: null },
    latency: { reply: DURATION_BUCKETS.map(() => 0) },
  })
})

t.test('this moment: totals since the start, the last hour, and the slowest destinations', async (t) => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12) + 20)
  const day = await run(t, { dir: t.testdir(), clock })
  const now = createNow({
    day: day.recorder,
    metrics: day.metrics,
    version: '1.2.3',
    startedAt: clock.now(),
    clock,
    paused: (limit) => [{ name: `limit-${limit}.test`, until: timestamp(clock.now()), answer: 'no' }],
  })
  day.take()
  await day.minute()
  day.take()
  day.attempts.observe({ destination: 'fast.test' }, 0.1)
  day.attempts.observe({ destination: 'slow.test' }, 4)
  day.attempts.observe({ destination: 'slow.test' }, 3)
  const found = await now()
  t.match(found, {
    version: '1.2.3',
    started_at: '2026-01-01T12:00:00.020Z',
    totals: { mail_accepted: 2 },
    latency: { reply: { count: 2 } },
    paused: [{ name: 'limit-20.test' }],
  })
  t.same(found.last_hour.mail_accepted.slice(-3), [null, 1, 1])
  t.same(
    found.slowest.map(({ name, attempts, mean_seconds: mean }) => [name, attempts, mean]),
    [
      ['slow.test', 2, 3.5],
      ['fast.test', 1, 0.1],
    ],
  )
})

t.test('all that is recorded is a metric that the code declares', async (t) => {
  const declared = new Map((await declaredMetrics()).map((metric) => [metric.name, metric]))
  const sources: [string, Source][] = Object.entries({ ...COUNTS, ...LEVELS, ...LATENCIES })
  for (const [name, { metric, where }] of sources) {
    const found = declared.get(`restante_${metric}`)
    t.ok(found, `${name}: ${metric}`)
    if (!where || !found) continue
    const asked = new Set<string>()
    where(new Proxy({}, { get: (_target, label) => (asked.add(String(label)), '') }))
    t.strictSame(
      [...asked],
      found.labels.filter((label) => asked.has(label)),
      `${name} asks for a label of it`,
    )
    t.equal(asked.size, 1)
  }
})
