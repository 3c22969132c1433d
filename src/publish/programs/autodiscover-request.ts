/**
 * Reads a request of autodiscover ([MS-OXDSCLI] §2.2.3). It comes from strangers, so it is read by a strict subset of XML: elements with attributes, text and
 * the five entities of XML itself. A document type, other entities, comments, CDATA and processing instructions make it no request; each octet is looked at once.
 */

export const MAX_REQUEST_BYTES = 8 * 1024
const MAX_DEPTH = 8

export interface AutodiscoverRequest {
  address: string
  /** Schema in which the program wants its answer; undefined if it names none. */
  schema: string | undefined
}

const DECLARATION = /^\uFEFF?\s*(?:<\?xml [^<>?]{0,200}\?>)?\s*/
const TAG =
  /<(\/?)(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<&]*"|'[^'<&]*'))*)\s*(\/?)>/y
const TEXT = /[^<]+/y
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
// Not allowed in XML 1.0 §2.2, whatever the encoding.
const NO_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** @returns undefined for anything that is not such a request */
export function readAutodiscoverRequest(body: Buffer): AutodiscoverRequest | undefined {
  const text = body.length <= MAX_REQUEST_BYTES ? utf8(body) : undefined
  if (text === undefined || NO_CHARACTER.test(text)) return undefined
  const found = elementsOf(text)
  const address = found?.get('Autodiscover/Request/EMailAddress')
  return address === undefined || address === ''
    ? undefined
    : { address, schema: found?.get('Autodiscover/Request/AcceptableResponseSchema') }
}

/** Text of each element by its path; undefined if the document is not well-formed, or has an element with text twice. */
function elementsOf(text: string): Map<string, string> | undefined {
  const texts = new Map<string, string>()
  const open: string[] = []
  let at = DECLARATION.exec(text)?.[0].length ?? 0
  let isOver = false
  while (at < text.length) {
    if (text[at] === '<') {
      TAG.lastIndex = at
      const tag = TAG.exec(text)
      if (!tag || isOver) return undefined
      const [all, closes, name = '', attributes = '', isEmpty] = tag
      at += all.length
      if (closes !== '') {
        if (attributes !== '' || isEmpty !== '' || open.pop() !== name) return undefined
      } else if (isEmpty === '') {
        if (open.push(name) > MAX_DEPTH) return undefined
      }
      isOver = open.length === 0
    } else {
      TEXT.lastIndex = at
      const raw = TEXT.exec(text)?.[0] ?? ''
      at += raw.length
      const value = unescaped(raw)?.trim()
      if (value === undefined) return undefined
      if (value === '') continue
      const path = open.join('/')
      if (open.length === 0 || texts.has(path)) return undefined
      texts.set(path, value)
    }
  }
  return isOver ? texts : undefined
}

function unescaped(raw: string): string | undefined {
  let isKnown = true
  const text = raw.replace(/&([^;&]{0,8})(;?)/g, (_all, name: string, end: string) => {
    const character = end === '' || !Object.hasOwn(ENTITIES, name) ? undefined : ENTITIES[name]
    if (character === undefined) isKnown = false
    return character ?? ''
  })
  return isKnown ? text : undefined
}

function utf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    // Another encoding is not accepted.
    return undefined
  }
}
