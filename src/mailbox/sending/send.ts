/**
 * Accepting mail to be sent: what was asked is checked and composed, the guard decides, and then one transaction counts the new recipients and stores
 * message, thread, events, task and the answer for retries. A raw message that is too large to ride in it is written before; without its commit a sweep
 * takes it. Where others are to be asked about a message, which takes seconds, it is stored as `checking` and its one task is the `check` (check-task.ts).
 */
import { dayOf } from '../../accounts/outcomes.js'
import { charge } from '../../accounts/recipients.js'
import { accountPartition } from '../../accounts/record.js'
import { claimStanding } from '../../accounts/claim-status.js'
import { claimPending, notApproved, requireActive } from '../../accounts/standing.js'
import type { Accounts, AccountRecord } from '../../accounts/types.js'
import type { Guard, GuardReason, GuardVerdict } from '../../guard/types.js'
import type { Clock } from '../../lib/clock.js'
import { timestamp } from '../../lib/clock.js'
import { checkAllInTurn, invalidRequest, notFound, ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import type { Asker } from '../../lib/thread-pool.js'
import { domainOf } from '../../mime/address.js'
import type { Signature } from '../../mime/reply/signature.js'
import { MessageFormatError, type ParseLimits } from '../../mime/types.js'
import type { Log } from '../../observe/log.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Blobs, Store, Transaction } from '../../store/types.js'
import type { Outgoing } from './outgoing.js'
import { draftMail, forwardMail, newMail, replyMail, signed } from './outgoing.js'
import { readDraftFiles } from './draft-files.js'
import type { DraftRecord } from '../draft.js'
import { dropDraft, mustReadDraft } from '../draft.js'
import { addressOwner, isOwnAddress, untagged } from '../addresses.js'
import { refuseUnlisted } from '../delivery/admission.js'
import { blocksOf } from '../decisions/counted-outcomes.js'
import { codesOf } from '../decisions/decision.js'
import type { OnDecision } from '../decisions/decision.js'
import {
  askGuard,
  checkOf,
  heldFor,
  isDoubtful,
  OTHERS_ASKED,
  STATUS_AFTER,
  THREAD_RATE,
} from '../decisions/guard-check.js'
import { earlierAnswer, rememberAnswer, retryOf, type Retry } from './idempotency.js'
import { insertMessage } from '../delivery/insert.js'
import { mailboxPartition } from '../keys.js'
import { checkLabelsToSend } from '../labels.js'
import { labelsFor } from '../decisions/release.js'
import type { MessageState, StoredMessage } from '../message.js'
import { othersIn } from '../message.js'
import { mustReadStanding } from '../message-rows.js'
import type { Given } from '../mail-work/mail-jobs.js'
import type { Composed, MailWork } from '../mail-work/mail-work.js'
import { freshAmong } from '../decisions/new-recipients.js'
import { notEnoughRoom, roomLeft, type RoomLimits } from '../quota.js'
import type { Recipient } from '../objects/objects.js'
import type { Address } from '../../mime/types.js'
import type { RawStore, WrittenRaw } from '../raw.js'
import type { RecentBodies } from '../recent-bodies.js'
import { envelopeOf, whoWroteFirst } from '../recipients.js'
import { changeWithin, mustExist, readMailbox } from '../record.js'
import { enterReview, REVIEW_PARTITION } from '../review/rows.js'
import { checkSendAt, MAX_SCHEDULED, tooManyScheduled } from './scheduled.js'
import type { MailboxSettings } from '../objects/set-types.js'
import { isSimulatorAddress, simulatedDecision } from '../decisions/simulator.js'
import { readSettings } from '../settings/settings.js'
import { appendStatus } from '../status.js'
import { addTasks, checkTask, priorityOf, relayTasks, SCHEDULED_KIND, sentToday } from '../tasks.js'
import { sendsTooOften } from '../threads/thread.js'
import { readThread } from '../threads/thread-rows.js'
import { findThread } from '../threads/threading.js'
import type { Accepted, DryRun, RequestFields, Sending, SendOptions } from './requests.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { requireProven } from './verified-sender.js'
import type { OwnDomainLookUp } from './verified-sender.js'

export interface SendLimits extends RoomLimits {
  recipientsPerMessage: number
  /** Also of the original's files that a forward takes along. */
  attachmentsPerMessage: number
  /** Of a whole message, encoded. */
  messageBytes: number
  /** How long a retry gets the first answer. */
  idempotencyMs: number
}

export interface SendDeps {
  store: Store
  blobs: Pick<Blobs, 'stream' | 'delete'>
  raws: RawStore
  bodies: RecentBodies
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'countMessage' | 'previewRecipients' | 'countWithin'>
  guard: Guard
  log: Pick<Log, 'warn'>
  limits: SendLimits
  parseLimits: ParseLimits
  work: MailWork
  isLocalDomain: (domain: string) => boolean
  ownDomain?: OwnDomainLookUp | undefined
  onDecision: OnDecision
}

type Authored = Outgoing & { author: Address }

/** Who sends, as all that is asked for. */
interface Sender {
  mailbox: MailboxRecord
  settings: MailboxSettings
  account: AccountRecord
}

/** A message that is ready to be stored. */
interface Prepared extends Composed {
  id: string
  now: number
  mailbox: MailboxRecord
  account: AccountRecord
  mail: Authored
  recipients: string[]
  /** Recipients that count against the limit of new ones: the simulator's don't. */
  counted: string[]
  /** Recipients that wrote first. */
  free: string[]
}

export function createSending(deps: SendDeps): Pick<Sending, 'check' | 'send' | 'reply' | 'forward' | 'sendDraft'> {
  const { store, raws, clock, parseLimits } = deps

  const original = (mailboxId: string, messageId: string): Promise<StoredMessage> =>
    store.read(mailboxPartition(mailboxId), (view) => mustReadStanding(view, messageId))

  /** What all ways of sending share; `request` is what a retry has to repeat. */
  const accept = async (
    mailboxId: string,
    request: unknown,
    { from, options }: { from?: Address | undefined; options: SendOptions },
    mailFor: (mailbox: MailboxRecord, signature: Signature | null, asker: Asker) => Promise<Outgoing>,
  ): Promise<Accepted | DryRun> => {
    const { mailbox, settings } = await store.read(mailboxPartition(mailboxId), async (view) => ({
      mailbox: await mustExist(view),
      settings: await readSettings(view),
    }))
    const account = await mustBeAllowed(deps, mailbox)
    const retry =
      options.idempotencyKey === undefined || options.dryRun
        ? undefined
        : await retryOf(options.idempotencyKey, request)
    if (retry) {
      const answer = await store.read(mailboxPartition(mailboxId), (view) =>
        earlierAnswer<Accepted>(view, retry, clock.now()),
      )
      if (answer) return answer
    }
    const asker = options.asker ?? { owner: account.id }
    const mail = await mailFor(mailbox, settings.signature, asker)
    const fields = { ...mail, from: from ?? mail.author }
    const { recipients, author = await authorOf(deps, mailbox, undefined) } = await checkFields(deps, mailbox, fields)
    const prepared = await prepare(deps, { mailbox, settings, account }, { ...mail, author }, { recipients, asker })
    return options.dryRun ? dryRun(deps, prepared) : commit(deps, prepared, { retry, requestId: options.requestId })
  }

  return {
    async check(mailboxId, given) {
      const mailbox = await readMailbox(store, mailboxId)
      if (mailbox) await checkFields(deps, mailbox, given)
    },

    send: (mailboxId, request, options) =>
      accept(mailboxId, ['send', request], { from: request.from, options }, async (_mailbox, signature) =>
        newMail(request.signature === false ? request : signed(request, signature)),
      ),

    reply: (mailboxId, messageId, request, options) =>
      accept(mailboxId, ['reply', messageId, request], { from: request.from, options }, async (mailbox, signature) =>
        replyMail(
          await original(mailboxId, messageId),
          request.signature === false ? request : signed(request, signature),
          ({ address }) => isOwnAddress(mailbox, address),
          ({ address }) => isOwnAddress(mailbox, address) && !isOwnAddress({ address: mailbox.address }, address),
        ),
      ),

    sendDraft: (mailboxId, draftId, options) =>
      accept(mailboxId, ['draft', draftId], { options }, async (_mailbox, signature) => {
        const stored = await store.read(mailboxPartition(mailboxId), (view) => mustReadDraft(view, draftId))
        const files = await readDraftFiles(deps, mailboxId, stored.draft)
        if (!files) throw draftChanged()
        return signed(draftMail(stored, files), signature)
      }),

    forward: (mailboxId, messageId, request, options) =>
      accept(
        mailboxId,
        ['forward', messageId, request],
        { from: request.from, options },
        async (_mailbox, signature, asker) => {
          const message = await original(mailboxId, messageId)
          // Before the raw message is read: who wrote the original may have made that costly.
          if (request.includeAttachments) refuseManyForwarded(message.content.attachments.length, deps.limits)
          const words = request.signature === false ? null : signature
          const files = async (parts: number[]): Promise<Map<number, Buffer>> =>
            deps.work.files(await raws.read(mailboxId, message.state), parts, parseLimits, asker)
          return forwardMail(message, files, request, words)
        },
      ),
  }
}

/** @throws ServiceError when the mailbox is not approved yet or its account may not send */
async function mustBeAllowed({ accounts, clock }: SendDeps, mailbox: MailboxRecord): Promise<AccountRecord> {
  const account = mailbox.accountId === null ? undefined : await accounts.get(mailbox.accountId)
  const standing = claimStanding(mailbox, clock.now())
  if (standing !== 'claimed') throw notApproved(standing)
  if (!account) throw claimPending()
  requireActive(account)
  return account
}

/**
 * Whom a message is from.
 *
 * @param asked undefined is the mailbox's first address
 * @throws ServiceError `invalid_request` for an address that is not its own, `sending_stopped` for one on a domain that is not the account's any more
 */
async function authorOf(deps: SendDeps, mailbox: MailboxRecord, asked: Address | undefined): Promise<Address> {
  const { store } = deps
  requireProven(deps.ownDomain, mailbox, asked?.address ?? mailbox.address)
  if (asked === undefined) return { address: mailbox.address, name: mailbox.displayName }
  const { address, name } = asked
  const isOwn = isOwnAddress(mailbox, address) && (await addressOwner(store, untagged(address))) === mailbox.id
  if (isOwn) return { address, name: name === '' ? mailbox.displayName : name }
  throw invalidRequest(
    `${address} is none of this mailbox's addresses.`,
    `Leave \`from\` out to send as ${mailbox.address}, or choose one of GET /v1/aliases; POST /v1/aliases makes another.`,
    [{ field: 'from', problem: "Not one of the mailbox's own addresses, with or without a tag" }],
  )
}

interface Checked {
  recipients: string[]
  author?: Address
}

/**
 * All that can be wrong with the fields of a message, before anything is done with them.
 *
 * @param given what is missing is not looked at: it is not well-formed, or not there yet
 * @returns the addresses of the envelope, none where `to` is missing; its author, where `from` is there
 * @throws ServiceError `invalid_request`, or `payload_too_large` where it is that alone
 */
async function checkFields(deps: SendDeps, mailbox: MailboxRecord, given: RequestFields): Promise<Checked> {
  const { store, clock, limits, isLocalDomain } = deps
  const { from, to, cc = [], bcc = [], labels = [], attachments = [], text = '', html, sendAt } = given
  const recipientDeps = { store, isLocalDomain, recipientsPerMessage: limits.recipientsPerMessage }
  const found: Checked = { recipients: [] }
  await checkAllInTurn(
    async () => {
      if (to) found.recipients = await envelopeOf(recipientDeps, mailbox, { to, cc, bcc })
    },
    async () => {
      if (from) found.author = await authorOf(deps, mailbox, from)
    },
    () => {
      if (sendAt !== undefined) checkSendAt(sendAt, clock.now())
    },
    () => checkLabelsToSend(labels),
    () => refuseManyAttached(attachments.length, limits),
    () => {
      // Base64 makes three bytes four: what can't fit is refused before any work is done on it.
      const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0)
      if ((bytes * 4) / 3 + text.length + (html?.length ?? 0) > limits.messageBytes) throw tooLarge(limits)
    },
  )
  return found
}

/** @throws ServiceError `invalid_request` */
function refuseManyAttached(count: number, { attachmentsPerMessage }: SendLimits): void {
  if (count <= attachmentsPerMessage) return
  throw invalidRequest(
    `The message has ${count} attachments.`,
    'Put the files into one archive, or send several messages.',
    [{ field: 'attachments', problem: `It must have at most ${attachmentsPerMessage} entries.` }],
  )
}

async function prepare(
  deps: SendDeps,
  { mailbox, settings, account }: Sender,
  mail: Authored,
  { recipients, asker }: { recipients: string[]; asker: Asker },
): Promise<Prepared> {
  const { store, clock, limits, isLocalDomain } = deps
  const free = await store.read(mailboxPartition(mailbox.id), async (view) => {
    await refuseUnlisted(view, settings, recipients)
    return whoWroteFirst(view, recipients)
  })

  const now = clock.now()
  const id = newId('msg', now)
  const { bcc, labels: _labels, requireTls: _tls, threadId: _thread, sendAt, draft: _draft, author, ...parts } = mail
  const messageId = `${id.slice('msg_'.length).toLowerCase()}@${domainOf(author.address)}`
  const message = { ...parts, messageId, date: sendAt ?? now, from: author }
  const { raw, content, archives, print } = await composed(deps, { message, bcc, now }, asker)
  // A draft makes room for what it becomes.
  if (raw.length > roomLeft(mailbox, limits) + (mail.draft?.bytes ?? 0)) throw notEnoughRoom(mailbox, limits)

  const counted = recipients.filter((address) => !isSimulatorAddress(address, isLocalDomain))
  const told = { id, now, mailbox, account, mail, raw, content, archives, recipients, counted, free }
  // What is tried out on the simulator is meant to be repeated.
  return { ...told, print: counted.length === 0 ? undefined : print }
}

/** What was composed is read as its recipients will read it, so that both ends show the same. */
async function composed(
  { work, limits, parseLimits }: SendDeps,
  given: Pick<Given<'compose'>, 'message' | 'bcc' | 'now'>,
  asker: Asker,
): Promise<Composed> {
  try {
    const made = await work.compose({ ...given, maxBytes: limits.messageBytes, limits: parseLimits }, asker)
    if (!('raw' in made)) throw tooLarge(limits)
    return made
  } catch (error) {
    if (!(error instanceof MessageFormatError)) throw error
    throw invalidRequest(`The message can not be sent: ${error.reason}.`, 'Send fewer attachments or recipients.')
  }
}

/** @throws ServiceError `invalid_request` */
function refuseManyForwarded(count: number, { attachmentsPerMessage }: SendLimits): void {
  if (count <= attachmentsPerMessage) return
  throw invalidRequest(
    `The message has ${count} attachments; one that is sent may have ${attachmentsPerMessage}.`,
    'Forward it with `"include_attachments": false`, or send the files you need with POST /v1/send.',
    [{ field: 'include_attachments', problem: 'It must be false for this message.' }],
  )
}

export function tooLarge({ messageBytes }: SendLimits): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The message is larger than ${messageBytes} bytes once its attachments are encoded.`,
    'Encoding makes files a third larger. Send fewer or smaller attachments.',
    { fields: [{ field: 'attachments', problem: `The whole message may have at most ${messageBytes} bytes.` }] },
  )
}

async function dryRun(deps: SendDeps, prepared: Prepared): Promise<DryRun> {
  const { mailbox, account, mail, content, archives, recipients, counted, free, print, now } = prepared
  // What is scheduled counts when it goes.
  const isNow = mail.sendAt === undefined
  if (!isNow && (mailbox.scheduledCount ?? 0) >= MAX_SCHEDULED) throw tooManyScheduled()
  const { fresh, left, similar } = await deps.accounts.previewRecipients(account.id, counted, free, print, isNow)
  const thread = await deps.store.read(mailboxPartition(mailbox.id), async (view) => {
    await mustExist(view)
    if (mail.threadId !== undefined) return readThread(view, mail.threadId)
    return findThread(view, content, othersIn(content, mailbox), now)
  })
  const verdict = await askGuard(deps, {
    content,
    archives,
    recipientCount: recipients.length,
    newRecipientCount: fresh.length,
    trust: account.trust,
    isAnswer: isAnswer(prepared),
    similar,
    holdReasons: thread && sendsTooOften(thread, now) ? [THREAD_RATE] : [],
    simulated: simulatedDecision(recipients, deps.isLocalDomain),
  })
  return {
    dry_run: true,
    decision: verdict.decision,
    category: verdict.category,
    scores: { ...verdict.scores },
    reasons: isDoubtful(deps.guard, verdict) ? [...verdict.reasons, OTHERS_ASKED] : verdict.reasons,
    new_recipients: fresh,
    new_recipients_left: left,
    require_tls: mail.requireTls,
  }
}

/** A reply to its only recipient, who wrote first. */
function isAnswer({ content, recipients, free }: Prepared): boolean {
  return content.in_reply_to !== null && recipients.length === 1 && free.length === 1
}

/** The message turned out to be held or blocked, and the transaction was not begun for that. */
class ReviewNeeded extends Error {}

interface Asked {
  retry: Retry | undefined
  requestId: string | undefined
}

/** Facts about an account that the guard is told, and that other sends of it change. */
type Counted = Awaited<ReturnType<Accounts['countMessage']>>

async function commit(deps: SendDeps, prepared: Prepared, asked: Asked): Promise<Accepted> {
  const { mailbox, account, mail, counted, free, print, id } = prepared
  // What is scheduled counts when it goes.
  const isNow = mail.sendAt === undefined
  const seen = await deps.accounts.previewRecipients(account.id, counted, free, print, isNow)
  const verdict = await judged(deps, prepared, seen)
  const written = await deps.raws.write(mailbox.id, id, prepared.raw)
  const decided = { ...asked, written, seen, verdict }
  try {
    return await insert(deps, prepared, decided, verdict.decision !== 'send')
  } catch (error) {
    if (!(error instanceof ReviewNeeded)) throw error
    return insert(deps, prepared, decided, true)
  }
}

function judged(deps: SendDeps, prepared: Prepared, { fresh, similar }: Counted): Promise<GuardVerdict> {
  const { account, content, archives, recipients } = prepared
  return askGuard(deps, {
    content,
    archives,
    recipientCount: recipients.length,
    newRecipientCount: fresh.length,
    trust: account.trust,
    isAnswer: isAnswer(prepared),
    similar,
    holdReasons: [],
    simulated: simulatedDecision(recipients, deps.isLocalDomain),
  })
}

/** Whether the guard would say the same of both. */
function isSame(a: Counted, b: Counted): boolean {
  return a.fresh.length === b.fresh.length && a.similar?.newRecipients === b.similar?.newRecipients
}

interface Decided extends Asked {
  /** The raw message when it rides in the commit. */
  written: WrittenRaw
  /** What the guard was told, and what it said. */
  seen: Counted
  verdict: GuardVerdict
}

/** The verdict on a message, and the status that follows. */
interface Fate {
  verdict: GuardVerdict
  asksOthers: boolean
  /** When it is to go; undefined when that is now. */
  sendAt: number | undefined
  status: MessageState['status']
  holdReasons: GuardReason[]
}

function fateOf({ guard }: SendDeps, { mail }: Prepared, judged: GuardVerdict, holdReasons: GuardReason[]): Fate {
  const verdict = heldFor(judged, holdReasons)
  // Nobody should hear of a block only when the time has come: what is blocked now ends now.
  const sendAt = verdict.decision === 'block' ? undefined : mail.sendAt
  const asksOthers = sendAt === undefined && isDoubtful(guard, verdict)
  const status = sendAt !== undefined ? 'scheduled' : asksOthers ? 'checking' : STATUS_AFTER[verdict.decision]
  return { verdict, asksOthers, sendAt, status, holdReasons }
}

/**
 * The one transaction of a send: recipients are counted, the draft goes, message, thread, events, task and the answer for retries come.
 *
 * @param review whether it may come to be held or blocked in it
 * @throws ReviewNeeded when it does, and may not
 */
async function insert(deps: SendDeps, prepared: Prepared, decided: Decided, review: boolean): Promise<Accepted> {
  const { store, queue, clock, limits, accounts } = deps
  const { id, now, mailbox, account, mail, raw, content, recipients, counted, free, print } = prepared
  const { retry, written, seen } = decided
  const partitions = [mailboxPartition(mailbox.id), accountPartition(account.id), ...(review ? [REVIEW_PARTITION] : [])]
  const isReply = content.in_reply_to !== null
  const priority = priorityOf({ recipients: recipients.length, isReply, sentToday: sentToday(mailbox, now) })

  const { answer, fate } = await store.write(partitions, (own) =>
    changeWithin(
      own,
      async (tx, record) => {
        const earlier = retry && (await earlierAnswer<Accepted>(tx, retry, now))
        if (earlier) return { answer: earlier, fate: undefined }
        if (mail.draft) await take(tx, record, mail.draft)
        const accountTx = tx.in(accountPartition(account.id))
        const isLater = mail.sendAt !== undefined && decided.verdict.decision !== 'block'
        const found = isLater ? seen : await accounts.countMessage(accountTx, account.id, counted, free, print)
        // Others of the account were sent since the guard was asked.
        const verdict = isSame(found, seen) ? decided.verdict : await judged(deps, prepared, found)
        let fate = fateOf(deps, prepared, verdict, [])
        if (fate.sendAt !== undefined) {
          const scheduledCount = record.scheduledCount ?? 0
          if (scheduledCount >= MAX_SCHEDULED) throw tooManyScheduled()
          record.scheduledCount = scheduledCount + 1
        }
        const envelope = recipients.map((address): Recipient => ({
          address,
          status: 'queued',
          smtp_code: null,
          detail: null,
          attempts: 0,
          next_attempt_at: null,
          at: timestamp(now),
        }))
        const fresh = isLater ? {} : freshAmong(envelope, found.fresh)
        const common = {
          id,
          direction: 'outbound' as const,
          unread: false,
          rawBytes: raw.length,
          ...written.place,
          recipients: envelope,
          newRecipientCount: found.fresh.length,
          ...fresh,
          ...(isAnswer(prepared) ? { isAnswer: true as const } : {}),
          ...(found.similar ? { similar: found.similar } : {}),
          ...(mail.requireTls ? { requireTls: true as const } : {}),
          sentAt: null,
          createdAt: now,
          updatedAt: now,
        }
        const state = await insertMessage(
          tx,
          record,
          {
            state: { ...common, ...stateOf(fate, mail.labels) },
            content,
            raw: written.inline,
            threadId: mail.threadId,
          },
          limits,
          (fields, thread) => {
            // Its conversation turns out to be a loop.
            const isLoop = fate.sendAt === undefined && thread !== undefined && sendsTooOften(thread, now)
            if (isLoop) fate = fateOf(deps, prepared, verdict, [THREAD_RATE])
            const costs = fresh.fresh && (fate.status === 'queued' || fate.status === 'checking')
            return { ...fields, ...stateOf(fate, mail.labels), ...(costs ? { freshCountedOn: dayOf(clock) } : {}) }
          },
        )
        tx.afterCommit(() => deps.bodies.add(mailbox.id, state.seq, { content, raw: written.inline }))
        const { status, sendAt, asksOthers } = fate
        appendStatus(record, { ...state, status: 'checking', check: null }, now)
        if (!asksOthers) appendStatus(record, state, now)
        if (state.freshCountedOn !== undefined) await charge(accountTx, id, found.fresh, clock)
        if (status === 'held' || status === 'blocked') {
          if (!review) throw new ReviewNeeded()
          await enterReview(tx.in(REVIEW_PARTITION), { messageId: id, mailboxId: mailbox.id, list: status, at: now })
        }
        if (sendAt === undefined) {
          const simulated = simulatedDecision(recipients, deps.isLocalDomain)
          const blocks = blocksOf(fate.verdict, simulated, recipients, deps.isLocalDomain)
          await accounts.countWithin(tx, account.id, blocks)
        }
        const payload = { mailbox_id: mailbox.id, message_id: id }
        if (sendAt !== undefined)
          queue.add(tx, SCHEDULED_KIND, { id, payload, due: sendAt, lane: mailbox.id, priority })
        else if (asksOthers) addTasks(queue, tx, [checkTask(mailbox.id, id, priority)], now)
        else if (status === 'queued') addTasks(queue, tx, relayTasks(mailbox.id, id, recipients, priority), now)
        const answer: Accepted = { id, thread_id: state.threadId, status: state.status }
        if (retry) rememberAnswer(tx, retry, answer, now + limits.idempotencyMs)
        return { answer, fate }
      },
      () => {
        throw notFound('mailbox')
      },
    ),
  )
  if (fate) await tellOf(deps, prepared, decided, fate)
  return answer
}

/** The part of a message's state that follows from its fate. */
function stateOf({ verdict, asksOthers, sendAt, status, holdReasons }: Fate, labels: readonly string[]) {
  return {
    status,
    labels: [...new Set([...labelsFor(status), ...labels])],
    check: asksOthers || sendAt !== undefined ? null : checkOf(verdict),
    holdReasons,
    ...(asksOthers ? { verdict } : {}),
    ...(sendAt === undefined ? {} : { sendAt }),
  }
}

/** After the commit. */
async function tellOf(
  deps: SendDeps,
  { id, mailbox, mail, recipients }: Prepared,
  { requestId }: Decided,
  { verdict, asksOthers, sendAt, status }: Fate,
): Promise<void> {
  deps.onDecision({
    messageId: id,
    mailboxId: mailbox.id,
    status,
    recipients: recipients.length,
    check: asksOthers || sendAt !== undefined ? null : codesOf(verdict),
    requestId,
  })
  // It is accepted: what is left of the draft is the sweep's.
  for (const file of mail.draft?.files ?? [])
    if (file.in === 'blob')
      await deps.blobs
        .delete(mailbox.id, file.id)
        .catch((err: unknown) => deps.log.warn({ err, message_id: id }, 'A file of a draft stays until the next sweep'))
}

/** The draft goes as its message comes. @throws ServiceError when it is gone, or is not what was composed any more */
async function take(tx: Transaction, mailbox: MailboxRecord, { id, revision }: DraftRecord): Promise<void> {
  const { draft } = await mustReadDraft(tx, id)
  if (draft.revision !== revision) throw draftChanged()
  dropDraft(tx, mailbox, draft)
}

function draftChanged(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The draft was changed while it was sent, so it is not.',
    'Look at it with GET /v1/drafts/{id}, and send it again.',
    { retryAfterSeconds: 1 },
  )
}
