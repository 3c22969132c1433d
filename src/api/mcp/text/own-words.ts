/**
 * Separates own words from quoted ones in mail of this mailbox. The service quotes nothing in replies, and forwards below its own line; clients quote with `>`
 * or below an attribution. Everything from the first such line on counts as others' words: over-fencing is harmless, the reverse is not.
 */
import type { Fence } from './fence.js'

/** First lines of quoted or forwarded text, by mail program. */
const QUOTED = new RegExp(
  [
    '[>＞›»|｜]',
    '[-_=]{3,}[^\\n]*[^\\s_=-]',
    'On\\b[^\\n]{0,300}(?:\\n[^\\n]{0,300}){0,2}?[:：][^\\S\\n]*$',
    '(?:From|Von|De|Da|Van|От|发件人|差出人)[^\\S\\n]*[:：]',
    // An attribution in any language, of up to three lines: its name is a stranger's.
    '[^\\n]{1,300}(?:\\n[^\\n]{1,300}){0,2}[:：][^\\S\\n]*\\n\\s{0,10}[>＞]',
  ]
    .map((each) => `(?:^[^\\S\\n]*${each})`)
    .join('|'),
  'imu',
)

export function splitOwn(text: string): { own: string; quoted: string } {
  const at = QUOTED.exec(text)?.index ?? text.length
  return { own: text.slice(0, at), quoted: text.slice(at) }
}

/** Both parts, each in its own fence; an empty part is left out. */
export function bodyLines(fence: Fence, own: string, quoted: string): string[] {
  return [
    ...(own.trim() === '' ? [] : [fence.wrapOwn(own.trimEnd())]),
    ...(quoted.trim() === '' ? [] : [fence.wrap(quoted)]),
  ]
}
