/** The links of a message. They are read, never followed. */
import { linkifyit } from 'linkify-it'
import { parseUrl } from '../../lib/url.js'
import { htmlAnchors } from './html.js'

const MAX_LINKS = 100
const MAX_LINK_CHARS = 2048
const MAX_TEXT_CHARS = 256 * 1024

const finder = linkifyit({ fuzzyLink: false, fuzzyEmail: false, urlAuth: true, maxLength: MAX_LINK_CHARS })
  .add('mailto:', null)
  .add('ftp:', null)
  .add('//', null)

/** The http and https links of the text, then those of the HTML; distinct, at most 100. */
export function findLinks(text: string, html: string | null): string[] {
  const links = new Set<string>()
  for (const candidate of candidates(text, html)) {
    const link = webLink(candidate)
    if (link !== undefined) links.add(link)
    if (links.size === MAX_LINKS) break
  }
  return [...links]
}

function* candidates(text: string, html: string | null): Generator<string> {
  if (text.includes('://') && /https?:\/\//i.test(text)) {
    for (const match of finder.match(text.slice(0, MAX_TEXT_CHARS)) ?? []) yield match.url
  }
  if (html !== null) for (const anchor of htmlAnchors(html)) yield anchor.target
}

/** The form that a browser would show, so that two spellings of a link are one. */
function webLink(candidate: string): string | undefined {
  if (candidate.length > MAX_LINK_CHARS || !/^https?:\/\//i.test(candidate)) return undefined
  return parseUrl(candidate)?.href
}
