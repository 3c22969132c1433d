/**
 * Splits text sent or drafted from this mailbox into own and quoted text. Everything from the first quote mark, attribution or
 * forwarding line on counts as quoted: own text below it is fenced needlessly, but strangers' text is never left unfenced.
 */
import type { Fence } from './fence.js'

/** First lines of quoted or forwarded text, by mail program. */
const QUOTED = new RegExp(
  [
    '[>＞›»|｜]',
    '[-_=]{3,}[^\\n]*[^\\s_=-]',
    'On\\b[^\\n]{0,300}(?:\\n[^\\n]{0,300}){0,2}?[:：][^\\S\\n]*$',
    '(?:From|Von|De|Da|Van|От|发件人|差出人)[^\\S\\n]*[:：]',
    // An attribution in any language, up to three lines; it may contain a stranger's name.
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
