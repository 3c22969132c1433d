/**
 * What other nodes leave for the owner of a shard: that a task came or is gone, and requests to change one. The owner alone knows which tasks are
 * running, so it carries requests out and answers in the same row.
 */
import { randomUUID } from 'node:crypto'
import { MINUTE, SECOND } from '../lib/clock.js'
import { decode, encode, keyParts } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { decodeTask, noteKey, noteRange, taskKey, type TaskRecord } from './rows.js'

export type Request =
  { op: 'remove' } | { op: 'reschedule'; due: number; payload?: { before: unknown; after: unknown } }

export interface Note {
  id: string
  /** With a request. */
  nonce: string | undefined
  request: Request | undefined
}

type Stored = { request: Request } | { answer: boolean; at: number } | Record<string, never>

/** An owner that is busy or has just changed. */
const ANSWER_MS = 15 * SECOND
/** Then who asked is gone. */
const UNREAD_MS = MINUTE
/** Of one read. */
const NOTES_AT_ONCE = 500

export const EMPTY_NOTE = encode({})

/** Notes that wait for the owner, and answers that nobody reads any more. */
export async function readNotes(view: View, now: number): Promise<Note[]> {
  const rows = await view.range({ ...noteRange, limit: NOTES_AT_ONCE })
  return rows.flatMap(([row, value]) => {
    const [, id, nonce] = keyParts(row)
    const stored = decode<Stored>(value)
    if ('answer' in stored && now - Number(stored.at) < UNREAD_MS) return []
    return [{ id: String(id), nonce: nonce === undefined ? undefined : String(nonce), request: requestOf(stored) }]
  })
}

const requestOf = (stored: Stored): Request | undefined =>
  'request' in stored ? (stored.request as Request) : undefined

/**
 * Removes notes; requests get their answers.
 *
 * @returns the tasks of removed notes as they are now: a task may have come again under its note; undefined for one that is gone
 */
export function settleNotes(
  store: Store,
  partition: string,
  notes: readonly (Note & { answer?: boolean })[],
  now: number,
): Promise<Map<string, TaskRecord | undefined>> {
  return store.write(partition, async (tx) => {
    const rows = await tx.getMany(notes.map(({ id, nonce }) => noteKey(id, nonce)))
    const tasks = await tx.getMany(notes.map(({ id }) => taskKey(id)))
    const noted = new Map<string, TaskRecord | undefined>()
    notes.forEach(({ id, nonce, answer }, i) => {
      // Who asked has given up.
      if (rows[i] === undefined) return
      if (answer !== undefined) return tx.put(noteKey(id, nonce), encode({ answer, at: now }))
      const task = tasks[i]
      tx.delete(noteKey(id, nonce))
      noted.set(id, task && decodeTask(task))
    })
    return noted
  })
}

/** Removes all notes, of a shard that nobody looks at. */
export async function dropNotes(tx: Transaction): Promise<void> {
  for (const [row] of await tx.range({ ...noteRange, limit: NOTES_AT_ONCE })) tx.delete(row)
}

/** @returns the owner's answer; false if there is none in time, and then it does nothing any more */
export async function askOwner(store: Store, partition: string, id: string, request: Request): Promise<boolean> {
  const row = noteKey(id, randomUUID())
  await store.write(partition, (tx) => tx.put(row, encode({ request })))
  const deadline = AbortSignal.timeout(ANSWER_MS)
  for (;;) {
    const { version, answer } = await store.read(partition, async (view) => {
      const value = await view.get(row)
      const stored = value && decode<Stored>(value)
      return {
        version: await view.version(),
        answer: stored && 'answer' in stored ? stored.answer === true : undefined,
      }
    })
    if (answer !== undefined || deadline.aborted)
      return store.write(partition, async (tx) => {
        const value = await tx.get(row)
        tx.delete(row)
        const stored = value && decode<Stored>(value)
        return stored !== undefined && 'answer' in stored && stored.answer === true
      })
    await store.wait(partition, version, deadline)
  }
}
