/** A mailbox domain on an engine under test, with real parsing, composing, blobs and work queue, and fakes for accounts and the guard. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { accountPartition } from '../../src/accounts/record.js'
import { candidates, countMessage, knownKey, readNewRecipients } from '../../src/accounts/recipients.js'
import { createAccounts } from '../../src/accounts/accounts.js'
import type { NewSuppression } from '../../src/accounts/suppressions.js'
import type { AccountRecord, Accounts } from '../../src/accounts/types.js'
import type { AuthenticationResults } from '../../src/authentication/types.js'
import type { Guard, GuardSubject, GuardVerdict } from '../../src/guard/types.js'
import { HOUR, ManualClock } from '../../src/lib/clock.js'
import { newId, sha256Hex } from '../../src/lib/ids.js'
import { reserveAddress } from '../../src/mailbox/addresses.js'
import { createIndexer } from '../../src/mailbox/search/indexer.js'
import { mailboxPartition } from '../../src/mailbox/keys.js'
import { createMailboxes, type Mailboxes } from '../../src/mailbox/composition/mailboxes.js'
import { readState, saveMessage } from '../../src/mailbox/message-rows.js'
import type { Message } from '../../src/mailbox/objects/objects.js'
import { createMailbox } from '../../src/mailbox/record.js'
import type { Accepted, DryRun, SendRequest, Waiting } from '../../src/mailbox/sending/requests.js'
import type { Delivery } from '../../src/mailbox/delivery/deliver.js'
import type { MailboxRecord } from '../../src/mailbox/mailbox-record.js'
import { addressKey } from '../../src/mime/address.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { encode, key } from '../../src/store/keys.js'
import { putSchema, SCHEMA_PARTITION, SCHEMA_VERSION } from '../../src/store/schema-version.js'
import { openBlobs } from '../../src/store/blobs/blobs.js'
import type { WorkQueue } from '../../src/queue/types.js'
import type { Blobs, Store } from '../../src/store/types.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { ENGINES } from '../store/engines.js'
import { tasksIn } from '../support/store/tasks.js'
import { accountRecord } from '../support/account.js'

export const PARSE_LIMITS = { maxHeaderBytes: 262_144, maxParts: 1000, maxDepth: 30 }
export const SEND: GuardVerdict = {
  category: 'legitimate',
  scores: { legitimate: 1 },
  decision: 'send',
  reasons: [{ code: 'no_findings', detail: 'Nothing found' }],
}

export const LIMITS = {
  storageBytes: 1024 * 1024,
  pendingStorageBytes: 64 * 1024,
  recipientsPerMessage: 5,
  attachmentsPerMessage: 50,
  messageBytes: 512 * 1024,
  idempotencyMs: 24 * HOUR,
}

/** A row in the account's partition, for what was put on its list: nobody is refused for it here. */
export const suppressionKey = (address: string): Uint8Array => key('was-suppressed', address)

/** Of accounts; nobody asks for them here. */
export const USAGE_LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1,
  requestsPerMinute: 1,
  recipientsPerMessage: 50,
  messageBytes: 1,
  attachmentsPerMessage: 1,
  longPollSeconds: 1,
}

export interface Mail {
  from?: string
  to?: string
  subject?: string
  text?: string
  headers?: string[]
  labels?: string[]
  auth?: AuthenticationResults | null
  envelopeFrom?: string
  deliveryId?: string
  requireTls?: true
  mailboxId?: string
  raw?: Buffer
}

export interface World {
  store: Store
  blobs: Blobs
  queue: WorkQueue
  clock: ManualClock
  mailboxes: Mailboxes
  /** The mailbox `agent@agents.example`, approved. */
  id: string
  account: AccountRecord
  /** What the account may still do today; what it did so far. */
  recipients: {
    /** Addresses that the account has written to, as it is stored. */
    known(): Promise<string[]>
    /** Has the account know an address. */
    know(address: string): Promise<void>
    limit: number
    similar?: { messages: number; newRecipients: number }
    refusal?: Error
    /** All that was ever asked about. */
    asked: Set<string>
  }
  guard: {
    verdict: GuardVerdict | Error
    asked: GuardSubject[]
    others?: Pick<Guard, 'isDoubtful' | 'ask'>
    /** Asked instead of giving the verdict. */
    real?: Pick<Guard, 'check'>
  }
  /** What came onto the account's suppression list, in order. */
  suppressed: NewSuppression[]
  /** How often the parts of a message were looked for. */
  structures: { read: number }
  addMailbox(name: string, status?: 'pending' | 'claimed'): Promise<string>
  deliver(mail?: Mail): Promise<Message>
  /** Sends and gives the answer of a real send. */
  send(request?: Partial<SendRequest>, idempotencyKey?: string): Promise<Accepted>
  record(): Promise<MailboxRecord>
}

/** Runs a test on every engine. */
export function onEveryEngine(name: string, body: (test: Test, world: World) => Promise<void>): void {
  for (const engine of ENGINES) {
    t.test(`${name} (${engine.name})`, async (test) => body(test, await makeWorld(test, engine.openStore(test))))
  }
}

/**
 * @param before the world whose process died: its mailbox, clock, files and account go on over this store
 * @param blobsDir where its files are; a folder for this test when not given
 */
export async function makeWorld(test: Test, store: Store, before?: World, blobsDir?: string): Promise<World> {
  const clock = before?.clock ?? new ManualClock()
  if (!before) await store.write(SCHEMA_PARTITION, (tx) => putSchema(tx, { version: SCHEMA_VERSION, by: 'test' }))
  const given = blobsDir === undefined ? undefined : await openBlobs({ dir: blobsDir, clock })
  const blobs = given ?? before?.blobs ?? (await temporaryBlobs(test, clock))
  const queue = createWorkQueue({ store, clock })
  const account: AccountRecord = before?.account ?? accountRecord({ id: newId('acc'), createdAt: clock.now() })
  const active: AccountRecord = { ...account, status: 'active' }
  const asked = before?.recipients.asked ?? new Set<string>()
  const recipients: World['recipients'] = {
    ...before?.recipients,
    limit: before?.recipients.limit ?? 1000,
    asked,
    async known() {
      const { fresh } = await store.read(accountPartition(account.id), (view) =>
        readNewRecipients(view, active, candidates([...asked], []), 1000, clock),
      )
      return [...asked].filter((address) => !fresh.includes(address)).sort()
    },
    async know(address) {
      asked.add(address)
      await store.write(accountPartition(account.id), (tx) => tx.put(knownKey(sha256Hex(address)), encode(1)))
    },
  }
  const suppressed = before?.suppressed ?? []
  const guard: World['guard'] = before?.guard ?? { verdict: SEND, asked: [] }
  const guardPart: Guard = {
    async check(subject) {
      guard.asked.push(subject)
      if (guard.real) return guard.real.check(subject)
      if (guard.verdict instanceof Error) throw guard.verdict
      return guard.verdict
    },
    isDoubtful: (verdict) => guard.others?.isDoubtful?.(verdict) ?? false,
    ask: async (subject, verdict, message) => (await guard.others?.ask?.(subject, verdict, message)) ?? verdict,
  }
  const structures = { read: 0 }
  const parseLimits = {
    ...PARSE_LIMITS,
    get maxParts() {
      structures.read++
      return PARSE_LIMITS.maxParts
    },
  }
  const { countWithin } = createAccounts({ store, clock, limits: USAGE_LIMITS, mailbox: async () => undefined })
  const mailboxes = createMailboxes({
    storage: { store, blobs, queue },
    clock,
    accounts: { ...fakeAccounts({ store, clock }, account, recipients), countWithin },
    suppressions: {
      async suppress(tx, entries) {
        for (const { address } of entries) tx.put(suppressionKey(address), encode(1))
        tx.afterCommit(() => suppressed.push(...entries))
      },
    },
    guard: guardPart,
    indexer: createIndexer({ store }),
    log: { warn: () => undefined },
    limits: LIMITS,
    composing: { parseLimits },
    domains: { isLocal: (domain) => domain === 'agents.example' },
  })

  const addMailbox = async (name: string, status: 'pending' | 'claimed' = 'claimed'): Promise<string> => {
    const id = newId('mbx', clock.now())
    const address = `${name}@agents.example`
    await reserveAddress(store, address, id, clock.now())
    const accountId = status === 'claimed' ? account.id : null
    await createMailbox(store, { id, address, agentName: 'Agent', claimId: null, status, accountId, now: clock.now() })
    return id
  }
  const id = before?.id ?? (await addMailbox('agent'))

  return {
    store,
    blobs,
    queue,
    clock,
    mailboxes,
    id,
    account,
    recipients,
    guard,
    suppressed,
    structures,
    addMailbox,
    deliver: async (mail = {}) => mailboxes.delivery.deliver(await deliveryOf(id, mail)),
    send: async (request = {}, idempotencyKey) =>
      accepted(await mailboxes.sending.send(id, letter(request), { idempotencyKey })),
    record: async () => present(await mailboxes.directory.get(id)),
  }
}

async function temporaryBlobs(test: Test, clock: ManualClock): Promise<Blobs> {
  const dir = await mkdtemp(join(tmpdir(), 'mailbox-'))
  test.teardown(() => rm(dir, { recursive: true, force: true }))
  return openBlobs({ dir, clock })
}

export function letter(request: Partial<SendRequest> = {}): SendRequest {
  return {
    to: [{ address: 'ada@example.org', name: 'Ada' }],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'A letter',
    text: 'Good morning.',
    html: null,
    attachments: [],
    labels: [],
    ...request,
  }
}

let counter = 0

export async function deliveryOf(mailboxId: string, mail: Mail): Promise<Delivery> {
  const raw =
    mail.raw ??
    Buffer.from(
      [
        `From: ${mail.from ?? 'Ada <ada@example.org>'}`,
        `To: ${mail.to ?? 'agent@agents.example'}`,
        `Subject: ${mail.subject ?? `Message ${++counter}`}`,
        'Date: Thu, 01 Jan 2026 00:00:00 +0000',
        'Content-Type: text/plain; charset=utf-8',
        ...(mail.headers ?? []),
        '',
        mail.text ?? 'Hello.',
        '',
      ].join('\r\n'),
    )
  return {
    mailboxId: mail.mailboxId ?? mailboxId,
    raw,
    parsed: await parseMessage(raw, PARSE_LIMITS),
    auth: mail.auth ?? null,
    virus: 'clean',
    spam: { score: 0, verdict: 'ham', reasons: [] },
    labels: mail.labels ?? [],
    envelopeFrom: mail.envelopeFrom ?? 'ada@example.org',
    ...(mail.deliveryId === undefined ? {} : { deliveryId: mail.deliveryId }),
    ...(mail.requireTls ? { requireTls: true } : {}),
  }
}

export function accepted(answer: Accepted | DryRun | Waiting): Accepted {
  if ('dry_run' in answer) throw new Error('That was a dry run')
  if ('object' in answer) throw new Error('That waits for approval')
  return answer
}

export function waiting(answer: Accepted | DryRun | Waiting): Waiting {
  if (!('object' in answer)) throw new Error('That does not wait for approval')
  return answer
}

export function dryRun(answer: Accepted | DryRun | Waiting): DryRun {
  if (!('dry_run' in answer)) throw new Error('That was no dry run')
  return answer
}

/** What has to be there for the test to make sense. */
export function present<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('Nothing there')
  return value
}

/** Events so far, without waiting. */
export async function eventsOf({ mailboxes, id }: World, after = 0, mailboxId = id) {
  const never = new AbortController().signal
  return (await mailboxes.events(mailboxId, { after, limit: 1000, waitMs: 0 }, never)).data
}

/** Takes a message back to where one stands that an earlier version of this service stored before its check. */
export async function uncheck({ store, queue, id }: World, messageId: string): Promise<void> {
  for (const task of await tasksIn(queue, 'relay', 100))
    if (task.id.startsWith(messageId)) await queue.remove('relay', task.id)
  await store.write(mailboxPartition(id), async (tx) => {
    const state = present(await readState(tx, messageId))
    await saveMessage(tx, state, { ...state, status: 'checking', check: null })
  })
}

/** Tasks of a kind by id. */
export async function tasksOf({ queue }: World, kind: string): Promise<string[]> {
  return (await tasksIn(queue, kind, 100)).map(({ id }) => id).sort()
}

/** Accounts whose counting of recipients is real, and whose limits are the test's. */
function fakeAccounts(
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: AccountRecord,
  recipients: World['recipients'],
): Pick<Accounts, 'get' | 'countMessage' | 'previewRecipients'> {
  const active: AccountRecord = { ...account, status: 'active' }
  return {
    get: async (id) => (id === account.id ? account : undefined),
    async countMessage(tx, _account, addresses, free, { print, traits } = {}) {
      if (recipients.refusal) throw recipients.refusal
      addresses.forEach((address) => recipients.asked.add(addressKey(address)))
      const asked = { recipients: candidates(addresses, free), print: undefined, traits }
      const counted = await countMessage(tx, active, asked, 1000, clock)
      return print && recipients.similar ? { ...counted, similar: recipients.similar } : counted
    },
    async previewRecipients(_account, addresses, free, { print, traits } = {}, how) {
      if (how?.refuses === true && recipients.refusal) throw recipients.refusal
      const { fresh, measured } = await store.read(accountPartition(account.id), (view) =>
        readNewRecipients(view, active, candidates(addresses, free), 1000, clock, traits),
      )
      const story = measured?.story && { story: measured.story }
      const similar = print && recipients.similar ? { similar: recipients.similar } : {}
      return { fresh, left: recipients.limit, ...similar, ...story }
    },
  }
}
