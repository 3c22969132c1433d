/** SEARCH as its definition says it, over every message: what the server has to find. */
import { ANSWERED, DELETED, DRAFT, FLAGGED, SEEN } from '../../../src/mailbox/folders/flags.js'
import type { Entry } from '../../../src/mailbox/folders/entries.js'
import type { MessageState } from '../../../src/mailbox/message.js'
import type { ParsedMessage } from '../../../src/mime/types.js'
import type { SearchKey } from '../../../src/imap/grammar/search-keys.js'

export interface NaiveMessage {
  entry: Entry
  keywords: readonly string[]
  state: MessageState
  parsed: ParsedMessage
  /** As the test made it, or what no Date gives. */
  sentDay: number
  /** From 1 on; undefined if the session does not know it. */
  sequence: number | undefined
}

export interface NaiveFolder {
  now: number
  count: number
  lastUid: number
  saved: ReadonlySet<number>
}

const DAY = 24 * 60 * 60 * 1000
const BITS = { '\\Answered': ANSWERED, '\\Deleted': DELETED, '\\Draft': DRAFT, '\\Flagged': FLAGGED, '\\Seen': SEEN }

const folded = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ')
const has = (texts: readonly string[], value: string): boolean =>
  texts.some((text) => folded(text).includes(folded(value)))
const line = ({ name, address }: { name: string; address: string }): string =>
  name === '' ? address : `${name} <${address}>`

export function isFound(key: SearchKey, message: NaiveMessage, folder: NaiveFolder): boolean {
  const { entry, parsed, state } = message
  const find = (inner: SearchKey): boolean => isFound(inner, message, folder)
  switch (key.key) {
    case 'all':
    case 'old':
    case 'saved date supported':
      return true
    case 'recent':
    case 'new':
      return false
    case 'and':
      return key.keys.every(find)
    case 'or':
      return find(key.either) || find(key.or)
    case 'not':
      return !find(key.not)
    case 'flag':
      return ((entry.flags & BITS[key.flag]) !== 0) === key.isSet
    case 'keyword':
      return message.keywords.some((name) => name.toLowerCase() === key.keyword.toLowerCase()) === key.isSet
    case 'size':
      return key.is === 'LARGER' ? entry.size > key.bytes : entry.size < key.bytes
    case 'age': {
      const age = Math.floor(folder.now / 1000) - entry.date
      return key.is === 'OLDER' ? age >= key.seconds : age <= key.seconds
    }
    case 'modseq':
      return entry.modseq >= key.modseq
    case 'email id':
      return state.id === key.id
    case 'thread id':
      return state.threadId === key.id
    case 'date': {
      const ms = { internal: entry.date * 1000, sent: message.sentDay, saved: state.createdAt }[key.of]
      const day = Math.floor(ms / DAY) * DAY
      return key.is === 'BEFORE' ? day < key.dateMs : key.is === 'ON' ? day === key.dateMs : day >= key.dateMs
    }
    case 'sequence':
    case 'uid': {
      if (key.set.kind === 'saved') return folder.saved.has(entry.uid)
      const number = key.key === 'uid' ? entry.uid : message.sequence
      const last = key.key === 'uid' ? folder.lastUid : folder.count
      const { runs, starFrom } = key.set
      if (number === undefined) return false
      for (let i = 0; i < runs.length; i += 2) if (number >= (runs[i] ?? 0) && number <= (runs[i + 1] ?? 0)) return true
      return starFrom !== undefined && number >= Math.min(starFrom, last)
    }
    case 'header': {
      const values = parsed.headers[key.name.toLowerCase()]?.split('\n')
      return values !== undefined && has(values, key.value)
    }
    case 'text': {
      const { subject, from, to, cc, bcc, attachments, text } = parsed
      const lines = { FROM: from ? [from] : [], TO: to, CC: cc, BCC: bcc }
      if (key.value === '') return true
      if (key.in === 'SUBJECT') return has([subject], key.value)
      if (key.in === 'BODY') return has([text], key.value)
      if (key.in !== 'TEXT') return has(lines[key.in].map(line), key.value)
      const names = attachments.map(({ filename }) => filename)
      return has([subject, ...Object.values(lines).flat().map(line), ...names, text], key.value)
    }
  }
}
