/** An account with everything that one can have, over an engine of the test's choice, and the hands that work its tasks by a clock. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createAccounts } from '../../../src/accounts/accounts.js'
import type { Letter, Letters } from '../../../src/accounts/letters.js'
import { accountPartition } from '../../../src/accounts/record.js'
import { createPasskeys } from '../../../src/accounts/sign-in/passkeys.js'
import { softAuthenticator } from '../../support/authenticator.js'
import { createSessions } from '../../../src/accounts/sessions.js'
import { createSuppressions } from '../../../src/accounts/suppressions.js'
import { createClaims } from '../../../src/lifecycle/claims/claims.js'
import { ensureOperatorMailboxes } from '../../../src/lifecycle/claims/operator-mailbox.js'
import { createDeletion } from '../../../src/lifecycle/deletion/deletion.js'
import { Erase } from '../../../src/lifecycle/deletion/erase.js'
import { createEndOfDeleted } from '../../../src/lifecycle/deletion/outbound-mail.js'
import { createDeletionNotices } from '../../../src/lifecycle/deletion/notices.js'
import type { DeletionTask } from '../../../src/lifecycle/deletion/types.js'
import { createDeletionWork } from '../../../src/lifecycle/deletion/task.js'
import { Exports } from '../../../src/lifecycle/export/exports.js'
import type { ExportTask } from '../../../src/lifecycle/export/types.js'
import { DAY, ManualClock, timestamp } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { createIndexer } from '../../../src/mailbox/search/indexer.js'
import { createReviewing } from '../../../src/mailbox/review/review.js'
import { createMailboxes } from '../../../src/mailbox/composition/mailboxes.js'
import { readMailbox } from '../../../src/mailbox/record.js'
import { createReceipts } from '../../../src/receipts/receipts.js'
import type { Receipt } from '../../../src/receipts/types.js'
import { createForgetHolds, createHoldRules } from '../../../src/relay/queue/holds.js'
import { openBlobs } from '../../../src/store/blobs/blobs.js'
import type { Engine } from '../../../src/store/engine.js'
import { createStore } from '../../../src/store/store.js'
import type { Task, TaskOutcome } from '../../../src/queue/types.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { solve } from '../claims/world.js'
import { deliveryOf, letter, LIMITS, PARSE_LIMITS, SEND } from '../../mailbox/world.js'
import { tasksIn } from '../../support/store/tasks.js'

export const OWNER = 'owner-quokka@example.net'
export const FRIEND = 'friend-wombat@example.org'

export type World = Awaited<ReturnType<typeof makeWorld>>

/** @param before what goes on over this engine after a crash: its folder, clock and letters */
export async function makeWorld(
  t: Test,
  engine: Engine,
  before: { dir: string; clock?: ManualClock; letters?: Map<string, Letter> },
) {
  const { dir, clock = new ManualClock(Date.now()) } = before
  const store = createStore(engine)
  const queue = createWorkQueue({ store, clock })
  const blobs = await openBlobs({ dir: join(dir, 'blobs'), clock })
  const accounts = createAccounts({
    store,
    clock,
    limits: {
      newRecipientsPerDay: 25,
      storageBytes: 1_000_000,
      requestsPerMinute: 600,
      recipientsPerMessage: 50,
      messageBytes: 1_000_000,
      attachmentsPerMessage: 20,
      longPollSeconds: 60,
    },
    mailbox: (id, view) => readMailbox(view ?? store, id),
  })
  const suppressions = createSuppressions({ store, clock })
  const letters = before.letters ?? new Map<string, Letter>()
  const post: Letters = {
    compose: async (id, sent) => (tx) => tx.afterCommit(() => letters.set(id, sent)),
    post: async (id, sent) => void letters.set(id, sent),
    canReach: () => true,
    isRefused: async () => false,
  }
  const claims = createClaims({
    store,
    blobs,
    queue,
    clock,
    accounts,
    secret: Buffer.alloc(32, 7),
    domains: { names: ['agents.example'], reserved: [], isLocal: (domain) => domain === 'agents.example' },
    baseUrl: 'https://mail.example',
    limits: { difficulty: 4, invitesPerHour: 100 },
    letters: post,
    guard: { check: async () => SEND },
  })
  const indexer = createIndexer({ store })
  const mailboxes = createMailboxes({
    storage: { store, blobs, queue },
    clock,
    accounts,
    suppressions,
    guard: { check: async () => SEND },
    indexer,
    log: { warn: () => undefined },
    limits: LIMITS,
    composing: { parseLimits: PARSE_LIMITS },
    domains: { isLocal: (domain) => domain === 'agents.example' },
  })
  const receipts = createReceipts({
    store,
    clock,
    retentionMs: 30 * DAY,
    log: { warn: (_, text) => t.fail(text), error: (_, text) => t.fail(text) },
  })
  const sessions = createSessions({ store, clock })
  const holds = createHoldRules({ store })
  const operator = await ensureOperatorMailboxes({ store, accounts, domains: ['agents.example'], clock })
  const exports = new Exports({
    store,
    blobs,
    queue,
    clock,
    accounts,
    suppressions,
    sessions,
    letters: post,
    disk: { hasRoomFor: async () => true, isLow: async () => false },
    links: { webKey: Buffer.alloc(32, 8), baseUrl: 'https://mail.example' },
  })
  const deletion = createDeletion({ store, queue, accounts, clock, operatorAccountId: operator.accountId })
  const deleted: string[] = []
  const run = createDeletionWork({
    store,
    clock,
    queue,
    accounts,
    mailboxes,
    notices: createDeletionNotices({ store, clock, accounts, letters: post, baseUrl: 'https://mail.example' }),
    erase: new Erase({
      store,
      blobs,
      queue,
      accounts,
      sessions,
      receipts,
      exports,
      forgetHolds: createForgetHolds({ holds, mailboxes }),
    }),
    hasWebhook: true,
    onDeleted: (id) => void deleted.push(id),
  })

  /** Works the tasks of a kind that are due, as a worker would. @returns how many */
  async function work<P>(kind: string, handle: (task: Task<P>) => Promise<TaskOutcome<P>>): Promise<number> {
    const due = (await tasksIn<P>(queue, kind, 100)).filter((task) => task.due <= clock.now())
    for (const task of due) {
      const outcome = await handle(task)
      if (outcome.done) await queue.remove(kind, task.id)
      else if ('waitFor' in outcome) throw new Error('No task of these waits for a room')
      else await queue.reschedule<P>(kind, task.id, outcome.retryAt, (payload) => outcome.payload ?? payload)
    }
    return due.length
  }

  return {
    dir,
    engine,
    store,
    clock,
    queue,
    blobs,
    accounts,
    suppressions,
    claims,
    mailboxes,
    indexer,
    receipts,
    sessions,
    holds,
    exports,
    letters,
    deletion,
    operator,
    deleted,
    endOfDeleted: createEndOfDeleted({ mailboxes }),
    runDeletions: () => work<DeletionTask>('deletion', run),
    runClaims: () => work<{ claim_id: string }>('claim', ({ payload }) => claims.expire(payload.claim_id)),
    runExports: () => work<ExportTask>('export', (task) => exports.run(task, new AbortController().signal)),
    runChecks: () =>
      work<{ mailbox_id: string; message_id: string }>('check', async ({ payload }) => {
        await mailboxes.outbound.runCheck(payload.mailbox_id, payload.message_id)
        return { done: true }
      }),
    events: async (mailboxId: string) =>
      (await mailboxes.events(mailboxId, { after: 0, limit: 100, waitMs: 0 }, new AbortController().signal)).data,
  }
}

/** A mailbox that belongs to the account of `owner`. */
export async function approved(w: World, name: string, owner = OWNER) {
  const challenge = await w.claims.challenge('192.0.2.1')
  const made = await w.claims.claim(
    { name, challenge: challenge.challenge, nonce: solve(challenge), agentName: 'Tester' },
    '192.0.2.1',
  )
  const { accountId } = await w.claims.approve(made.address, owner)
  const caller = await w.accounts.authenticate(made.api_key)
  if (!caller) throw new Error('The key of the claim does not work')
  return { accountId, mailboxId: caller.mailboxId, address: made.address, key: made.api_key, keyId: caller.keyId }
}

export type Approved = Awaited<ReturnType<typeof approved>>

/** Everything that a mailbox and its account can leave somewhere. */
export async function fill(w: World, box: Approved): Promise<{ sent: string; session: string; furtherKey: string }> {
  const mail = (text: string) =>
    deliveryOf(box.mailboxId, { to: box.address, from: FRIEND, envelopeFrom: FRIEND, text })
  await w.mailboxes.delivery.deliver({ ...(await mail('Small.')), deliveryId: `local-${box.mailboxId}` })
  await w.mailboxes.delivery.deliver(await mail(randomBytes(60_000).toString('base64').replace(/.{76}/g, '$&\r\n')))
  const sent = await w.mailboxes.sending.send(box.mailboxId, letter({ to: [{ address: FRIEND, name: '' }] }), {
    idempotencyKey: 'once',
  })
  if ('dry_run' in sent) throw new Error('That was a dry run')
  w.clock.advance(10_000)
  await w.runChecks()
  await w.indexer.indexMailbox(box.mailboxId)
  await reviewed(w, box)
  const further = await w.accounts.createKey(box.mailboxId)
  await w.store.write(accountPartition(box.accountId), (tx) =>
    w.suppressions.suppress(tx, [
      { address: 'gone@example.org', reason: 'complaint', messageId: sent.id, detail: 'spam' },
    ]),
  )
  const opened = await w.sessions.open(
    box.accountId,
    { provider: 'oidc', subject: 'subject-echidna', username: 'quokka', email: OWNER, emailVerified: true },
    { userAgent: 'Browser', network: '192.0.2.1', device: undefined },
  )
  const device = softAuthenticator({
    origin: 'https://mail.example',
    rpId: 'mail.example',
    isVerified: true,
    counter: 0,
  })
  const challenge = randomBytes(32).toString('base64url')
  await createPasskeys({ store: w.store, clock: w.clock, origin: 'https://mail.example' }).add(box.accountId, {
    response: device.create(challenge),
    challenge,
    name: 'passkey-narwhal',
    identity: opened.session.identity,
  })
  w.receipts.add(receipt(w, { recipients: [recipient(box)] }))
  const name = box.address.split('@')[0] ?? ''
  const tagged = { ...recipient(box), address: `${name}+news@agents.example`, mailbox: null }
  w.receipts.add(receipt(w, { outcome: 'refused', recipients: [tagged], from: 'other@example.com' }))
  w.receipts.add(
    receipt(w, { from: box.address, recipients: [{ ...recipient(box), address: 'x@agents.example', mailbox: null }] }),
  )
  await w.receipts.flush()
  for (const [kind, value] of [
    ['mailbox', box.mailboxId],
    ['message', sent.id],
  ] as const)
    await w.holds.add({ kind, value, name: box.address, reason: null, by: null, at: w.clock.now() })
  await w.queue.enqueue('notice', {
    id: newId('tsk', w.clock.now()),
    payload: { to: FRIEND, raw: `Final-Recipient: rfc822; ${box.address}` },
    due: w.clock.now() + 100 * DAY,
  })
  await w.queue.enqueue('simulator', {
    id: `${sent.id}:x`,
    payload: { mailbox_id: box.mailboxId, message_id: sent.id, address: 'x' },
    due: w.clock.now() + 100 * DAY,
  })
  return { sent: sent.id, session: opened.token, furtherKey: further.text }
}

export const recipient = ({
  address,
  mailboxId,
}: Pick<Approved, 'address' | 'mailboxId'>): Receipt['recipients'][number] => ({
  address,
  mailbox: { id: mailboxId, address },
  refusal: null,
})

export function receipt({ clock }: Pick<World, 'clock'>, change: Partial<Receipt>): Receipt {
  return {
    id: newId('rcp', clock.now()),
    at: timestamp(clock.now()),
    outcome: 'accepted',
    client: { address: '192.0.2.7', name: null },
    helo: 'client.example',
    protocol: 'ESMTP',
    tls: null,
    from: FRIEND,
    recipients: [],
    recipients_left_out: 0,
    size_bytes: 1000,
    auth: null,
    virus: null,
    spam: null,
    labels: [],
    reply: { code: 250, enhanced: '2.0.0', text: 'accepted' },
    duration_ms: 5,
    ...change,
  }
}

/** One message that waits for review, and one that was rejected. */
async function reviewed(w: World, box: Approved): Promise<void> {
  const reviewing = createReviewing({
    ...w,
    isLocalDomain: (domain) => domain === 'agents.example',
    subjectOf: w.mailboxes.outbound.subjectOf,
    explain: () => ({ findings: [] }),
    logMs: 90 * DAY,
    log: { info: () => undefined, error: () => undefined },
  })
  for (const isRejected of [true, false]) {
    const to = [{ address: 'hold@simulator.agents.example', name: '' }]
    const held = await w.mailboxes.sending.send(box.mailboxId, letter({ to }), {})
    if ('dry_run' in held) throw new Error('That was a dry run')
    if (isRejected) await reviewing.reject(held.id, { by: 'amy@staff.example' })
  }
}
