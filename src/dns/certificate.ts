/** Fields of a certificate that node does not expose (RFC 5280 §4), from its DER (X.690 §8). Untrusted input: everything is checked. */

interface Element {
  tag: number
  content: number
  end: number
}

export interface Limits {
  /** Max number of CAs below it (§4.2.1.9). */
  pathLength: number | undefined
  /** Permitted domains (all if undefined), and excluded ones (§4.2.1.10). */
  permitted: string[] | undefined
  excluded: string[]
}

const SEQUENCE = 0x30
const BOOLEAN = 0x01
const INTEGER = 0x02
const OCTETS = 0x04
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const PERMITTED = 0xa0
const EXCLUDED = 0xa1
const DNS_NAME = 0x82
/** Below 2.5.29: names, key usages and key identifiers, which node or this file checks, and policies, which are not needed here. */
const KNOWN = [14, 15, 17, 18, 19, 30, 31, 32, 33, 35, 36, 37, 54].map(
  (arc) => `551d${arc.toString(16).padStart(2, '0')}`,
)
const BASIC_CONSTRAINTS = '551d13'
const NAME_CONSTRAINTS = '551d1e'
const MAX_ELEMENTS = 2000

/** The octets of SubjectPublicKeyInfo as they stand in the certificate (§4.1). Reading and writing the key could change them. */
export function publicKeyInfo(der: Buffer): Buffer | undefined {
  const fields = bodyOf(der)
  const info = fields?.[5]
  return info && der.subarray(fields[4]?.end, info.end)
}

/** Undefined if unreadable, or if there is an unknown critical extension (§4.2). */
export function limitsOf(der: Buffer): Limits | undefined {
  const limits: Limits = { pathLength: undefined, permitted: undefined, excluded: [] }
  const fields = bodyOf(der)
  if (!fields) return undefined
  const list = fields.slice(6).find(({ tag }) => tag === EXTENSIONS)
  if (!list) return limits
  const [sequence] = inside(der, list) ?? []
  const extensions = sequence && inside(der, sequence)
  if (!extensions) return undefined
  for (const extension of extensions) {
    const [id, ...rest] = inside(der, extension) ?? []
    const value = rest.at(-1)
    if (!id || value?.tag !== OCTETS) return undefined
    const name = der.toString('hex', id.content, id.end)
    const isCritical = rest[0]?.tag === BOOLEAN && der[rest[0].content] !== 0
    if (isCritical && !KNOWN.includes(name)) return undefined
    if (name === BASIC_CONSTRAINTS && !readLength(der, value, limits)) return undefined
    if (name === NAME_CONSTRAINTS && !readNames(der, value, limits)) return undefined
  }
  return limits
}

/** True if the constraints permit a host. Constraints on other kinds of names don't matter. */
export function mayVouchFor({ permitted, excluded }: Limits, host: string): boolean {
  const name = host.toLowerCase()
  const isUnder = (base: string): boolean =>
    base === '' || name === base || name.endsWith(base.startsWith('.') ? base : `.${base}`)
  return !excluded.some(isUnder) && (permitted === undefined || permitted.some(isUnder))
}

/** Serial number, signature algorithm, issuer, validity, subject, key, and what is optional behind them; without the version. */
function bodyOf(der: Buffer): Element[] | undefined {
  const certificate = elementAt(der, 0, der.length)
  const [body] = (certificate && inside(der, certificate)) ?? []
  const fields = body && inside(der, body)
  const all = fields?.[0]?.tag === VERSION ? fields.slice(1) : fields
  return all && all.length >= 6 ? all : undefined
}

function readLength(der: Buffer, value: Element, limits: Limits): boolean {
  const [constraints] = inside(der, value) ?? []
  const fields = constraints?.tag === SEQUENCE ? inside(der, constraints) : undefined
  const length = fields?.find(({ tag }) => tag === INTEGER)
  if (!fields || (length && length.end - length.content > 4)) return false
  if (length) limits.pathLength = der.readIntBE(length.content, length.end - length.content)
  return true
}

function readNames(der: Buffer, value: Element, limits: Limits): boolean {
  const [constraints] = inside(der, value) ?? []
  const lists = constraints?.tag === SEQUENCE ? inside(der, constraints) : undefined
  if (!lists) return false
  for (const list of lists) {
    const subtrees = inside(der, list)
    if (!subtrees) return false
    const names = subtrees.flatMap((subtree) => {
      const base = inside(der, subtree)?.[0]
      return base?.tag === DNS_NAME ? [der.toString('latin1', base.content, base.end).toLowerCase()] : []
    })
    if (list.tag === PERMITTED && names.length > 0) limits.permitted = names
    if (list.tag === EXCLUDED) limits.excluded = names
  }
  return true
}

/** Undefined when something in it is no element. */
function inside(der: Buffer, { content, end }: Element): Element[] | undefined {
  const found: Element[] = []
  for (let at = content; at < end;) {
    const next = elementAt(der, at, end)
    if (!next || found.length === MAX_ELEMENTS) return undefined
    found.push(next)
    at = next.end
  }
  return found
}

function elementAt(der: Buffer, at: number, limit: number): Element | undefined {
  const [tag, first] = [der[at], der[at + 1]]
  if (tag === undefined || first === undefined) return undefined
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (first >= 0x80 && (lengthBytes === 0 || lengthBytes > 4 || at + 2 + lengthBytes > limit)) return undefined
  const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes)
  const content = at + 2 + lengthBytes
  return content + length <= limit ? { tag, content, end: content + length } : undefined
}
