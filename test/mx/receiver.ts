/** A receiver whose mailboxes, authenticator and scanner are plain objects of the test. */
import { DEFAULT_LINES } from '../../src/guard/verdict/spam.js'
import { createFileReader } from '../../src/mime/documents/reader.js'
import { createJudge, type JudgeDeps } from '../../src/mx/judging/judge.js'
import { createMxServer, type ClientChecks, type MxServer, type MxServerDeps } from '../../src/mx/session/server.js'
import type { Policy } from '../../src/mx/intake/decide.js'
import { createIntakes, type Intakes } from '../../src/mx/intake/intake.js'
import type { Delivering, IntakeDeps, Names, Records } from '../../src/mx/intake/types.js'
import type { Judging } from '../../src/mx/judging/types.js'
import type { MxLimits } from '../../src/mx/limits/limits.js'
import type { AuthenticationResults, Verification } from '../../src/authentication/types.js'
import { ManualClock } from '../../src/lib/clock.js'
import { ServiceError } from '../../src/lib/errors.js'
import type { Message } from '../../src/mailbox/objects/objects.js'
import type { Admission, Sender } from '../../src/mailbox/objects/set-types.js'
import type { Delivery } from '../../src/mailbox/delivery/deliver.js'
import type { ScanVerdict } from '../../src/scan/types.js'
import type { Log } from '../../src/observe/log.js'
import type { Metrics } from '../../src/observe/metrics.js'
import { captureLog } from '../support/log.js'
import { mailboxRecord } from '../support/store/mailbox-record.js'
import { openDialog, type Dialog } from '../support/peers/smtp-dialog.js'
import type { Transaction } from '../../src/store/types.js'

/** These mailboxes store nothing: what goes with a message is written nowhere. */
const NO_TRANSACTION = { blind: () => ({ put: () => undefined, delete: () => undefined }) } as unknown as Transaction

export const RESULTS: AuthenticationResults = {
  spf: { result: 'pass', domain: 'peer.test' },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'pass', domain: 'peer.test', policy: 'reject' },
  arc: { result: 'none' },
}

/** What the receiver meets; a test changes it while the receiver runs. */
export interface World {
  /** Local part → mailbox id. */
  names: Map<string, string>
  /** Ids of mailboxes without room. */
  full: Set<string>
  /** What the lists of a mailbox say. */
  admission: (mailboxId: string, sender: Sender) => Admission
  deliver: (delivery: Delivery) => Promise<void>
  delivered: Delivery[]
  verification: Verification
  scan: { enabled: boolean; verdict: () => Promise<ScanVerdict> }
  log: Record<string, unknown>[]
  clock: ManualClock
}

export interface Receiver {
  port: number
  world: World
  server: MxServer
  close(): Promise<void>
}

/** What a test changes, without the groups that the receiver takes it in. */
export type ReceiverChange = Partial<
  Omit<MxServerDeps, 'limits' | 'metrics'> &
    Pick<IntakeDeps, 'rates' | 'greylist' | 'disk' | 'spamLines'> & { metrics: Metrics } & ClientChecks &
    Names &
    Judging &
    Policy &
    Delivering &
    Records &
    Pick<JudgeDeps, 'spamScore' | 'parseLimits'> & { limits: Omit<MxLimits, 'maxHeaderBytes'> }
>

const LIMITS = {
  maxMessageBytes: 100_000,
  maxRecipients: 100,
  maxConnections: 20,
  maxConnectionsPerAddress: 10,
  maxReceived: 50,
}
const PARSE_LIMITS = { maxHeaderBytes: 8192, maxParts: 100, maxDepth: 10 }

const mailbox = (id: string) => mailboxRecord({ id, address: `${id.slice(4)}@agents.test` })

export function createWorld(log: World['log']): World {
  return {
    names: new Map([
      ['alice', 'mbx_alice'],
      ['bob', 'mbx_bob'],
      ['alias', 'mbx_alice'],
      ['postmaster', 'mbx_postmaster'],
    ]),
    full: new Set(),
    admission: () => 'usual',
    deliver: async () => undefined,
    delivered: [],
    verification: { results: structuredClone(RESULTS), header: 'mx.test;\r\n spf=pass', temporary: false },
    scan: { enabled: false, verdict: async () => ({ virus: 'unscanned', reason: 'off' }) },
    log,
    clock: new ManualClock(),
  }
}

/** The intake of a receiver in this world. */
export function intakesOver(
  world: World,
  log: Log,
  change: Partial<Delivering & Policy & Omit<IntakeDeps, 'delivering' | 'policy'>> &
    Pick<IntakeDeps, 'names' | 'limits'>,
): Intakes {
  return createIntakes({
    delivering: {
      mailboxes: {
        directory: {
          async resolveFor(address, sender) {
            const id = world.names.get(address.split('@')[0]?.toLowerCase().split('+')[0] ?? '')
            return id === undefined ? undefined : { mailbox: mailbox(id), admission: world.admission(id, sender) }
          },
          get: async (id) => mailbox(id),
          hasRoom: (record, bytes) => !world.full.has(record.id) && bytes < 5_000_000,
        },
        delivery: {
          admission: async (id, sender) => world.admission(id, sender),
          async deliver(delivery) {
            if (world.full.has(delivery.mailboxId)) throw new ServiceError('quota_exceeded', 'full', 'delete mail')
            await world.deliver(delivery)
            delivery.also?.(NO_TRANSACTION)
            world.delivered.push(delivery)
            return {} as Message
          },
        },
      },
      ...change,
    },
    policy: {
      scanOnError: 'defer',
      dmarcReject: 'reject',
      ownDomain: 'quarantine',
      dnsFailure: 'defer',
      ...change,
    },
    spamLines: DEFAULT_LINES,
    scannerEnabled: () => world.scan.enabled,
    records: {},
    clock: world.clock,
    log,
    ...change,
  })
}

export async function startReceiver({
  spamScore,
  parseLimits = PARSE_LIMITS,
  ...change
}: ReceiverChange = {}): Promise<Receiver> {
  const { log, lines } = captureLog()
  const world = createWorld(lines)
  const { clock } = world
  const limits = { maxHeaderBytes: 8192, ...(change.limits ?? LIMITS) }
  const scanner = {
    get enabled() {
      return world.scan.enabled
    },
    scan: () => world.scan.verdict(),
  }
  const names = {
    hostname: 'mx.test',
    primaryDomain: 'agents.test',
    isLocalDomain: (domain: string) => domain === 'agents.test' || domain === 'xn--bcher-kva.test',
    ...change,
  }
  const intakes = intakesOver(world, log, {
    scannerEnabled: () => (change.scanner ?? scanner).enabled,
    records: change,
    ...change,
    names,
    limits,
  })
  const server = createMxServer({
    listen: [{ host: '127.0.0.1', port: 0 }],
    hostname: names.hostname,
    judging: {
      judge: createJudge({
        authenticator: { verify: async () => world.verification },
        spamScore,
        clock,
        parseLimits,
        files: createFileReader(),
      }),
      scanner,
      ...change,
    },
    clients: change,
    intakeFor: intakes.for,
    dsn: change.notices !== undefined,
    keepsReceipts: change.receipts !== undefined,
    log,
    clock,
    ...change,
    limits,
  })
  const [bound] = await server.listen()
  if (!bound) throw new Error('not listening')
  return { port: bound.port, world, server, close: () => server.close(1000) }
}

export const MESSAGE =
  'From: Carol <carol@peer.test>\r\nTo: alice@agents.test\r\nSubject: hello\r\n\r\nGood morning.\r\n'

/** A session that has said EHLO. */
export async function greeted(port: number, localAddress?: string): Promise<Dialog> {
  const dialog = await openDialog(port, '127.0.0.1', localAddress)
  await dialog.reply()
  await dialog.say('EHLO client.peer.test')
  return dialog
}

/** Sends one message in a session; the reply to the data, or to the first command that was refused. */
export async function send(
  dialog: Dialog,
  data: string | Buffer = MESSAGE,
  to = ['alice@agents.test'],
): Promise<string> {
  const replies = [await dialog.say('MAIL FROM:<carol@peer.test>')]
  for (const address of to) replies.push(await dialog.say(`RCPT TO:<${address}>`))
  replies.push(await dialog.say('DATA'))
  const refused = replies.find((reply) => reply >= '4')
  if (refused !== undefined) return refused
  dialog.write(data)
  return dialog.say('.')
}
