/**
 * Corrections learned from the reviews of this installation. Each review is stored as places of the message's words among 4,096 (salted hashes, no
 * words) and hashes of the ids of message and account; the weights are computed from these rows, at the start and when another process has
 * learned. A row lives as long as it has an
 * effect, half a year. So a review counts once however often it is reported, a later one replaces it, and forgetting means deleting rows.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { DAY, utcDay, type Clock } from '../../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { openFollowed } from '../../store/watched.js'
import { createWeights, placesOf, type Decision, type Lesson, type Weights } from './correction-weights.js'
import { findingsOf, wordsOf } from './findings.js'
import type { GuardSubject } from '../types.js'

export interface Review {
  messageId: string
  accountId: string
  decision: Decision
  /** The reviewed message, as the guard judged it. */
  subject: GuardSubject
  /** Milliseconds since the epoch. */
  at: number
}

export interface CorrectionSummary {
  approvals: number
  rejections: number
  /** Times of the first and last review that still count; null for none. */
  oldest: number | null
  newest: number | null
  /** The greatest weight of a place, 0 to 0.25. */
  strongest: number
}

export interface Correction {
  /**
   * Shifts the logit of a risk that was found in the words of a message by at most ±1.5. Not used on hard evidence, and the caller never blocks
   * because of it.
   *
   * @param codes of the findings, if known already
   */
  adjust(logit: number, subject: GuardSubject, codes?: string[]): number
  /** @returns true if it changed anything: not when the review was reported before, is too old, or the account reached its daily limit */
  learn(review: Review): Promise<boolean>
  /** Forgets everything, the salt of the hashes included. */
  forget(): Promise<void>
  summary(): CorrectionSummary
}

/** Max lessons per account and day, so that no sender trains the guard for itself or against others. */
export const LESSONS_PER_ACCOUNT_AND_DAY = 5
/** After six half-lives a lesson is worth a sixty-fourth. */
export const LESSONS_KEPT_DAYS = 180
const KEPT_MS = LESSONS_KEPT_DAYS * DAY
export const MAX_LESSONS = 1000
const VERSION = 1
/** Max rows read by one range. */
const MAX_RANGE = 10_000
const PARTITION = 'guard'
const SALT_BYTES = 16

const headKey = key('correction')
const lessonKey = (hash: string): Uint8Array => key('lesson', hash)
const lessonsRange = prefixRange('lesson')

interface Head {
  version: number
  /** Hexadecimal. */
  salt: string
}

interface Row extends Lesson {
  /** Hash of the account. */
  by: string
}

interface Stored {
  /** Undefined when nothing was ever learned. */
  salt: Buffer | undefined
  /** In the order of their reviews. */
  rows: Map<string, Row>
}

/** All corrections, in memory. */
interface Learnt extends Stored {
  weights: Weights
}

export interface CorrectionDeps {
  store: Store
  clock: Clock
  /** If false, nothing is learned and corrections don't count; they can still be listed and forgotten. */
  isOn: boolean
  /** Called when what other processes learned could not be read. */
  onError: (error: unknown) => void
}

/** To be stopped before the store is closed. */
export async function openCorrection({
  store,
  clock,
  isOn,
  onError,
}: CorrectionDeps): Promise<Correction & { stop(): void }> {
  await dropOtherVersion(store)
  await dropOld(store, clock.now() - KEPT_MS)
  const learnt = await openFollowed({ store, partition: PARTITION, read: load, onError })

  function learnWithin(
    tx: Transaction,
    known: Stored,
    { messageId, accountId, decision, subject, at }: Review,
  ): boolean {
    const { rows } = known
    const salt = known.salt ?? randomBytes(SALT_BYTES)
    const id = hashOf(salt, messageId)
    const row: Row = { decision, places: placesIn(subject, salt), at, by: hashOf(salt, accountId) }
    const before = rows.get(id)
    if (at <= clock.now() - KEPT_MS) return false
    if (before ? before.decision === decision || before.at > at : isOverShare(rows, row)) return false
    if (!known.salt) tx.put(headKey, encode({ version: VERSION, salt: salt.toString('hex') } satisfies Head))
    tx.put(lessonKey(id), encode(row))
    for (const other of rows.keys()) if (other !== id && isOut(rows, other, clock.now())) tx.delete(lessonKey(other))
    return true
  }

  return {
    adjust(logit, subject, codes) {
      const { salt, rows, weights } = learnt.latest
      if (!isOn || !salt || rows.size === 0) return logit
      return logit + weights.shift(placesIn(subject, salt, codes), clock.now())
    },

    async learn(review) {
      if (!isOn) return false
      const isNew = await store.write(PARTITION, async (tx) => learnWithin(tx, await readStored(tx), review))
      await learnt.get()
      return isNew
    },

    async forget() {
      await store.write(PARTITION, async (tx) => {
        tx.delete(headKey)
        for (const id of (await readStored(tx)).rows.keys()) tx.delete(lessonKey(id))
      })
      await learnt.get()
    },

    summary() {
      const { rows: all, weights } = learnt.latest
      const rows = [...all.values()]
      const times = rows.map(({ at }) => at)
      const rejections = rows.filter(({ decision }) => decision === 'reject').length
      return {
        approvals: rows.length - rejections,
        rejections,
        oldest: rows.length === 0 ? null : Math.min(...times),
        newest: rows.length === 0 ? null : Math.max(...times),
        strongest: weights.strongest(clock.now()),
      }
    },

    stop: () => learnt.stop(),
  }
}

function isOverShare(rows: Map<string, Row>, { by, at }: Row): boolean {
  const day = utcDay(at)
  const ofDay = [...rows.values()].filter((row) => row.by === by && utcDay(row.at) === day)
  return ofDay.length >= LESSONS_PER_ACCOUNT_AND_DAY
}

/** True if it expired, or is the oldest of too many. */
function isOut(rows: Map<string, Row>, id: string, now: number): boolean {
  const row = rows.get(id)
  const [oldest] = rows.keys()
  return row !== undefined && (row.at <= now - KEPT_MS || (rows.size >= MAX_LESSONS && id === oldest))
}

/** The places of a message by the salt of this installation. */
function placesIn(subject: GuardSubject, salt: Buffer, codes = findingsOf(subject).map(({ code }) => code)): number[] {
  return placesOf(wordsOf(subject), codes, salt.readUInt32BE(0))
}

/** Deletes corrections of another version, whose places mean something else. */
async function dropOtherVersion(store: Store): Promise<void> {
  await store.write(PARTITION, async (tx) => {
    const head = await tx.get(headKey)
    if (!head || decode<Head>(head).version === VERSION) return
    tx.delete(headKey)
    for (const [stored] of await tx.range({ ...lessonsRange, limit: MAX_RANGE })) tx.delete(stored)
  })
}

/** Deletes old lessons, also where nothing new is learned. */
async function dropOld(store: Store, until: number): Promise<void> {
  await store.write(PARTITION, async (tx) => {
    for (const [stored, value] of await tx.range({ ...lessonsRange, limit: MAX_RANGE }))
      if (decode<Row>(value).at <= until) tx.delete(stored)
  })
}

/** Number of stored lessons, also while learning is off. */
export async function countLessons(store: Pick<Store, 'read'>): Promise<number> {
  return store.read(PARTITION, async (view) => (await view.range({ ...lessonsRange, limit: MAX_RANGE })).length)
}

async function readStored(view: Pick<View, 'get' | 'range'>): Promise<Stored> {
  const head = await view.get(headKey)
  const salt = head && decode<Head>(head).salt
  const pairs = await view.range({ ...lessonsRange, limit: MAX_RANGE })
  const entries = pairs.map(([stored, value]): [string, Row] => [String(keyParts(stored)[1]), decode<Row>(value)])
  const rows = new Map(entries.sort(([, a], [, b]) => a.at - b.at))
  return { salt: salt === undefined ? undefined : Buffer.from(salt, 'hex'), rows }
}

async function load(view: View): Promise<Learnt> {
  const stored = await readStored(view)
  const weights = createWeights()
  for (const row of stored.rows.values()) weights.add(row)
  return { ...stored, weights }
}

function hashOf(salt: Buffer, id: string): string {
  return createHmac('sha256', salt).update(id).digest('hex').slice(0, 32)
}
