/**
 * The texts that SEARCH looks at (RFC 9051 §6.4.4 lets servers choose how texts match). Fields are decoded, addresses are `Name <address>`, and a message has the one
 * text that all of the service shows: of its text parts, or of its HTML where it has none. Case and compatible forms make no difference.
 */
import type { Address } from '../../mime/types.js'
import type { StringField } from '../../mailbox/search/string-places.js'
import type { SearchKey } from '../grammar/search-keys.js'
import type { Read } from './header-facts.js'
import type { ContentRead, DraftRead, MessageRead } from '../../mailbox/search/message-reads.js'

export type TextKey = (SearchKey & { key: 'text' })['in']

/** The field of the index in which each key's words are. Recipients are together there. */
export const INDEX_FIELDS: Record<TextKey, StringField> = {
  BCC: 'to',
  BODY: 'body',
  CC: 'to',
  FROM: 'from',
  SUBJECT: 'subject',
  TEXT: 'any',
  TO: 'to',
}

/** True if a word of the index shows that the key matches: the index has recipients of all kinds together. */
export const isToldByIndex = (key: TextKey): boolean => INDEX_FIELDS[key] !== 'to'

/** True if lists of messages don't have the texts. */
export const needsContent = (key: TextKey): boolean => key === 'BODY' || key === 'TEXT'

/** Fields of lists and, for BODY and TEXT, of contents. */
export interface Texts {
  from: Address | null
  to: Address[]
  cc: Address[]
  bcc: Address[]
  subject: string
  filenames: string[]
  text: string
}

export function textsOfShown(read: Read<MessageRead>): Texts {
  return 'draft' in read ? textsOfDraft(read.draft) : { ...read.message.shown, filenames: [], text: '' }
}

export function textsOfContent(read: Read<ContentRead>): Texts {
  if ('draft' in read) return textsOfDraft(read.draft)
  const { content } = read.message
  return { ...content, filenames: content.attachments.map(({ filename }) => filename) }
}

function textsOfDraft(draft: DraftRead): Texts {
  return { ...draft, from: draft.from ?? null }
}

export function textsFor(key: TextKey, { from, to, cc, bcc, subject, filenames, text }: Texts): string[] {
  switch (key) {
    case 'BCC':
      return bcc.map(lineOf)
    case 'BODY':
      return [text]
    case 'CC':
      return cc.map(lineOf)
    case 'FROM':
      return from ? [lineOf(from)] : []
    case 'SUBJECT':
      return [subject]
    case 'TO':
      return to.map(lineOf)
    case 'TEXT':
      return [subject, ...[...(from ? [from] : []), ...to, ...cc, ...bcc].map(lineOf), ...filenames, text]
  }
}

/** A draft has these fields only. @param name in lower case */
export function fieldOfDraft({ from, to, cc, bcc, subject }: DraftRead, name: string): string[] {
  const list = (people: Address[]): string[] => (people.length === 0 ? [] : [people.map(lineOf).join(', ')])
  switch (name) {
    case 'from':
      return list(from ? [from] : [])
    case 'to':
      return list(to)
    case 'cc':
      return list(cc)
    case 'bcc':
      return list(bcc)
    case 'subject':
      return subject === '' ? [] : [subject]
    default:
      return []
  }
}

const lineOf = ({ name, address }: Address): string => (name === '' ? address : `${name} <${address}>`)
