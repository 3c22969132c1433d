/** The sender's name compared with its domain and with the reply address. */
import { domainOf } from '../../mime/address.js'
import type { Address } from '../../mime/types.js'
import { BRANDS, type Brand } from '../links/brands.js'
import { found } from '../reason-codes.js'
import { lookKey } from '../text/confusables.js'
import { haveOneOwner, ownerOf } from '../links/domains.js'
import type { Finding } from '../finding.js'
import { brandOf, imitationOf, looksLike } from '../links/lookalike.js'
import type { GuardSubject } from '../types.js'
import { plainWords, readable } from '../text/text.js'

const MAX_NAME_CHARS = 200
/** Free mail services; a business with its own domain that takes replies there is suspicious. */
const FREE_MAIL =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|aol|gmx|web|mail|inbox|icloud|protonmail|proton|zoho|yandex|qq|163|126|mail2world|tutanota|libero|laposte|wp|o2|seznam|t-online|bk|list)\.(?:com|net|org|de|fr|it|pl|cz|co\.uk|ru|me|jp|[a-z]{2})$/

export function isFreeMail(domain: string): boolean {
  return FREE_MAIL.test(domain)
}

const SAID: readonly { brand: Brand; names: string[] }[] = BRANDS.map((brand) => ({
  brand,
  names: brand.said ?? [brand.name],
}))
const BY_KEY: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter(({ name, word }) => !word && name.length >= 3).map((brand) => [lookKey(brand.name), brand]),
)

const judged = new WeakMap<Address, { brand: Brand | undefined }>()

/** The well-known name in a sender's name, if the domain does not belong to it. */
export function impersonated(sender: Address): Brand | undefined {
  const known = judged.get(sender) ?? { brand: brandPosedAs(sender) }
  judged.set(sender, known)
  return known.brand
}

function brandPosedAs({ address, name }: Address): Brand | undefined {
  const shown = plainWords(name.slice(0, MAX_NAME_CHARS))
  if (shown === '') return undefined
  const words = shown.split(/[^\p{L}\p{N}]+/u)
  const named =
    words.map((word) => (word.length >= 3 ? BY_KEY.get(lookKey(word)) : undefined)).find((brand) => brand) ??
    SAID.find(({ names }) => names.some((said) => said.length > 4 && hasWords(shown, said)))?.brand
  if (named === undefined) return undefined
  return isBrandHost(named, domainOf(address)) ? undefined : named
}

/** An address at another owner's domain in the sender's name, the only part that most readers see. */
export function addressInName({ address, name }: Address): string | undefined {
  const claimed = /[^\s<>"'@]+@((?:[a-z0-9-]+\.)+[a-z]{2,})/.exec(readable(name.slice(0, MAX_NAME_CHARS)))?.[1]
  return claimed === undefined || haveOneOwner(claimed, domainOf(address)) ? undefined : claimed
}

/** Domains of recipients that are compared. */
const MAX_COMPARED = 10

/** Hosts and domains that look like the sender's or a recipient's own: letters that look alike, or one letter of difference. */
export function likenessFindings({ from, replyTo, recipientDomains = [] }: GuardSubject, hosts: string[]): Finding[] {
  const sender = from ? domainOf(from.address) : undefined
  const readers = [...new Set(recipientDomains)].slice(0, MAX_COMPARED).filter((domain) => !isFreeMail(domain))
  const findings: Finding[] = []
  const own = [...(sender === undefined || isFreeMail(sender) ? [] : [sender]), ...readers]
  for (const host of hosts) {
    const meant = own.find((domain) => looksLike(host, domain))
    if (meant === undefined) continue
    findings.push(found('host_like_own', 0.55, `${quoted(meant)} \u2192 ${quoted(host)}: looks like the other`, host))
    break
  }
  const reader = sender === undefined ? undefined : readers.find((domain) => looksLike(sender, domain))
  if (sender !== undefined && reader !== undefined) {
    const detail = `${quoted(reader)} \u2192 ${quoted(sender)}: the sender's domain looks like the recipient's`
    findings.push(found('sender_like_reader', 0.55, detail, from?.address))
  }
  const [answerTo] = replyTo ?? []
  if (answerTo && sender !== undefined && looksLike(domainOf(answerTo.address), sender)) {
    const detail = `${quoted(sender)} \u2192 ${quoted(domainOf(answerTo.address))}: replies go to a domain that looks like the sender's`
    findings.push(found('answers_to_lookalike', 0.6, detail, answerTo.address))
  }
  return findings
}

export function identityFindings(from: Address | null | undefined, replyTo: Address[] = []): Finding[] {
  if (!from) return []
  const findings: Finding[] = []
  const domain = domainOf(from.address)
  const claimed = addressInName(from)
  if (claimed !== undefined) {
    const detail = `${quoted(claimed)} \u2192 ${quoted(domain)}: the sender's name is an address at another domain`
    findings.push(found('address_in_name', 0.4, detail, from.name))
  }
  const brand = impersonated(from)
  if (brand && claimed === undefined) {
    const detail = `${quoted(brand.domains[0] ?? brand.name)} \u2192 ${quoted(domain)}: the sender's name contains ${brand.name}`
    findings.push(found('brand_in_name', 0.35, detail, from.name))
  }
  const imitation = imitationOf(domain)
  if (imitation && (imitation.how === 'letters' || imitation.how === 'misspelt' || imitation.how === 'bait')) {
    const detail = `${quoted(imitation.meant)} \u2192 ${quoted(domain)}: the sender's domain imitates the other`
    findings.push(found('lookalike_sender', imitation.how === 'letters' ? 0.6 : 0.35, detail, from.address))
  }
  const [answerTo] = replyTo
  const answers = answerTo ? domainOf(answerTo.address) : domain
  if (!haveOneOwner(answers, domain)) {
    const detail = `${quoted(domain)} \u2192 ${quoted(answers)}: replies go to another domain`
    findings.push(
      isFreeMail(answers)
        ? found('answers_to_free_mail', 0.2, detail, answerTo?.address)
        : found('answers_elsewhere', 0.05, detail, answerTo?.address),
    )
  }
  return findings
}

export function brandNamedIn(text: string): { brand: Brand; said: string }[] {
  return SAID.flatMap(({ brand, names }) => {
    const said = names.find((name) => hasWords(text, name))
    return said === undefined ? [] : [{ brand, said }]
  })
}

/** True if a host belongs to a brand, or is so similar that the lookalike rules judge it. */
export function isBrandHost(brand: Brand, host: string): boolean {
  const owner = ownerOf(host)
  const own = brandOf(owner)
  if (own) return own === brand || own.domains.some((domain) => brand.domains.includes(domain))
  return brand.domains.includes(owner.domain) || host.includes(brand.name)
}

/** True if a text contains the words as whole words. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isWordSign(text.charCodeAt(at - 1)) && !isWordSign(text.charCodeAt(at + words.length))) return true
    // Scripts without spaces have no word boundaries.
    if (words.charCodeAt(0) > 0x2fff) return true
  }
  return false
}

/** True for ASCII letters, digits and hyphen. */
function isWordSign(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100))
