/** An account with mailboxes and its exports: everything is real but the accounts, the letters and the room on the disk. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Letter } from '../../../src/accounts/letters.js'
import { createSessions } from '../../../src/accounts/sessions.js'
import { createSuppressions } from '../../../src/accounts/suppressions.js'
import type { AccountRecord, Usage } from '../../../src/accounts/types.js'
import { Exports, type ExportsDeps } from '../../../src/lifecycle/export/exports.js'
import type { ExportRecord } from '../../../src/lifecycle/export/types.js'
import { startExporting } from '../../../src/jobs/exporting.js'
import { ManualClock, MINUTE } from '../../../src/lib/clock.js'
import { ifExists } from '../../../src/lib/files.js'
import { newId } from '../../../src/lib/ids.js'
import { createIndexer } from '../../../src/mailbox/search/indexer.js'
import { createMailboxes, type Mailboxes } from '../../../src/mailbox/composition/mailboxes.js'
import type { Event } from '../../../src/mailbox/objects/objects.js'
import { createMailbox } from '../../../src/mailbox/record.js'
import { openBlobs } from '../../../src/store/blobs/blobs.js'
import type { WorkQueue } from '../../../src/queue/types.js'
import type { Blobs, Store } from '../../../src/store/types.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { deliveryOf, PARSE_LIMITS, SEND, type Mail } from '../../mailbox/world.js'
import { run } from '../../support/daemon.js'
import { usageOf } from '../../support/usage.js'
import { tasksIn } from '../../support/store/tasks.js'
import { accountRecord } from '../../support/account.js'

export const WEB_KEY = Buffer.alloc(32, 1)

export interface World {
  deps: ExportsDeps
  store: Store
  blobs: Blobs
  queue: WorkQueue
  clock: ManualClock
  mailboxes: Mailboxes
  account: AccountRecord
  exports: Exports
  /** Folder of blobs. */
  blobsDir: string
  disk: { freeBytes: number }
  letters: { id: string; letter: Letter }[]
  /** What the worker could not do. */
  errors: unknown[]
  addMailbox(address: string): Promise<string>
  deliver(mailboxId: string, mail?: Mail): Promise<string>
  events(mailboxId: string): Promise<Event[]>
  /** Starts a worker, which runs until the end of the test or its own `stop`. */
  work(): Promise<{ stop(): Promise<void> }>
  /** The newest export, once it is in this state and its task rests. */
  until(state: ExportRecord['state']): Promise<ExportRecord>
  /** Moves the clock; what is due then is done when this resolves. */
  advance(ms: number): Promise<void>
  /** The archive of an export, unpacked by another program into a folder. */
  unpack(record: ExportRecord): Promise<string>
  /** The whole archive of a ready export, or a part of it. */
  download(record: ExportRecord, range?: { start: number; end: number }): Promise<Buffer>
  /** Names of the pieces that are stored, in order. */
  pieces(): Promise<string[]>
}

export async function makeWorld(
  t: Test,
  store: Store,
  change: (deps: ExportsDeps) => Partial<ExportsDeps> = () => ({}),
): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), 'export-'))
  const clock = new ManualClock()
  const queue = createWorkQueue({ store, clock })
  const blobsDir = join(root, 'blobs')
  const blobs = await openBlobs({ dir: blobsDir, clock })
  const account = accountRecord({
    id: newId('acc', clock.now()),
    owner: 'ada@example.org',
    createdAt: clock.now(),
  })
  const owned: string[] = []
  const letters: World['letters'] = []
  const errors: unknown[] = []
  const disk = { freeBytes: 1e12 }
  const suppressions = createSuppressions({ store, clock })
  const accounts = {
    get: async (id: string) => (id === account.id ? account : undefined),
    mailboxes: async () => owned,
    usage: async () => USAGE,
    identities: async () => [],
    keys: async () => [],
  }
  const deps: ExportsDeps = {
    store,
    blobs,
    queue,
    clock,
    accounts,
    sessions: createSessions({ store, clock }),
    suppressions,
    letters: { post: async (id, letter) => void letters.push({ id, letter }) },
    disk: { hasRoomFor: async (bytes) => disk.freeBytes >= bytes, isLow: async () => disk.freeBytes <= 0 },
    links: { webKey: WEB_KEY, baseUrl: 'https://mail.agents.test' },
  }
  const exports = new Exports({ ...deps, ...change(deps) })
  const mailboxes = createMailboxes({
    storage: { store, blobs, queue },
    clock,
    accounts: {
      get: accounts.get,
      countMessage: async () => ({ fresh: [] }),
      previewRecipients: async () => ({ fresh: [], left: 25 }),
      countWithin: async () => undefined,
    },
    suppressions,
    guard: { check: async () => SEND },
    indexer: createIndexer({ store }),
    log: { warn: () => undefined },
    limits: {
      storageBytes: 1e9,
      pendingStorageBytes: 1e9,
      recipientsPerMessage: 5,
      attachmentsPerMessage: 50,
      messageBytes: 1e8,
      idempotencyMs: MINUTE,
    },
    composing: { parseLimits: PARSE_LIMITS },
    domains: { isLocal: () => false },
  })
  const workers: { stop(): Promise<void> }[] = []
  t.teardown(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await store.close()
    await rm(root, { recursive: true, force: true })
  })

  const resting = async (): Promise<boolean> =>
    (await tasksIn(queue, 'export', 100)).every(({ leased, due }) => !leased && due > clock.now())

  const download: World['download'] = async (record, range) => {
    const found = await exports.download(exports.linkTo(record) ?? '')
    const read: Buffer[] = []
    for await (const piece of found?.open(range) ?? []) read.push(piece)
    return Buffer.concat(read)
  }

  return {
    deps,
    store,
    blobs,
    queue,
    clock,
    mailboxes,
    account,
    exports,
    blobsDir,
    disk,
    letters,
    errors,
    async addMailbox(address) {
      const id = newId('mbx', clock.now())
      const made = { id, address, agentName: 'Agent', claimId: null, status: 'claimed' as const, now: clock.now() }
      await createMailbox(store, { ...made, accountId: account.id })
      owned.push(id)
      return id
    },
    deliver: async (mailboxId, mail = {}) => (await mailboxes.delivery.deliver(await deliveryOf(mailboxId, mail))).id,
    async events(mailboxId) {
      const never = new AbortController().signal
      return (await mailboxes.events(mailboxId, { after: 0, limit: 1000, waitMs: 0 }, never)).data
    },
    async work() {
      const worker = startExporting({
        queue,
        exports,
        log: { error: (fields) => errors.push('err' in fields && fields.err) },
      })
      workers.push(worker)
      return worker
    },
    async until(state) {
      for (;;) {
        const [record] = await exports.list(account.id)
        if (record?.state === state && (await resting())) return record
        await turn()
      }
    },
    async advance(ms) {
      clock.advance(ms)
      queue.poke()
      while (!(await resting())) await turn()
    },
    async unpack(record) {
      const archive = join(root, `${record.id}.zip`)
      await writeFile(archive, await download(record))
      const folder = join(root, record.id)
      await mkdir(folder)
      const script = join(root, 'unpack.py')
      await writeFile(script, UNPACK)
      const done = await run('/usr/bin/python3', [script, archive, folder])
      if (done.code !== 0) throw new Error(done.stderr)
      return folder
    },
    download,
    async pieces() {
      const order = (name: string): number => Number(name.split('-').at(-1))
      const names = (await ifExists(readdir(join(blobsDir, account.id)))) ?? []
      return names.sort((a, b) => order(a) - order(b))
    },
  }
}

const UNPACK = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    assert bad is None, bad
    archive.extractall(sys.argv[2])
`

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

const USAGE: Usage = usageOf({
  plan: 'free',
  trust_level: 0,
  mailboxes: 1,
  storage: { used_bytes: 0, limit_bytes: 1 },
  new_recipients: { used: 0, limit: 25, left: 25, resets_at: '2026-01-02T00:00:00.000Z' },
  messages: { sent: 0, received: 0, sent_today: 0, received_today: 0 },
  complaints: { last_30_days: 0 },
  requests_per_minute: 600,
  limits: { recipients_per_message: 50, message_bytes: 1, attachments_per_message: 20, long_poll_seconds: 60 },
  next_level: null,
})
