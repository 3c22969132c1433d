/** The text and links of HTML. The HTML is a stranger's: every step is linear in its length and stops at a limit. */
import { compile } from 'html-to-text'
import { cleanMarkup } from './markup.js'
import { decoded } from './references.js'

export { decoded } from './references.js'

/** Limits: the rest of the HTML is left out of the text, before and after reducing it to text and structure. */
const MAX_HTML_CHARS = 1024 * 1024
const MAX_CLEAN_CHARS = 128 * 1024
const MAX_ANCHORS = 500
const MAX_LINK_TEXT = 500

const heading = (level: number) => ({ selector: `h${level}`, options: { uppercase: false } })
const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 100, maxChildNodes: 10_000, ellipsis: '…' },
  selectors: [1, 2, 3, 4, 5, 6].map(heading),
})

/** The visible text of HTML, without links and images. Lines of quoted blocks get the prefix `> `. */
export function htmlToText(html: string): string {
  return convert(cleanMarkup(html.slice(0, MAX_HTML_CHARS)).slice(0, MAX_CLEAN_CHARS)).trim()
}

/** Targets and texts of the links, as written except for character references. At most 500. */
export function htmlAnchors(html: string): { target: string; text: string }[] {
  const anchors: { target: string; text: string }[] = []
  for (const match of html.matchAll(/<a(?:rea)?\s([^<>]+)>/gi)) {
    const attributes = match[1] ?? ''
    const href = /(?:^|[\s"'/])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes)
    if (!href) continue
    const start = match.index + match[0].length
    const inner = html.slice(start, start + 4 * MAX_LINK_TEXT)
    const end = inner.search(/<\/a\b/i)
    anchors.push({
      target: decodeReferences(href[1] ?? href[2] ?? href[3] ?? '').trim(),
      text: decodeReferences((end === -1 ? '' : inner.slice(0, end)).replace(/<[^<>]*>/g, ' '))
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, MAX_LINK_TEXT),
    })
    if (anchors.length === MAX_ANCHORS) break
  }
  return anchors
}

const INVISIBLE = /[\u00ad\u200c\u200d]/g

/** Character references of words and links, without invisible characters. */
export function decodeReferences(text: string): string {
  return text.includes('&') ? decoded(text).replace(INVISIBLE, '') : text
}
