/** Index words of a message: those of all texts as they are; those of subject, author and recipients again with a field prefix that begins with a colon. */
import { cut } from '../../lib/text.js'
import { addressKey, domainOf } from '../../mime/address.js'
import type { MessageContent, MessageState } from '../message.js'
import type { Address } from '../../mime/types.js'
import { tokensOf } from './tokens.js'

export type Field = 'any' | 'subject' | 'from' | 'to'

/** Max tokens per message and length of each; max per field. */
const MAX_TOKENS = 1000
const MAX_FIELD_TOKENS = 500
export const MAX_SEARCHED_CHARS = 100_000
/** Longer addresses are found by their beginning. */
const MAX_ADDRESS_CHARS = 128

const MARKS: Record<Field, string> = { any: '', subject: ':s:', from: ':f:', to: ':t:' }

export const ATTACHMENT_WORD = ':has:attachment'
/** Of messages that have more words or text than the index takes: a search for a string reads them. */
export const PARTIAL_WORD = ':partial'
export const DIRECTION_WORDS = { inbound: ':inbound', outbound: ':outbound' } as const

export const fieldWord = (field: Field, token: string): string => `${MARKS[field]}${token}`

/** A whole address, or `@` and a domain. Words have no `@`, so they never collide. */
export const addressWord = (field: 'from' | 'to', address: string): string =>
  `${MARKS[field]}${cut(addressKey(address), MAX_ADDRESS_CHARS)}`

/** @returns distinct words */
export function wordsOfMessage({ direction }: Pick<MessageState, 'direction'>, content: MessageContent): string[] {
  const { from, to, cc, bcc, subject, attachments } = content
  const all = tokensOf(textsOf(content, 'any'), MAX_TOKENS)
  const inSubject = tokensOf([subject], MAX_FIELD_TOKENS)
  const author = from ? [from] : []
  const recipients = [...to, ...cc, ...bcc]
  const inAuthor = tokensOf(textsOfPeople(author), MAX_FIELD_TOKENS)
  const inRecipients = tokensOf(textsOfPeople(recipients), MAX_FIELD_TOKENS)
  const isPartial =
    all.length === MAX_TOKENS ||
    [inSubject, inAuthor, inRecipients].some(({ length }) => length === MAX_FIELD_TOKENS) ||
    charsOf(content) > MAX_SEARCHED_CHARS
  return [
    DIRECTION_WORDS[direction],
    ...(attachments.length > 0 ? [ATTACHMENT_WORD] : []),
    ...(isPartial ? [PARTIAL_WORD] : []),
    ...all,
    ...inSubject.map((token) => fieldWord('subject', token)),
    ...peopleWords('from', author, inAuthor),
    ...peopleWords('to', recipients, inRecipients),
  ]
}

function peopleWords(field: 'from' | 'to', people: Address[], tokens: string[]): string[] {
  const words = new Set(tokens.map((token) => fieldWord(field, token)))
  for (const { address } of people.slice(0, MAX_FIELD_TOKENS)) {
    words.add(addressWord(field, address))
    words.add(addressWord(field, `@${domainOf(address)}`))
  }
  return [...words]
}

/** Texts that a query matches; short ones first, so that a long body does not displace them. */
export function* textsOf(content: MessageContent, field: Field): Generator<string> {
  const { from, to, cc, bcc, subject } = content
  if (field === 'subject') yield subject
  else if (field !== 'any') yield* textsOfPeople(field === 'to' ? [...to, ...cc, ...bcc] : from ? [from] : [])
  else {
    let left = MAX_SEARCHED_CHARS
    for (const each of allTexts(content)) {
      yield each.slice(0, left)
      left -= each.length
      if (left <= 0) return
    }
  }
}

function allTexts({ from, to, cc, bcc, subject, attachments, text }: MessageContent): string[] {
  const people = textsOfPeople([...(from ? [from] : []), ...to, ...cc, ...bcc])
  return [subject, ...people, ...attachments.map(({ filename }) => filename), text]
}

const charsOf = (content: MessageContent): number => allTexts(content).reduce((sum, { length }) => sum + length, 0)

const textsOfPeople = (people: Address[]): string[] => people.flatMap(({ name, address }) => [name, address])
