/**
 * What was sent or drafted from this mailbox, and what of it others wrote. The service quotes nothing in answers, and puts what it forwards below a
 * line of its own; what a client quotes itself is marked by `>` or stands below an attribution. From the first such line on, all of it counts as
 * somebody else's: an own word between quoted ones is fenced too many, a stranger's never too few.
 */
import type { Fence } from './fence.js'

/** First lines of quoted or forwarded text, by mail program. */
const QUOTED = new RegExp(
  [
    '[>＞›»|｜]',
    '[-_=]{3,}[^\\n]*[^\\s_=-]',
    'On\\b[^\\n]{0,300}(?:\\n[^\\n]{0,300}){0,2}?[:：][^\\S\\n]*$',
    '(?:From|Von|De|Da|Van|От|发件人|差出人)[^\\S\\n]*[:：]',
    // An attribution in any language, of up to three lines: a name in it is a stranger's.
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
