/** Reads for staff: lists of waiting messages, one message with its findings, the log of decisions. */
import { setImmediate as tick } from 'node:timers/promises'
import { z } from 'zod'
import type { Accounts } from '../../accounts/types.js'
import type { Finding } from '../../guard/finding.js'
import { shownLinks } from '../../guard/links/links.js'
import type { GuardSubject } from '../../guard/types.js'
import { timestamp, type Clock } from '../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { ServiceError } from '../../lib/errors.js'
import { cut } from '../../lib/text.js'
import { decode, keyAfter, keyParts, prefixRange } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { sentToday } from '../tasks.js'
import { mailboxPartition } from '../keys.js'
import { mailWorkInPlace, type MailWork } from '../mail-work/mail-work.js'
import { shownAddress, type StoredMessage } from '../message.js'
import { readStored } from '../message-rows.js'
import type { ReviewDetails, ReviewItem, ReviewLog, ReviewLogEntry, ReviewPage } from './objects.js'
import {
  type ReviewCounts,
  type ReviewListName,
  type ReviewPlace,
  type ReviewRow,
  listedAt,
  listedKey,
  logKey,
  logRange,
  readCounts,
  readPlace,
  readReview,
  REVIEW_PARTITION,
  SECOND_LOOK_MS,
} from './rows.js'
import { mailboxOf } from '../record.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { Page } from '../objects/objects.js'

/** Max characters shown of a message. */
const MAX_SHOWN_CHARS = 64 * 1024
const MAX_SHOWN_LINKS = 200
const MAX_SHOWN_TO = 5

const listCursor = z.tuple([z.int().nonnegative(), z.string().max(64)])
const logCursor = z.string().max(64)

export interface Reviewable extends StoredMessage {
  mailbox: MailboxRecord
}

export interface ReviewReadingDeps {
  store: Store
  clock: Clock
  accounts: Pick<Accounts, 'get'>
  /** The guard's input for a stored message, as when it was sent. */
  subjectOf: (mailboxId: string, message: StoredMessage, trust: number) => Promise<GuardSubject>
  /** Findings of the guard with their evidence. */
  explain: (subject: GuardSubject) => Promise<{ findings: Finding[] }> | { findings: Finding[] }
  work?: Pick<MailWork, 'wordsOfHtml'> | undefined
}

export class ReviewReading {
  readonly #deps: ReviewReadingDeps

  constructor(deps: ReviewReadingDeps) {
    this.#deps = deps
  }

  /** Undefined if the message or its mailbox is gone. */
  find(mailboxId: string, messageId: string): Promise<Reviewable | undefined> {
    return this.#deps.store.read(mailboxPartition(mailboxId), async (view) => {
      const [mailbox, stored] = [await mailboxOf(view), await readStored(view, messageId)]
      return mailbox && stored && { ...stored, mailbox }
    })
  }

  /** The message with an id, in any mailbox. @throws ServiceError `not_found` if it never was in review */
  async mustFind(messageId: string): Promise<Reviewable> {
    const place = await this.#placeOf(messageId)
    const found = place && (await this.find(place.mailboxId, messageId))
    if (found) return found
    throw notInReview(messageId)
  }

  counts(): Promise<ReviewCounts> {
    return this.#deps.store.read(REVIEW_PARTITION, readCounts)
  }

  async decidedOf({ state: { reviewId } }: StoredMessage): Promise<ReviewRow | undefined> {
    return reviewId === undefined
      ? undefined
      : this.#deps.store.read(REVIEW_PARTITION, (view) => readReview(view, reviewId))
  }

  /** When the longest waiting message was held. */
  async oldest(): Promise<number | undefined> {
    const rows = await this.#deps.store.read(REVIEW_PARTITION, (view) =>
      view.range({ ...prefixRange('held'), limit: 1 }),
    )
    const [row] = rows
    return row && listedAt(row[0]).at
  }

  async list(query: Page & { status: ReviewListName }): Promise<ReviewPage> {
    const { status, limit } = query
    const after = decodeCursor(query.cursor, listCursor)
    const isReverse = status === 'blocked'
    let range = prefixRange(status)
    if (after)
      range = isReverse
        ? { ...range, lt: listedKey(status, ...after) }
        : { ...range, gte: keyAfter(listedKey(status, ...after)) }
    const found: { at: number; appeal: string | null; messageId: string; message: Reviewable }[] = []
    for (;;) {
      const from = range
      const rows = await this.#deps.store.read(REVIEW_PARTITION, async (view) => {
        const listed = await view.range({ ...from, limit: limit + 1, reverse: isReverse })
        return Promise.all(
          listed.map(async ([row]) => {
            const listed = listedAt(row)
            const { mailboxId = '', appeal = null } = (await readPlace(view, listed.messageId)) ?? {}
            return { row, ...listed, mailboxId, appeal }
          }),
        )
      })
      for (const { at, messageId, mailboxId, appeal } of rows) {
        const message = await this.find(mailboxId, messageId)
        // Each may be large to read; others get a turn in between.
        await tick()
        if (message && isWaiting(message, status, at, this.#deps.clock.now()))
          found.push({ at, appeal, messageId, message })
        if (found.length > limit) break
      }
      const last = rows.at(-1)
      if (found.length > limit || !last || rows.length <= limit) break
      range = isReverse ? { ...range, lt: last.row } : { ...range, gte: keyAfter(last.row) }
    }
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    const hasMore = found.length > limit
    return {
      data: await Promise.all(shown.map(({ message, ...place }) => this.#itemOf(message, place))),
      has_more: hasMore,
      next_cursor: hasMore && last ? encodeCursor([last.at, last.messageId]) : null,
      counts: await this.counts(),
    }
  }

  /** One message with its findings. @throws ServiceError `not_found` */
  async read(messageId: string): Promise<ReviewDetails> {
    const message = await this.mustFind(messageId)
    const { state, content, mailbox } = message
    const account = mailbox.accountId === null ? undefined : await this.#deps.accounts.get(mailbox.accountId)
    const place = await this.#placeOf(messageId)
    const item = await this.#itemOf(message, { at: place?.at ?? state.createdAt, appeal: place?.appeal ?? null })
    const { work = mailWorkInPlace() } = this.#deps
    const subject = await this.#deps.subjectOf(mailbox.id, message, account?.trust ?? 0)
    const { findings } = await this.#deps.explain(subject)
    const htmlText =
      content.html === null
        ? null
        : (await work.wordsOfHtml(content.html, { owner: 'review' })).replace(/[^\S\n]+/g, ' ').trim()
    const links = shownLinks(content.html, content.extracted.links)
    const decided = await this.decidedOf(message)
    const blind = new Set(content.bcc.map(({ address }) => address))
    return {
      ...item,
      guard_decision: state.check?.decision ?? 'hold',
      scores: state.check?.scores ?? {},
      reasons: item.reasons.map((reason) => ({ ...reason, excerpts: excerptsFor(reason.code, findings) })),
      from: content.from && shownAddress(content.from),
      reply_to: content.reply_to.map(shownAddress),
      recipients: state.recipients.map(({ address, status }) => ({
        address,
        status,
        is_blind_copy: blind.has(address),
      })),
      text: cut(content.text, MAX_SHOWN_CHARS),
      html_text: htmlText === null || isSame(htmlText, content.text) ? null : cut(htmlText, MAX_SHOWN_CHARS),
      is_cut: content.truncated === true || content.text.length > MAX_SHOWN_CHARS || links.length > MAX_SHOWN_LINKS,
      links: links.slice(0, MAX_SHOWN_LINKS),
      attachments: content.attachments.map(({ filename, content_type, size_bytes, risk }) => ({
        filename,
        content_type,
        size_bytes,
        risk: risk.map(({ detail }) => detail),
      })),
      sender: {
        ...item.sender,
        status: account?.status ?? 'gone',
        trust_level: account?.trust ?? null,
        sent: mailbox.sentCount,
        sent_today: sentToday(mailbox, this.#deps.clock.now()),
        received: mailbox.receivedCount,
        since: timestamp(mailbox.createdAt),
      },
      decided: decided ? entryOf(decided) : null,
      obstacle: obstacleOf(message, account?.status ?? 'gone', place?.at ?? 0, this.#deps.clock.now()),
    }
  }

  /** Decisions, newest first. */
  async log(query: Page): Promise<ReviewLog> {
    const after = decodeCursor(query.cursor, logCursor)
    const lt = after === undefined ? logRange.lt : logKey(after)
    const rows = await this.#deps.store.read(REVIEW_PARTITION, (view) =>
      view.range({ gte: logRange.gte, lt, limit: query.limit + 1, reverse: true }),
    )
    const shown = rows.slice(0, query.limit)
    const last = shown.at(-1)
    const hasMore = rows.length > query.limit
    return {
      data: shown.map(([, value]) => entryOf(decode<ReviewRow>(value))),
      has_more: hasMore,
      next_cursor: hasMore && last ? encodeCursor(String(keyParts(last[0])[1])) : null,
    }
  }

  #placeOf(messageId: string): Promise<ReviewPlace | undefined> {
    return this.#deps.store.read(REVIEW_PARTITION, (view) => readPlace(view, messageId))
  }

  async #itemOf(
    { state, content, mailbox }: Reviewable,
    { at, appeal }: { at: number; appeal: string | null },
  ): Promise<ReviewItem> {
    const account = mailbox.accountId === null ? undefined : await this.#deps.accounts.get(mailbox.accountId)
    return {
      id: state.id,
      status: state.status,
      at: timestamp(at),
      sender: {
        mailbox_id: mailbox.id,
        address: mailbox.address,
        account_id: mailbox.accountId,
        owner: account?.owner ?? null,
      },
      to: state.recipients.slice(0, MAX_SHOWN_TO).map(({ address }) => address),
      recipient_count: state.recipients.length,
      subject: content.subject,
      category: state.check?.category ?? 'legitimate',
      reasons: state.check?.reasons ?? [],
      appeal,
    }
  }
}

/** True if the message still waits for a decision on this list. */
export function isWaiting(message: StoredMessage, list: ReviewListName, at: number, now: number): boolean {
  // Its sender deleted the blocked message.
  return !message.state.trashed && isOpen(message, list, at, now)
}

/** True if the message can still be decided on. @param at when it entered the list */
export function isOpen({ state }: StoredMessage, list: ReviewListName, at: number, now: number): boolean {
  if (state.reviewId !== undefined || state.status !== list) return false
  return list === 'held' || at > now - SECOND_LOOK_MS
}

function obstacleOf(message: StoredMessage, account: string, at: number, now: number): string | null {
  const { status, reviewId } = message.state
  if (reviewId !== undefined) return 'It was already reviewed.'
  if (status === 'blocked' && at <= now - SECOND_LOOK_MS) return 'It was blocked more than 7 days ago.'
  if (account === 'suspended') return 'The account of its sender is suspended.'
  if (account === 'deletion_pending') return 'The account of its sender is about to be deleted.'
  return account === 'active' ? null : 'The account of its sender is gone.'
}

function excerptsFor(code: string, findings: Finding[]): string[] {
  return [...new Set(findings.flatMap((each) => (each.code === code && each.excerpt ? [each.excerpt] : [])))]
}

function isSame(a: string, b: string): boolean {
  const words = (text: string): string => text.replace(/\s+/g, '')
  return words(a) === words(b)
}

export function entryOf(row: ReviewRow): ReviewLogEntry {
  return {
    id: row.id,
    at: timestamp(row.at),
    decision: row.decision,
    by: row.by,
    message_id: row.messageId,
    mailbox_id: row.mailboxId,
    account_id: row.accountId,
    note: row.note,
    category: row.guard.category,
    guard_decision: row.guard.decision,
    codes: row.guard.codes,
  }
}

export function notInReview(messageId: string): ServiceError {
  return new ServiceError(
    'not_found',
    `No message ${messageId.slice(0, 40)} waits for review or was reviewed recently.`,
    'restante review list shows those that wait; with --blocked, what was blocked in the last 7 days.',
  )
}
