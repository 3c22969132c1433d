/**
 * Front processes: SMTP sessions, their TLS and the judging of messages, on every core but that of the store. They accept connections from sockets that the
 * kernel shares between them; this process answers their questions (mx/intake/). A front that dies or hangs costs its open sessions, never acknowledged mail,
 * and is replaced.
 */
import cluster, { type Worker } from 'node:cluster'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { SECOND } from '../../lib/clock.js'
import { addForwarded } from '../../observe/forwarded.js'
import { writeLines, type Logger } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import type { Certificate } from '../../smtp/tls.js'
import type { Intakes } from '../intake/intake.js'
import type { Intake } from '../intake/types.js'
import { createChannel, type Channel } from './channel.js'
import type { FrontMethods, IntakeMethods } from './protocol.js'
import type { FrontSettings, SentCertificate } from './settings.js'

export interface FrontsDeps {
  /** At least 1. */
  count: number
  /** Entry file of a front process. */
  entry: URL
  settings: Omit<FrontSettings, 'certificate'>
  certificate: Certificate | undefined
  intakes: Intakes
  log: Logger
  metrics: Metrics
  /** Time without an answer to a ping after which a front is replaced. */
  silentMs?: number
}

interface Front {
  worker: Worker
  channel: Channel<FrontMethods>
  exited: Promise<void>
}

/** V8 heap of a front, many times what the largest message needs. */
const MAX_HEAP_MB = 1024
const CHANNEL = 4
/** Far longer than the costliest message takes. */
const SILENT_MS = 60 * SECOND
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 30 * SECOND
/** A front that ran for this long is replaced at once. */
const STEADY_MS = 60 * SECOND

/** Resolves when all fronts listen. @throws Error if an address is not available */
export async function startFronts(deps: FrontsDeps) {
  const { count, entry, intakes, log, metrics, silentMs = SILENT_MS } = deps
  const fronts = new Set<Front>()
  let { certificate } = deps
  let { logLevel } = deps.settings
  let isClosing = false

  // The kernel gives each connection to a front that waits for one; handing sockets over costs twice as much. It is fixed by the next call.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: fileURLToPath(entry),
    args: [],
    execArgv: [...process.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
  })

  async function start(pauseMs: number): Promise<void> {
    const startedAt = performance.now()
    const worker = cluster.fork(bareEnvironment())
    const stream = worker.process.stdio[CHANNEL] as Duplex
    const intake = intakes.for({ makeRoom: (network) => channel.call('makeRoom', network) })
    const channel = createChannel<IntakeMethods, FrontMethods>({
      stream,
      methods: methodsOf(intake, deps),
      maxBodyBytes: deps.settings.limits.maxMessageBytes,
      onFault(err) {
        log.error({ err }, 'a front process sent an invalid frame and is replaced')
        worker.process.kill('SIGKILL')
      },
    })
    const endGauges = metrics.contribute(() => channel.call('gauges', null).catch(() => ({})))
    let pinging: NodeJS.Timeout | undefined
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code, signal) => {
        fronts.delete(front)
        clearInterval(pinging)
        endGauges()
        channel.close()
        intake.close()
        resolve()
        if (isClosing || !isListening) return
        log.error({ code, signal }, 'a front process ended and is replaced')
        const pause = performance.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : pauseMs
        setTimeout(() => void replace(pause), pause).unref()
      })
    })
    // Failures to start end in `exit`, too.
    worker.on('error', (err) => log.error({ err }, 'a front process failed'))
    const front: Front = { worker, channel, exited }
    let isListening = false
    fronts.add(front)
    try {
      const shown = certificate && sentCertificate(certificate)
      await channel.call('start', { ...deps.settings, logLevel, certificate: shown })
      isListening = true
      pinging = setInterval(() => void ping(worker, channel), silentMs / 4).unref()
    } catch (error) {
      worker.process.kill('SIGKILL')
      await exited
      throw error
    }
  }

  async function replace(pauseMs: number): Promise<void> {
    if (isClosing) return
    const next = Math.min(2 * pauseMs, MAX_PAUSE_MS)
    try {
      await start(next)
    } catch (err) {
      log.error({ err, retry_ms: next }, 'a front process could not be replaced')
      setTimeout(() => void replace(next), next).unref()
    }
  }

  async function ping(worker: Worker, channel: Channel<FrontMethods>): Promise<void> {
    const timer = setTimeout(() => {
      log.error({}, 'a front process does not answer and is replaced')
      worker.process.kill('SIGKILL')
    }, silentMs).unref()
    await channel.call('ping', null).catch(() => undefined)
    clearTimeout(timer)
  }

  /** Each front gets its grace; what still runs then is killed. */
  async function close(graceMs = 10 * SECOND): Promise<void> {
    isClosing = true
    await Promise.all(
      [...fronts].map(async ({ worker, channel, exited }) => {
        const kill = setTimeout(() => worker.process.kill('SIGKILL'), graceMs + SECOND).unref()
        await channel.call('close', graceMs).catch(() => worker.process.kill('SIGKILL'))
        await exited
        clearTimeout(kill)
      }),
    )
  }

  try {
    await Promise.all(Array.from({ length: count }, () => start(FIRST_PAUSE_MS)))
  } catch (error) {
    isClosing = true
    for (const { worker } of fronts) worker.process.kill('SIGKILL')
    await Promise.all([...fronts].map(({ exited }) => exited))
    throw error
  }

  return {
    get pids(): number[] {
      return [...fronts].flatMap(({ worker }) => worker.process.pid ?? [])
    },
    setCertificate(fresh: Certificate | undefined): void {
      certificate = fresh
      for (const { channel } of fronts) channel.tell('certificate', fresh && sentCertificate(fresh))
    },
    setLevel(level: string): void {
      logLevel = level
      for (const { channel } of fronts) channel.tell('level', level)
    },
    close,
  }
}

function methodsOf(intake: Intake, { log, metrics }: Pick<FrontsDeps, 'log' | 'metrics'>): IntakeMethods {
  return {
    arrive: ({ connection, ip }) => intake.arrive(connection, ip),
    left: (connection) => intake.left(connection),
    mail: (connection) => intake.mail(connection),
    recipient: ({ connection, ...question }) => intake.recipient(connection, question),
    message: (message, raw = Buffer.alloc(0)) => intake.message({ ...message, raw }, () => undefined),
    receipt: (receipt) => intake.receipt(receipt),
    log: (lines) => writeLines(log, lines),
    metrics: (changes) => addForwarded(metrics, changes),
  }
}

function sentCertificate({ key, cert, byName = new Map() }: Certificate): SentCertificate {
  return { key, cert, byName: [...byName] }
}

/** Settings and secrets in the environment are not for a process that meets strangers. */
function bareEnvironment(): Record<string, undefined> {
  const kept = new Set(['PATH', 'TZ', 'LANG', 'LC_ALL', 'NODE_ENV', 'NODE_EXTRA_CA_CERTS'])
  return Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => !kept.has(name))
      .map((name) => [name, undefined]),
  )
}
