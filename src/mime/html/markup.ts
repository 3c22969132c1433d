/**
 * HTML reduced to the tags that structure text, in one linear pass: no attributes, comments, styles or scripts, and no text hidden from the reader.
 * Hidden text is either padding or aimed at someone other than the reader.
 * The result nests at most MAX_DEPTH elements, so that nesting can't slow down later steps.
 */

const MAX_DEPTH = 64

/** Tags that pass. All others are inline, and only their content passes. */
const SHAPING = new Set(
  (
    'address article aside blockquote br caption center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p ' +
    'pre section table tbody td tfoot th thead tr ul'
  ).split(' '),
)
/** Ended by the next one of their kind, so missing end tags don't nest. */
const SELF_ENDING = new Set(['p', 'li', 'dd', 'dt', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'caption'])
const VOID = new Set('br hr img input link meta area base col embed source track wbr'.split(' '))
/** Elements whose content is no text of the message. */
const SKIPPED = new Set(
  'script style title template noembed noframes iframe object svg math select textarea'.split(' '),
)
const HIDING =
  /(?:^|[\s"'/])hidden(?=[\s=/>]|$)|display\s{0,8}:\s{0,8}none|visibility\s{0,8}:\s{0,8}hidden|(?:font-size|max-height|opacity)\s{0,8}:\s{0,8}0(?![.\d]*[1-9])|mso-hide\s{0,8}:\s{0,8}all|font-size\s{0,8}:\s{0,8}[01](?:\.\d+)?(?:px|pt|%)|(?:text-indent|[;\s"'](?:left|top))\s{0,8}:\s{0,8}-\d{3}|[;\s"']color\s{0,8}:\s{0,8}transparent/i
const WHITE = String.raw`\s{0,8}:\s{0,8}(?:#fff(?:fff)?|white)\b`
/** Only if both are declared: white text alone is usually on a dark background. */
const WHITE_ON_WHITE = new RegExp(`[;\\s"']color${WHITE}`, 'i')
const ON_WHITE = new RegExp(`(?:background(?:-color)?${WHITE}|bgcolor=["']?(?:#fff(?:fff)?|white)\\b)`, 'i')
const TAG = /<(?:!--|[!?]|(\/?)([a-z][a-z0-9:-]{0,30}))/gi

export function cleanMarkup(html: string): string {
  const out: string[] = []
  const open = new Map<string, number>()
  let depth = 0
  let at = 0
  TAG.lastIndex = 0
  for (let match = TAG.exec(html); match; match = TAG.exec(html)) {
    out.push(html.slice(at, match.index))
    const end = tagEnd(html, match.index, match[0])
    at = end
    TAG.lastIndex = end
    const name = match[2]?.toLowerCase()
    if (name === undefined) continue

    if (match[1] === '/') {
      const opened = open.get(name) ?? 0
      if (opened === 0 && !SELF_ENDING.has(name)) continue
      if (SHAPING.has(name)) out.push(`</${name}>`)
      if (opened > 0) {
        open.set(name, opened - 1)
        depth--
      }
      continue
    }
    if (SKIPPED.has(name) || (!VOID.has(name) && isHidden(html.slice(match.index + match[0].length, end)))) {
      at = elementEnd(html, end, name)
      TAG.lastIndex = at
      continue
    }
    if (!SHAPING.has(name)) continue
    if (!VOID.has(name) && !SELF_ENDING.has(name)) {
      if (depth >= MAX_DEPTH) continue
      open.set(name, (open.get(name) ?? 0) + 1)
      depth++
    }
    out.push(`<${name}>`)
  }
  out.push(html.slice(at))
  return out.join('')
}

/** Just past the tag that starts here; quoted attribute values may contain `>`. An unclosed tag takes the rest. */
function tagEnd(html: string, start: number, opening: string): number {
  if (opening === '<!--') {
    const end = html.indexOf('-->', start + 4)
    return end === -1 ? html.length : end + 3
  }
  let quote = ''
  for (let i = start + opening.length; i < html.length; i++) {
    const char = html.charAt(i)
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '>') return i + 1
    else if ((char === '"' || char === "'") && /[=\s]/.test(html.charAt(i - 1))) quote = char
  }
  return html.length
}

const MAX_TAG_CHARS = 10_000
const ELEMENT_TAG = /<(\/?)([a-z][a-z0-9:-]{0,30})(?=[\s/>])/gi

/** Just past the end tag of an element whose start tag ends here. */
function elementEnd(html: string, from: number, name: string): number {
  let depth = 1
  ELEMENT_TAG.lastIndex = from
  for (let match = ELEMENT_TAG.exec(html); match; match = ELEMENT_TAG.exec(html)) {
    if (match[2]?.toLowerCase() !== name) continue
    const rest = html.slice(ELEMENT_TAG.lastIndex, ELEMENT_TAG.lastIndex + MAX_TAG_CHARS)
    const close = rest.indexOf('>')
    ELEMENT_TAG.lastIndex += close === -1 ? rest.length : close + 1
    depth += match[1] === '/' ? -1 : 1
    if (depth === 0) return ELEMENT_TAG.lastIndex
  }
  return html.length
}

function isHidden(attributes: string): boolean {
  return HIDING.test(attributes) || (WHITE_ON_WHITE.test(attributes) && ON_WHITE.test(attributes))
}
