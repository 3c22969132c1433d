/** A front process: SMTP sessions with their TLS, and the judging of messages. It has no store; what needs one is asked of the process that has it. */
import type { Duplex } from 'node:stream'
import { createResolver } from '../../dns/resolver.js'
import { systemClock } from '../../lib/clock.js'
import { createChannel } from '../../mx/fronts/channel.js'
import type { FrontMethods, IntakeMethods } from '../../mx/fronts/protocol.js'
import { remoteIntake } from '../../mx/fronts/remote-intake.js'
import type { FrontSettings, SentCertificate } from '../../mx/fronts/settings.js'
import { buildJudge } from '../../mx/judging/build.js'
import { createMxServer, type MxServer } from '../../mx/session/server.js'
import type { Sessions } from '../../smtp/server/door.js'
import { createForwardedMetrics } from '../../observe/forwarded.js'
import { createLogger } from '../../observe/log.js'
import type { Certificate } from '../../smtp/tls.js'
import { createLoggers } from '../layers/loggers.js'
import { createScanners } from '../layers/scanners.js'

/** @param exit ends the process */
export function runFront(stream: Duplex, exit: () => void): void {
  const clock = systemClock
  let server: MxServer | undefined
  let sessions: Sessions | undefined
  const forwarded = createForwardedMetrics((changes) => channel.tell('metrics', changes))
  const lines = createLines((text) => channel.tell('log', text))
  const loggers = createLoggers(createLogger({ level: 'info', destination: lines }))

  async function start(settings: FrontSettings): ReturnType<FrontMethods['start']> {
    const { hostname, limits, sessionLimits, dns, dnsbl, parseLimits, spamLines, dsn, certificate } = settings
    loggers.setLevel(settings.logLevel)
    const resolver = createResolver({ ...dns, clock })
    const { scanner, rspamd } = createScanners(settings.scan, {
      clock,
      log: loggers.part('scan'),
      metrics: forwarded.meter,
    })
    server = createMxServer({
      listen: settings.listen,
      hostname,
      limits,
      sessionLimits,
      clients: { resolver, dnsbl },
      judging: {
        judge: buildJudge({ authservId: hostname, parseLimits, spamLines }, { resolver, clock }),
        scanner,
        filter: rspamd,
      },
      intakeFor(own) {
        sessions = own
        return remoteIntake(channel, settings)
      },
      dsn,
      keepsReceipts: true,
      tls: certificate && certificateOf(certificate),
      clock,
      log: loggers.part('mx'),
      metrics: forwarded.meter,
    })
    await server.listen()
  }

  async function close(graceMs: number): Promise<void> {
    await server?.close(graceMs)
    forwarded.flush()
    // After the answer.
    setImmediate(() => void channel.end().then(exit))
  }

  const methods: FrontMethods = {
    start,
    makeRoom: (network) => sessions?.makeRoom(network),
    gauges: () => forwarded.gauges(),
    certificate: (certificate) => server?.setCertificate(certificate && certificateOf(certificate)),
    level: (level) => loggers.setLevel(level),
    ping: () => undefined,
    close,
  }
  const channel = createChannel<FrontMethods, IntakeMethods>({ stream, methods, maxBodyBytes: 0, onFault: exit })
  // Without the other process there is nothing to do; its end is ours.
  stream.once('close', exit)
}

function certificateOf({ key, cert, byName }: SentCertificate): Certificate {
  return { key, cert, byName: new Map(byName) }
}

/** Lines of one turn of the event loop leave together. */
function createLines(send: (text: string) => void) {
  let text = ''
  return {
    write(line: string): void {
      if (text === '') setImmediate(flush)
      text += line
    },
  }

  function flush(): void {
    send(text)
    text = ''
  }
}
