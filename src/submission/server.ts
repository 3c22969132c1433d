/** The submission server: listens with STARTTLS and with TLS from the first byte, starts sessions, shuts down in order. */
import { DAY } from '../lib/clock.js'
import type { ListenAddress } from '../smtp/listener.js'
import { createAdmissions, type ConnectionLimits } from '../smtp/server/admissions.js'
import { Connections } from '../smtp/server/connections.js'
import { DEADLINES, type Deadlines } from '../smtp/server/deadlines.js'
import type { Sessions } from '../smtp/server/door.js'
import { reportRefusals } from '../smtp/server/refusal-log.js'
import type { DataLimits } from '../smtp/server/receive.js'
import { createServing } from '../smtp/server/serving.js'
import type { SessionLimits } from '../smtp/server/session-limits.js'
import { tlsContexts, type Certificate } from '../smtp/tls.js'
import { createAccountSessions } from '../smtp/server/account-sessions.js'
import { submissionCounters } from './counters.js'
import { Sending } from './sending.js'
import { SubmissionSession } from './session.js'
import type { SubmissionParts } from './types.js'

export interface SubmissionServerDeps extends SubmissionParts {
  listen: ListenAddress[]
  /** TLS from the first byte. */
  listenTls: ListenAddress[]
  /** Name of this host. */
  hostname: string
  limits: DataLimits &
    ConnectionLimits & {
      maxRecipients: number
      maxConnectionsPerAccount: number
    }
  sessionLimits: SessionLimits
  deadlines?: Partial<Deadlines> | undefined
  tls?: Certificate | undefined
}

/** As for mail that is scheduled over the API. */
const MAX_HOLD_MS = 30 * DAY

export function createSubmissionServer(deps: SubmissionServerDeps) {
  const { hostname, limits, sessionLimits, clock, log, metrics } = deps
  const deadlines = { ...DEADLINES, ...deps.deadlines }
  let contexts = deps.tls && tlsContexts(deps.tls)
  const admissions = createAdmissions({ limits })
  const counters = submissionCounters(metrics, () => admissions.count)
  const { onRecipientRefused, ...refusals } = reportRefusals(log, counters.refusals)
  const sending = new Sending({ ...deps, onMessage: counters.message })
  const session = {
    ...deps,
    sending,
    accounts: createAccountSessions(limits.maxConnectionsPerAccount),
    onRefused: onRecipientRefused,
    onSignIn: counters.signIn,
  }
  const sessions: Sessions = { makeRoom: (network) => connections.makeRoom(network) }
  const connections: Connections = new Connections({
    door: {
      arrive: (connection, ip) => admissions.arrive(connection, ip, sessions),
      left: admissions.left,
    },
    limits: sessionLimits,
    deadlines,
    options: {
      hostname,
      maxMessageBytes: limits.maxMessageBytes,
      maxRecipients: limits.maxRecipients,
      dsn: true,
      auth: true,
      tokens: deps.tokens,
      maxHoldMs: MAX_HOLD_MS,
      idleMs: deadlines.idleMs,
      tls: () => contexts,
      clock,
    },
    handlerFor: (visitor) => new SubmissionSession(session, visitor),
    onError: (err, connection) => log.debug({ err, connection_id: connection }, 'connection failed'),
    ...refusals,
  })
  const { listen, close } = createServing({
    listen: deps.listen,
    listenTls: deps.listenTls,
    connections,
    deadlines,
    settled: () => sending.settled(),
    onError: (err) => log.warn({ err }, 'submission server failed'),
  })

  return {
    listen,
    close,
    /** Uses another certificate for new sessions. @throws if unusable */
    setCertificate(certificate: Certificate | undefined): void {
      contexts = certificate && tlsContexts(certificate)
    },
  }
}
