/**
 * CPU of a message, in and out, of this checkout and of another one (`BENCH_BESIDE`, the folder of a built checkout) by turns: both daemons live at
 * once, and each round gives the same mail to one and then to the other. A round ends when its daemon is quiet, so that nothing that follows a
 * message is left out.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { countsPer, storeCounts, type StoreCounts } from './support/counts.js'
import { lengthOf, messagesOf, roundsOf } from './support/length.js'
import { startLoad } from './support/load.js'
import { makeSigningKey } from './support/messages.js'
import { post } from './support/post.js'
import { threadCpuMs } from './processes/process.js'
import { benchDns } from './receiver.js'
import { startSink } from './peers/sink.js'
import { median, table, type Row } from './support/table.js'

const MESSAGES = messagesOf(1000, 100)
const ROUNDS = roundsOf(5)
/** Rounds that are not counted, while the compiler learns. */
const WARM_UP = lengthOf(2, 0, 'BENCH_WARM_UP')
const BODY_BYTES = 4096
const CONNECTIONS = { in: 50, out: 20 }
/** A daemon that used less than `QUIET_MS` of CPU in `LOOK_MS` is quiet. */
const LOOK_MS = 1500
const QUIET_MS = Number(process.env['BENCH_QUIET_MS'] ?? 20)
const LOOKS = 40

/** Another program to run the daemons, such as one that takes profiles of them. */
const NODE = process.env['BENCH_NODE'] === undefined ? {} : { node: process.env['BENCH_NODE'] }

/** Settings of this checkout alone, `name=value` with commas between them. */
const SETTINGS = Object.fromEntries(
  (process.env['BENCH_SETTINGS'] ?? '')
    .split(',')
    .filter(Boolean)
    .map((setting) => setting.split('=')),
) as Record<string, string>
const settingsOf = (name: string): Record<string, string> => (name === 'this' ? SETTINGS : {})

/** Both at once instead of by turns: what else the machine does is in both alike. */
const IS_TOGETHER = process.env['BENCH_TOGETHER'] !== undefined

type Stops = (() => Promise<unknown>)[]

interface Side {
  name: string
  daemon: Daemon
  /** Gives it the mail of a round; resolves when all of it was taken. */
  pour(round: number): Promise<unknown>
  costs: Cost[]
}

/** For one message, in milliseconds. */
interface Cost {
  /** Messages a second until all were taken. */
  rate: number
  total: number
  main: number
  /** Worker threads, the thread pool and V8's own. */
  others: number
  /** Each of those others that worked, in the order in which they were started: V8's first. */
  threads: number[]
  counts: StoreCounts
}

export async function turns(): Promise<string> {
  const beside = process.env['BENCH_BESIDE']
  const checkouts: [string, string][] = [
    ...(beside === undefined ? [] : [['beside', beside] satisfies [string, string]]),
    ['this', process.cwd()],
  ]
  const chosen = process.env['BENCH_STORY']
  const tables: string[] = []
  if (chosen !== 'out') tables.push(await story('Mail in', checkouts, mailIn))
  if (chosen !== 'in') tables.push(await story('Mail out', checkouts, mailOut))
  return tables.join('\n')
}

async function story(
  title: string,
  checkouts: [string, string][],
  sidesOf: (checkouts: [string, string][], stops: Stops) => Promise<Side[]>,
): Promise<string> {
  const stops: Stops = []
  try {
    const sides = await sidesOf(checkouts, stops)
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const turn = async (side: Side): Promise<void> => {
        const cost = await costOf(side, round)
        if (round >= WARM_UP) side.costs.push(cost)
        process.stderr.write(`${title} ${round} ${side.name}: ${JSON.stringify(cost)}\n`)
      }
      if (IS_TOGETHER) await Promise.all(sides.map(turn))
      else for (const side of round % 2 === 0 ? sides : sides.toReversed()) await turn(side)
    }
    const rows = sides.map((side): Row => {
      const totals = side.costs.map(({ total }) => total)
      const own = median(totals)
      const half = (part: 'main' | 'others'): string => median(side.costs.map((cost) => cost[part])).toFixed(2)
      return {
        what: side.name,
        value: `${own.toFixed(2)} ms CPU a message (${Math.min(...totals).toFixed(2)} to ${Math.max(...totals).toFixed(2)})`,
        beside: `${Math.round(median(side.costs.map((cost) => cost.rate)))}/s; main thread ${half('main')}, others ${half('others')}${written(side.costs.at(-1)?.counts)}`,
        ratio: ratioText(side, sides[0]),
      }
    })
    return table(`${title}: CPU by turns (median of ${ROUNDS} rounds of ${MESSAGES} messages of 4 KB)`, rows)
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

const round2 = (value: number): number => Math.round(value * 100) / 100

async function costOf({ daemon, pour }: Side, round: number): Promise<Cost> {
  await quiet(daemon)
  const [threads, before] = [await threadCpuMs(daemon.pid()), await storeCounts(daemon)]
  const begun = performance.now()
  await pour(round)
  const rate = (MESSAGES * 1000) / (performance.now() - begun)
  await quiet(daemon)
  const after = await threadCpuMs(daemon.pid())
  const spent = (id: number): number => (after.get(id) ?? 0) - (threads.get(id) ?? 0)
  const main = spent(daemon.pid()) / MESSAGES
  const total = [...after.keys()].reduce((sum, id) => sum + spent(id), 0) / MESSAGES
  const counts = countsPer(before, await storeCounts(daemon), MESSAGES)
  const others = [...after.keys()].filter((id) => id !== daemon.pid()).map((id) => round2(spent(id) / MESSAGES))
  return {
    rate: Math.round(rate),
    total,
    main,
    others: total - main,
    threads: others.filter((ms) => ms >= 0.02),
    counts,
  }
}

/** Round by round, so that a busy minute of the machine is in both. */
function ratioText(side: Side, first: Side | undefined): string {
  if (!first || side === first) return ''
  const ratios = side.costs.map(({ total }, n) => total / (first.costs[n]?.total ?? Number.NaN))
  return `${median(ratios).toFixed(2)} of it (median of the rounds; ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`
}

/** The store of an older checkout counts nothing. */
function written(counts: StoreCounts | undefined): string {
  if (!counts || counts.gets === 0) return ''
  const { gets, ranges, commits, rows, bytes } = counts
  return `; ${gets} gets, ${ranges} ranges, ${commits} commits, ${rows} rows, ${(bytes / 1000).toFixed(1)} kB`
}

async function quiet(daemon: Daemon): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const before = await sumOfThreads(daemon)
    await pause(LOOK_MS)
    if ((await sumOfThreads(daemon)) - before < QUIET_MS) return
  }
  throw new Error(`not quiet within ${(LOOKS * LOOK_MS) / 1000} s`)
}

async function sumOfThreads(daemon: Daemon): Promise<number> {
  return [...(await threadCpuMs(daemon.pid())).values()].reduce((sum, ms) => sum + ms, 0)
}

async function mailIn(checkouts: [string, string][], stops: Stops): Promise<Side[]> {
  const key = makeSigningKey()
  const dns = await benchDns(key.record)
  stops.push(() => dns.close())
  const sides: Side[] = []
  for (const [name, checkout] of checkouts) {
    const daemon = await startDaemon({ 'server.dns': dns.address, ...settingsOf(name) }, { checkout, ...NODE })
    stops.push(() => ended(daemon))
    const agent = await approvedAgent(daemon, 'bench.agent')
    const load = startLoad()
    stops.push(() => load.stop())
    const pour = async (round: number): Promise<void> => {
      await load.write({ to: agent.address, bytes: BODY_BYTES, pem: key.pem, seed: round, messages: MESSAGES })
      const { refused } = await load.pour({ port: daemon.smtpPort, connections: CONNECTIONS.in })
      if (Object.keys(refused).length > 0) throw new Error(`${name} refused: ${JSON.stringify(refused)}`)
    }
    sides.push({ name, daemon, pour, costs: [] })
  }
  return sides
}

async function mailOut(checkouts: [string, string][], stops: Stops): Promise<Side[]> {
  const sides: Side[] = []
  for (const [name, checkout] of checkouts) {
    const sink = await startSink()
    stops.push(() => sink.stop())
    const settings = {
      'limits.new_recipients_per_day': '1000000',
      'limits.requests_per_minute': '1000000',
      'limits.account_requests_per_minute': '1000000',
      'relay.smarthost': `127.0.0.1:${sink.port}`,
      'relay.per_destination': String(CONNECTIONS.out),
      'relay.concurrency': String(CONNECTIONS.out),
    }
    const daemon = await startDaemon({ ...settings, ...settingsOf(name) }, { checkout, ...NODE })
    stops.push(() => ended(daemon))
    const keys: string[] = []
    for (const agent of ['ada', 'bela', 'carla', 'dinesh', 'emeka'])
      keys.push((await approvedAgent(daemon, `${agent}.agent`)).key)
    const domains = ['one.example', 'two.example', 'three.example', 'four.example', 'five.example']
    const pour = async (seed: number): Promise<void> => {
      const before = sink.taken()
      const order = { url: daemon.url, keys, connections: CONNECTIONS.out, seed, messages: MESSAGES }
      await post({ ...order, bytes: BODY_BYTES, domains })
      await sink.reached(before + MESSAGES)
    }
    sides.push({ name, daemon, pour, costs: [] })
  }
  return sides
}

/** Of its own accord, so that a profile of it is written. */
async function ended(daemon: Daemon): Promise<void> {
  await daemon.end('SIGTERM')
  await daemon.remove()
}
