/** What a mail program with QRESYNC knows of a mailbox, and a naive account of what it should know. */
import type { Test } from 'tap'
import {
  ANSWERED,
  ANSWERED_LABEL,
  DELETED,
  DRAFT,
  FLAGGED,
  FLAGGED_LABEL,
  keywordOf,
  keywordOfStatus,
  SEEN,
} from '../../../src/mailbox/folders/flags.js'
import { type FolderKey, foldersOf } from '../../../src/mailbox/folders/folder.js'
import type { ListedFolder } from '../../../src/mailbox/folders/listing.js'
import type { FolderView } from '../../../src/mailbox/folders/view.js'
import { mailboxPartition, messagesRange } from '../../../src/mailbox/keys.js'
import type { MessageState } from '../../../src/mailbox/message.js'
import { unpackMessage } from '../../../src/mailbox/message-rows.js'
import { allIn } from '../../../src/store/pages.js'
import { present, type World } from '../world.js'

export type Seen = Map<number, { place: number; flags: number; keywords: string[] }>

export const keywordsOf = (view: FolderView, bits: readonly [number, number]): string[] =>
  view.keywords.filter((_, i) => ((bits[i < 32 ? 0 : 1] >>> (i % 32)) & 1) === 1).sort()

export const contentOf = (view: FolderView, since = 0): Seen =>
  new Map(
    [...view.entries(since)].map(({ uid, place, flags, keywords }) => [
      uid,
      { place, flags, keywords: keywordsOf(view, keywords) },
    ]),
  )

export async function openFolder(w: World, name: string): Promise<FolderView> {
  const folder = present(await w.mailboxes.folders.find(w.id, name))
  return present(await w.mailboxes.folders.view(w.id, folder.row.number))
}

/** Places and flags by folder, from all messages. */
export async function naive(w: World): Promise<Map<FolderKey, Map<number, string>>> {
  const states: MessageState[] = (await w.store.read(mailboxPartition(w.id), (view) => allIn(view, messagesRange))).map(
    ([, row]) => unpackMessage(row),
  )
  const folders = new Map<FolderKey, Map<number, string>>()
  for (const state of states)
    for (const folder of foldersOf(state)) {
      const { labels, unread, status, deletedIn = [] } = state
      const flags =
        (unread ? 0 : SEEN) |
        (labels.includes(FLAGGED_LABEL) ? FLAGGED : 0) |
        (labels.includes(ANSWERED_LABEL) ? ANSWERED : 0) |
        (deletedIn.includes(folder) ? DELETED : 0)
      const words = [...labels.map(keywordOf), keywordOfStatus(status)].filter((name) => name !== undefined)
      const known = folders.get(folder) ?? new Map<number, string>()
      known.set(state.seq, `${flags} ${words.sort().join(' ')}`)
      folders.set(folder, known)
    }
  return folders
}

/** A program that looks from time to time, and keeps what it saw. */
export class Client {
  readonly #known = new Map<FolderKey, { validity: number; modseq: number; seen: Seen; top: number }>()

  constructor(readonly w: World) {}

  /** Looks at all folders: what changed and what vanished since the last time must lead to what is there. */
  async look(t: Test): Promise<void> {
    const { folders } = this.w.mailboxes
    const all = await naive(this.w)
    const listed: readonly ListedFolder[] = await folders.list(this.w.id)
    for (const { key, row, name } of listed) {
      if (key === 'drafts') continue
      const view = present(await folders.view(this.w.id, row.number))
      const now = contentOf(view)
      t.same(
        new Map(
          [...now.values()]
            .map(({ place, flags, keywords }) => [place, `${flags} ${keywords.join(' ')}`.trim()] as const)
            .sort(),
        ),
        new Map([...(all.get(key) ?? [])].map(([place, words]) => [place, words.trim()] as const).sort()),
        `${name} has what the mailbox has`,
      )
      t.equal(view.row.exists, now.size)
      t.equal(view.row.unseen, [...now.values()].filter(({ flags }) => (flags & SEEN) === 0).length)
      t.equal(view.row.deleted, [...now.values()].filter(({ flags }) => (flags & DELETED) !== 0).length)
      t.notOk([...now.values()].some(({ flags }) => (flags & DRAFT) !== 0))
      const before = this.#known.get(key)
      if (before && before.validity === view.row.validity) {
        const gone = await folders.vanished(this.w.id, view, before.modseq)
        const seen: Seen = new Map(before.seen)
        for (const uid of gone ?? [...seen.keys()].filter((uid) => !now.has(uid))) seen.delete(uid)
        for (const [uid, entry] of contentOf(view, before.modseq)) {
          if (!seen.has(uid)) t.ok(uid > before.top, 'a new message has a new UID')
          seen.set(uid, entry)
        }
        t.same(
          new Map([...seen].sort(byUid)),
          new Map([...now].sort(byUid)),
          `${name}: changes and vanished lead from the last look to this one`,
        )
      }
      const top = Math.max(before?.top ?? 0, ...now.keys())
      t.ok(view.row.uidNext > top)
      this.#known.set(key, { validity: view.row.validity, modseq: view.modseq, seen: now, top })
    }
    t.same(
      [...all.keys()].filter((key) => !listed.some((folder) => folder.key === key)),
      [],
      'every folder with messages is listed',
    )
  }
}

const byUid = ([a]: [number, unknown], [b]: [number, unknown]): number => a - b
