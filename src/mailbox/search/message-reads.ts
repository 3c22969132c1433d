/** What a search for strings, dates and ids reads of messages and drafts. Each call is one snapshot of some rows; callers take them in turns. */
import type { Clock } from '../../lib/clock.js'
import type { TimedTurns } from './turns.js'
import type { mayLackField, readHeaderField } from '../../mime/fields.js'
import type { Store } from '../../store/types.js'
import { type DraftRecord, readDraft } from '../draft.js'
import { mailboxPartition } from '../keys.js'
import type { Substring } from '../mail-work/substrings.js'
import { foldText } from '../mail-work/tokens.js'
import type { MessageContent, MessageState, ShownContent } from '../message.js'
import { placeOf, readContentsOf, readShownOf, readStates } from '../message-rows.js'
import type { RawStore } from '../raw.js'
import { readThread } from '../threads/thread-rows.js'
import { isIndexedWithin } from './index-wait.js'
import type { Indexer } from './indexer.js'
import { type StringField, type StringPlaces, stringPlaces } from './string-places.js'

/** Max wait for an index being built; without it, messages are read. */
const INDEX_WAIT_MS = 2000

export interface MessageRead {
  state: MessageState
  shown: ShownContent
}

export interface ContentRead {
  state: MessageState
  content: MessageContent
}

/** What a search reads of a draft, as of a message. */
export interface DraftRead extends Pick<DraftRecord, 'id' | 'subject' | 'to' | 'cc' | 'bcc' | 'updatedAt'> {
  from: DraftRecord['from'] | undefined
  text: string
  filenames: string[]
  threadId: string | undefined
  references: string[]
}

export type MessageReads = ReturnType<typeof createMessageReads>

/** Reads fields of headers (mime/fields.ts), with all charsets that need it: for whoever searches, not for every start. */
export interface HeaderFields {
  mayLackField: typeof mayLackField
  readHeaderField: typeof readHeaderField
}

/** What a search reads, with what reads header fields. */
export type ReadsWith = (fields: HeaderFields) => MessageReads

export function createMessageReads(deps: {
  store: Store
  raws: Pick<RawStore, 'read'>
  indexer: Pick<Indexer, 'indexMailbox'>
  clock: Clock
  fields: HeaderFields
}) {
  const { store, raws, indexer, clock, fields } = deps
  return {
    now: (): number => clock.now(),
    /** As the index has words. */
    folded: foldText,

    /** Messages that may contain a string, by the index. */
    async stringPlaces(
      mailboxId: string,
      string: Substring,
      field: StringField,
      turns: TimedTurns,
    ): Promise<StringPlaces> {
      await isIndexedWithin(indexer, mailboxId, INDEX_WAIT_MS, turns.signal)
      return stringPlaces(store, mailboxId, string, field, turns)
    },

    /** Messages at some places, by place; those that were purged are left out. */
    messages: (mailboxId: string, places: readonly number[]): Promise<Map<number, MessageRead>> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const found = new Map<number, MessageRead>()
        for (const state of await readStates(view, places)) {
          const shown = await readShownOf(view, state)
          if (shown) found.set(state.seq, { state, shown })
        }
        return found
      }),

    /** The same with their texts and header fields. */
    contents: (mailboxId: string, places: readonly number[]): Promise<Map<number, ContentRead>> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const found = new Map<number, ContentRead>()
        const states = await readStates(view, places)
        const contents = await readContentsOf(view, states)
        for (const [i, state] of states.entries()) {
          const content = contents[i]
          if (content) found.set(state.seq, { state, content })
        }
        return found
      }),

    drafts: (mailboxId: string, ids: readonly string[]): Promise<Map<string, DraftRead>> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const found = new Map<string, DraftRead>()
        for (const id of ids) {
          const stored = await readDraft(view, id)
          if (!stored) continue
          const { subject, from, to, cc, bcc, updatedAt, files, answers } = stored.draft
          found.set(id, {
            ...{ id, subject, from, to, cc, bcc, updatedAt },
            text: stored.words.text,
            filenames: files.map(({ filename }) => filename),
            threadId: answers?.threadId,
            references: answers?.references ?? [],
          })
        }
        return found
      }),

    /** Decoded values of a header field; undefined where the stored fields don't tell. @param name in lower case */
    storedField({ content: { headers } }: ContentRead, name: string): string[] | undefined {
      if (fields.mayLackField(headers, name)) return undefined
      const stored = Object.hasOwn(headers, name) ? headers[name] : undefined
      return stored === undefined ? [] : stored.split('\n')
    },

    /** The same from the raw message. */
    async rawField(mailboxId: string, { state }: ContentRead, name: string): Promise<string[]> {
      return fields.readHeaderField(await raws.read(mailboxId, state), name)
    },

    /** Place of a message by its id. */
    placeOf: (mailboxId: string, id: string): Promise<number | undefined> =>
      store.read(mailboxPartition(mailboxId), (view) => placeOf(view, id)),

    /** Places of the messages of a thread, of those in the trash too. */
    placesOfThread: (mailboxId: string, threadId: string): Promise<readonly number[]> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const thread = await readThread(view, threadId)
        return thread ? [...thread.places, ...thread.trash] : []
      }),
  }
}
