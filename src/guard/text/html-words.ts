/** The shown words of HTML, and those hidden by style. Layout is lost, which no rule needs: one pass over the tags, linear for any markup. */
import { decodeReferences } from '../../mime/html/html.js'

export interface HtmlWords {
  shown: string
  /** Text hidden by style: `display:none`, font size zero, letters in the colour of the background. */
  hidden: string
}

const TAG = /<[!?][^<>]*>|<(\/?)([a-z][a-z0-9]{0,20})((?:[\s/][^<>]*)?)>/gi
/** Inline tags vanish, since `Ver<b></b>ify` is read as one word; all others become spaces. */
const WITHIN_LINE = new Set('a abbr b big bdi bdo em font i s small span strong sub sup tt u wbr code mark'.split(' '))
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const UNREAD = new Set(['style', 'script', 'title', 'template'])

const HIDING =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:[;"'!]|$)|(?<![-a-z])opacity\s*:\s*0(?:\.0+)?\s*(?:[;"'!]|$)|(?<![-a-z])color\s*:\s*transparent|text-indent\s*:\s*-\d{3}|(?:max-height|line-height)\s*:\s*0(?:px)?\s*[;"'!]/i
const STYLED = /\b(?:style|color|hidden|size)\b/i
const COLOUR = /(?<![-a-z])color\s*[:=]\s*["']?\s*(#?[a-z0-9]{3,7}|rgb\([\d\s,]{5,20}\))/i
const GROUND = /(?:background(?:-color)?\s*:|bgcolor\s*=)\s*["']?\s*(#?[a-z0-9]{3,7}|rgb\([\d\s,]{5,20}\))/i
const WHITE = /^(?:#fff|#fffff[c-f]|#fefefe|#fdfdfd|white|rgb\(255,255,255\))$/

export function htmlWords(html: string): HtmlWords {
  const hasGround = /background|bgcolor/i.test(html)
  let shown = ''
  let hidden = ''
  let at = 0
  /** Open elements within the hidden one, by name; undefined outside of it. The end of its parent ends it too. */
  let open: Map<string, number> | undefined
  let unread: string | undefined
  let unreadFrom = 0
  const take = (to: number): void => {
    if (to <= at || unread !== undefined) return
    if (open) hidden += html.slice(at, to)
    else shown += html.slice(at, to)
  }
  for (const tag of html.matchAll(TAG)) {
    take(tag.index)
    at = tag.index + tag[0].length
    const name = tag[2]?.toLowerCase()
    if (name === undefined) continue
    const closes = tag[1] === '/'
    if (unread !== undefined) {
      if (closes && name === unread) unread = undefined
      continue
    }
    if (!WITHIN_LINE.has(name)) {
      if (open) hidden += ' '
      else shown += ' '
    }
    if (closes) {
      if (!open) continue
      const left = open.get(name) ?? 0
      if (left > 0) open.set(name, left - 1)
      else {
        open = undefined
        hidden += ' '
      }
    } else if (UNREAD.has(name)) {
      unread = name
      unreadFrom = at
    } else if (!VOID.has(name)) {
      if (open) open.set(name, (open.get(name) ?? 0) + 1)
      else if (tag[3] && STYLED.test(tag[3]) && hides(tag[3], hasGround)) open = new Map()
    }
  }
  take(html.length)
  // Never closed: mail programs differ on it, so its text counts as shown.
  if (unread !== undefined) shown += html.slice(unreadFrom).replace(/<[^<>]*>/g, ' ')
  return { shown: decodeReferences(shown), hidden: decodeReferences(hidden) }
}

function hides(attributes: string, hasGround: boolean): boolean {
  if (HIDING.test(attributes) || /\shidden(?:[\s=/]|$)/i.test(attributes)) return true
  const colour = plainColour(COLOUR.exec(attributes)?.[1])
  if (colour === undefined) return false
  const ground = plainColour(GROUND.exec(attributes)?.[1])
  return ground === undefined ? WHITE.test(colour) && !hasGround : colour === ground
}

function plainColour(colour: string | undefined): string | undefined {
  const plain = colour?.replace(/\s/g, '').toLowerCase()
  return plain !== undefined && WHITE.test(plain) ? 'white' : plain
}
