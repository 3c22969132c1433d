/**
 * What is displayed of a message's text and HTML, at most 32 Ki characters of each. The only step whose time grows with the message: for large ones it
 * is made in a thread, beside parsing.
 */
import { asDisplayed } from '../../mime/html/direction.js'
import { htmlText, type HtmlText } from './html.js'
import type { FileFacts } from '../../mime/types.js'
import { MAX_CHARS, sampled } from './samples.js'

export interface Displayed {
  /** Of the text part; '' where the text was only made from the HTML. */
  text: string
  html: HtmlText | null
  /** Characters that are displayed and not read. */
  unread: number
  /** What was read in pictures within the HTML. */
  pictures?: FileFacts[] | undefined
}

/** Of a parsed message (mime/types.ts). */
export interface DisplayedParts {
  text: string
  displayedText?: string | undefined
  html: string | null
  /** True if the text was made from the HTML. */
  isTextOfHtml?: boolean | undefined
}

/** Undefined for short messages whose stored text is complete: `readingOf` then reads the stored text. */
export function displayedBeyond(parts: DisplayedParts): Displayed | undefined {
  const { text, displayedText, html } = parts
  return html === null && displayedText === undefined && text.length <= MAX_CHARS ? undefined : displayedOf(parts)
}

export function displayedOf({
  text: stored,
  displayedText,
  html: markup,
  isTextOfHtml = false,
}: DisplayedParts): Displayed {
  const text = sampled(isTextOfHtml && markup !== null ? '' : (displayedText ?? asDisplayed(stored)))
  if (markup === null) return { text: text.text, html: null, unread: text.unread }
  const html = htmlText(markup)
  const shown = sampled(asDisplayed(html.shown))
  return { text: text.text, html: { ...html, shown: shown.text }, unread: text.unread + shown.unread }
}
