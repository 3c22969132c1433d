/** Tag lists (RFC 6376 §3.2), the syntax of signatures and key records. */
import { oneLine } from '../lib/text.js'

export interface TagList {
  /** In their order; values without surrounding white space, runs of it within are one space. */
  tags: Map<string, string>
  /** Why the list as a whole is invalid, for its author. */
  problem?: string
}

const NAME = /^[a-z]\w*$/i
const MAX_SHOWN_CHARS = 200

export function parseTagList(text: string): TagList {
  const list: TagList = { tags: new Map() }
  const parts = text
    .replace(/[\t\r\n ]+/g, ' ')
    .split(';')
    .map(bare)
  // A semicolon at the end is allowed.
  if (parts.length > 1 && parts.at(-1) === '') parts.pop()
  for (const part of parts) {
    const equals = part.indexOf('=')
    const name = bare(part.slice(0, Math.max(equals, 0)))
    if (part === '') list.problem ??= 'it has an empty tag; look for two semicolons in a row'
    else if (!NAME.test(name)) list.problem ??= `"${shown(part)}" is not a tag such as k=rsa`
    else if (list.tags.has(name)) list.problem ??= `it has ${name}= twice`
    if (equals !== -1) list.tags.set(name, bare(part.slice(equals + 1)))
  }
  return list
}

/** The items of a list value, such as `h=` of a key. */
export function itemsOf(value: string): string[] {
  return value.split(':').map((item) => item.trim().toLowerCase())
}

/** Text from DNS, made safe for messages. */
export function shown(text: string): string {
  return oneLine(text).slice(0, MAX_SHOWN_CHARS)
}

/** Runs of white space are single spaces here. */
function bare(text: string): string {
  return text.slice(text.startsWith(' ') ? 1 : 0, text.endsWith(' ') ? -1 : undefined)
}
