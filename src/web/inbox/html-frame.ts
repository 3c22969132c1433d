/**
 * The frame in which a message's HTML is shown. What is in it has no script and no origin of ours, so nobody can tell its height: the server estimates how many
 * lines it has. A frame that is too low scrolls and can be pulled longer, and the same document opens on a page of its own.
 */
import type { Message } from '../../mailbox/objects/objects.js'
import { FRAME_LINES } from '../design/inbox.js'
import { html, type Html } from '../page/html.js'
import { itemPath } from './deps.js'

const CHARS_A_LINE = 90
const PIXELS_A_LINE = 24
/** Of a picture that does not say how high it is. */
const PICTURE_LINES = 8
const TALLEST = Math.max(...FRAME_LINES)
/** Longer text fills the tallest frame, whatever comes after it. */
const MAX_CHARS = CHARS_A_LINE * TALLEST
const MAX_MARKUP_CHARS = 256 * 1024

/** @param query that the document gets, such as `?pictures=…` */
export function htmlFrame(message: Message, { query, hasRemote }: { query: string; hasRemote: boolean }): Html {
  const { mailbox_id: mailboxId, id } = message
  const path = `${itemPath(mailboxId, id)}/html${query}`
  return html`<iframe
      class="mail-frame lines-${frameLines(message, hasRemote)}"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
      loading="lazy"
      title="The message as its sender laid it out"
      src="${path}"
    ></iframe>
    <p class="small"><a href="${path}" target="_blank" rel="noopener">Open it on a page of its own</a></p>`
}

/** The lowest height of the stylesheet that should hold the message. @param hasRemote pictures on other servers are shown too */
export function frameLines({ text, html: markup }: Pick<Message, 'text' | 'html'>, hasRemote: boolean): number {
  const words = text
    .slice(0, MAX_CHARS)
    .trim()
    .replace(/\n{3,}/g, '\n\n')
  const lines = words.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARS_A_LINE)), 0)
  const pictures = [...(markup ?? '').slice(0, MAX_MARKUP_CHARS).matchAll(/<img\b[^<>]*/gi)].reduce(
    (sum, [picture]) => sum + pictureLines(picture, hasRemote),
    0,
  )
  return FRAME_LINES.find((each) => each >= lines + pictures) ?? TALLEST
}

function pictureLines(picture: string, hasRemote: boolean): number {
  if (/\bsrc\s*=\s*["']?\s*(?:https?:)?\/\//i.test(picture) && !hasRemote) return 0
  const [, height] = /\bheight\s*=\s*["']?(\d{1,4})\b(?!%)/i.exec(picture) ?? []
  return height === undefined ? PICTURE_LINES : Math.round(Number(height) / PIXELS_A_LINE)
}
