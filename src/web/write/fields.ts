/** The form of a mail as it is typed, and as a change of its draft. What can't be read is told of and left as it was stored. */
import type { FieldProblem } from '../../lib/errors.js'
import { timestamp } from '../../lib/clock.js'
import type { DraftChange } from '../../mailbox/drafts/change.js'
import { parseAddress } from '../../mime/address.js'
import type { Address } from '../../mime/types.js'

/** As for drafts of the API. */
const MAX_TEXT_CHARS = 1_000_000
const MAX_SUBJECT_CHARS = 998
/** Characters of a field of addresses; the limit of recipients is far lower. */
const MAX_LIST_CHARS = 100_000
const SHOWN_CHARS = 60

export const LISTS = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const

/** The fields in the words of the form. */
export interface Typed {
  to: string
  cc: string
  bcc: string
  subject: string
  text: string
  /** `2026-11-27T18:30` in UTC; empty: at once. */
  sendAt: string
}

export function typedIn(form: URLSearchParams): Typed {
  const given = (name: string): string => form.get(name) ?? ''
  return {
    ...{ to: given('to'), cc: given('cc'), bcc: given('bcc') },
    ...{ subject: given('subject').trim(), sendAt: given('send_at').trim() },
    // Browsers send line ends as CR LF.
    text: given('text').replace(/\r\n?/g, '\n'),
  }
}

export function changeBy(typed: Typed): { change: DraftChange; problems: FieldProblem[] } {
  const problems: FieldProblem[] = []
  const addressesIn = (field: keyof typeof LISTS): Address[] | undefined => {
    const { addresses, wrong } = readList(typed[field])
    if (wrong === undefined) return addresses
    problems.push({ field: LISTS[field], problem: wrong })
    return undefined
  }
  const checked = <T>(field: string, value: T, problem: string | undefined): T | undefined => {
    if (problem === undefined) return value
    problems.push({ field, problem })
    return undefined
  }
  return {
    change: {
      to: addressesIn('to'),
      cc: addressesIn('cc'),
      bcc: addressesIn('bcc'),
      subject: checked('Subject', typed.subject, subjectProblem(typed.subject)),
      text: checked('Text', typed.text, textProblem(typed.text)),
      sendAt: checked('Send later', timeOf(typed.sendAt), timeProblem(typed.sendAt)),
    },
    problems,
  }
}

function subjectProblem(subject: string): string | undefined {
  if (subject.length > MAX_SUBJECT_CHARS) return `It may have at most ${MAX_SUBJECT_CHARS} characters.`
  return /\p{Cc}/u.test(subject) ? 'It may have no line breaks or other control characters.' : undefined
}

const textProblem = ({ length }: string): string | undefined =>
  length > MAX_TEXT_CHARS ? `It may have at most ${MAX_TEXT_CHARS.toLocaleString('en-US')} characters.` : undefined

const timeProblem = (text: string): string | undefined =>
  timeOf(text) === undefined ? 'Write a date and a time, such as 2026-01-31 09:30.' : undefined

/** @returns milliseconds since the epoch; null for no time, undefined for what is none */
function timeOf(text: string): number | null | undefined {
  if (text === '') return null
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?$/.exec(text) ?? []
  if (day === undefined || time === undefined) return undefined
  const ms = Date.parse(`${day}T${time}:00Z`)
  return Number.isNaN(ms) ? undefined : ms
}

export const typedTime = (sendAt: string | null): string =>
  sendAt === null ? '' : timestamp(Date.parse(sendAt)).slice(0, 16)

function readList(text: string): { addresses: Address[]; wrong?: string } {
  if (text.length > MAX_LIST_CHARS) return { addresses: [], wrong: 'It is too long.' }
  const addresses: Address[] = []
  for (const part of partsOf(text)) {
    const address = parseAddress(part)
    const shown = part.length > SHOWN_CHARS ? `${part.slice(0, SHOWN_CHARS)}…` : part
    if (!address) return { addresses: [], wrong: `“${shown}” is not an email address; write name@example.com.` }
    addresses.push(address)
  }
  return { addresses }
}

/** Between commas, semicolons and line ends, but not within quotes. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let [part, isQuoted] = ['', false]
  for (const [i, character] of [...text].entries()) {
    if (character === '"' && (!isQuoted || text[i - 1] !== '\\')) isQuoted = !isQuoted
    if (isQuoted || !/[,;\n]/.test(character)) part += character
    else {
      parts.push(part)
      part = ''
    }
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '')
}

/** As `readList` reads it. */
export function typedAddress({ address, name }: { address: string; name: string | null }): string {
  if (!name) return address
  return /^[\p{L}\p{N} .'-]+$/u.test(name) ? `${name} <${address}>` : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
}

export const typedList = (all: readonly { address: string; name: string | null }[]): string =>
  all.map(typedAddress).join(', ')
