/** The receiver's SMTP session from MAIL to the reply, over the loopback interface, where judging and storing take no time. */
import { systemClock as clock } from '../../src/lib/clock.js'
import type { Message } from '../../src/mailbox/objects/objects.js'
import type { Policy } from '../../src/mx/intake/decide.js'
import { createIntakes } from '../../src/mx/intake/intake.js'
import { createMxServer } from '../../src/mx/session/server.js'
import { createLogger } from '../../src/observe/log.js'
import { DEFAULT_LINES } from '../../src/guard/verdict/spam.js'
import { scannerOff } from '../../src/scan/no-scanner.js'
import { PARSE_LIMITS, openMailParts } from '../support/mail-parts.js'
import { startLoad } from '../support/load.js'
import { judgementOf } from './incoming.js'
import { TO } from './sources.js'
import { mailAt, type StartStage } from './stage.js'

const CONNECTIONS = 50

const HOSTNAME = 'mx.agents.test'
const POLICY: Policy = {
  scanOnError: 'accept',
  dmarcReject: 'reject',
  ownDomain: 'reject',
  dnsFailure: 'defer',
}

export const session: StartStage = async (file) => {
  const judgement = await judgementOf(mailAt(file, 0).raw, file.record)
  const { mailboxes, mailboxAt, close: closeParts } = await openMailParts({ mailboxCount: 1 })
  const mailbox = await mailboxes.directory.get(mailboxAt(0))
  if (!mailbox) throw new Error('no mailbox')
  const stored = { id: 'msg_stored' } as Message
  const log = createLogger({ level: 'silent' })
  const limits = {
    maxMessageBytes: 25e6,
    maxHeaderBytes: PARSE_LIMITS.maxHeaderBytes,
    maxRecipients: 100,
    maxConnections: 1000,
    maxConnectionsPerAddress: 50,
    maxReceived: 50,
  }
  const intakes = createIntakes({
    names: {
      hostname: HOSTNAME,
      primaryDomain: 'agents.test',
      isLocalDomain: (name) => name === 'agents.test',
    },
    limits,
    policy: POLICY,
    spamLines: DEFAULT_LINES,
    scannerEnabled: () => false,
    delivering: {
      mailboxes: {
        directory: { ...mailboxes.directory, resolveFor: async () => ({ mailbox, admission: 'usual' }) },
        delivery: { deliver: async () => stored },
      },
    },
    records: {},
    clock,
    log,
  })
  const server = createMxServer({
    listen: [{ host: '127.0.0.1', port: 0 }],
    hostname: HOSTNAME,
    limits,
    clients: {},
    judging: { judge: async () => judgement, scanner: scannerOff },
    intakeFor: intakes.for,
    dsn: false,
    keepsReceipts: false,
    clock,
    log,
  })
  const [{ port } = { port: 0 }] = await server.listen()
  const load = startLoad()
  return {
    async prepare(from, to) {
      await load.take(
        Array.from({ length: to - from }, (_, n) => mailAt(file, from + n).raw),
        TO,
      )
    },
    async run() {
      const { refused } = await load.pour({ port, connections: CONNECTIONS })
      if (Object.keys(refused).length > 0) throw new Error(JSON.stringify(refused))
    },
    async close() {
      await load.stop()
      await server.close(0)
      await closeParts()
    },
  }
}
