/** Detects hosts that imitate a brand: by lookalike letters, a misspelling, words of bait, or the brand in a subdomain. */
import { BRANDS, NEIGHBOURS, type Brand } from './brands.js'
import { lookKey, skeleton } from '../text/confusables.js'
import { ownerOf, type Owner } from './domains.js'

export interface Imitation {
  brand: Brand
  /** The domain of the imitated brand. */
  meant: string
  /** Lookalike letters; misspelt; bait words or the whole domain in front; the brand as a subdomain; its bare name under another suffix. */
  how: 'letters' | 'misspelt' | 'bait' | 'subdomain' | 'suffix'
}

const BAIT =
  /^(?:secur\w{0,5}|log-?in|log-?on|sign-?in|signon|verif\w{0,10}|confirm\w{0,6}|accounts?|konto|kunden\w{0,8}|compte|cuenta|conta|support|help\w{0,4}|service|update|billing|bill|wallet|refund|payment|pay|bank\w{0,4}|online|alert|auth|id|access|unlock|recover\w{0,2}|recovery|reset|password|customer|client|web|portal|parcel|package|paket|colis|paczka|track\w{0,4}|delivery|claim|bonus|gift|promo|airdrop|kyc|validate|suspend\w{0,3}|limited|resolution|invoice|notice|team|meeting|docs?|share\w{0,2}|mail|app|bot|official|www|com|re-?deliver\w{0,3}|deliver\w{0,3}|services|aktuell|sicher\w{0,4}|seguro|securite|sicurezza|center|centre|home|user|my|info|notification)$/

/** Suffixes that are cheap and mostly used for what is thrown away soon. */
const CHEAP =
  /\.(?:top|xyz|icu|shop|click|live|online|site|cam|rest|buzz|cfd|sbs|vip|monster|quest|lol|bond|cyou|store|fun|work|support|help)$/
/** A bait word may have a number: `support24`. */
const isBait = (word: string): boolean =>
  BAIT.test(word) || (/\d$/.test(word) && BAIT.test(word.replace(/\d{1,8}$/, '')))
const isNumber = (word: string): boolean => /^\d{2,8}$/.test(word)

const BY_NAME = new Map(BRANDS.map((brand) => [brand.name, brand]))
const BY_KEY = new Map(BRANDS.map((brand) => [lookKey(brand.name), brand]))
const BY_DOMAIN = new Map(BRANDS.flatMap((brand) => brand.domains.map((domain): [string, Brand] => [domain, brand])))
/** Long enough that one edit or surrounding letters make no other word. */
const LONG_NAMES = BRANDS.filter(({ name, word }) => name.length >= 6 && !word)

/** The brand that owns a domain: listed, or its bare name below a public suffix (`amazon.de`), since owners register long names that are no words. */
export function brandOf(owner: Owner): Brand | undefined {
  const listed = BY_DOMAIN.get(owner.domain) ?? BY_DOMAIN.get(ofSuffix(owner))
  if (listed || owner.isGuest) return listed
  const named = BY_NAME.get(owner.label)
  return named && isCountryName(owner) ? named : undefined
}

/** The suffix, where only a state assigns names below it, as in `www.gov.uk`. */
function ofSuffix({ domain, isGuest }: Owner): string {
  if (!isGuest) return domain.split('.').slice(-2).join('.')
  return domain.endsWith('.service.gov.uk') ? 'service.gov.uk' : ''
}

/** True for `amazon.de` and `paypal.co.uk`; not for `paypal.icu`, which anyone can register. */
function isCountryName({ domain }: Owner): boolean {
  return (
    /^[^.]+\.(?:com|net|org|[a-z]{2}|(?:com?|org)\.[a-z]{2})$/.test(domain) &&
    !/\.(?:cc|co|io|me|tv|tk|ml|ga|cf|gq|ws|to|ly|gg|vc|sh|ac|pw|su|la|ru|cn|st|im)$/.test(domain)
  )
}

/** @param host in lower-case Unicode */
export function imitationOf(host: string): Imitation | undefined {
  const owner = ownerOf(host)
  if (brandOf(owner)) return undefined
  const words = owner.label.split('-').filter((word) => word !== '')
  return imitatedIn(words) ?? inWords(words, owner) ?? inSubdomain(owner)
}

function imitation(brand: Brand, how: Imitation['how']): Imitation {
  return { brand, meant: brand.domains[0] ?? brand.name, how }
}

/** Lookalikes: `paypa1`, `paypaI`, `rnicrosoft`, `pаypal`; or one letter added, missing, replaced or swapped: `paypall`. */
function imitatedIn(words: string[]): Imitation | undefined {
  for (const word of [words.join(''), ...words]) {
    if (word.length < 4 || BY_NAME.has(word)) continue
    const brand =
      BY_NAME.get(skeleton(word)) ??
      (word.length >= 5 ? BY_KEY.get(lookKey(word)) : undefined) ??
      // `nnicrosoft`; names with `nn` of their own are few.
      (word.length >= 6 && word.includes('nn') ? BY_NAME.get(word.replace('nn', 'm')) : undefined)
    if (brand && !NEIGHBOURS.has(word) && (brand.name.length >= 5 || word.length === brand.name.length))
      return imitation(brand, 'letters')
  }
  for (const word of words) {
    if (word.length < 5 || NEIGHBOURS.has(word)) continue
    const near = LONG_NAMES.find(({ name }) => isOneEditAway(word, name))
    // A plural is a separate word.
    if (near && word !== `${near.name}s`) return imitation(near, 'misspelt')
  }
  return undefined
}

/** The brand among bait words: `paypal-secure-login`, `secureamazonlogin`; or its bare name below another suffix, `paypal.icu`. */
function inWords(words: string[], owner: Owner): Imitation | undefined {
  const named = words.map((word) => BY_NAME.get(word)).find((brand) => brand !== undefined)
  const others = words.filter((word) => word !== named?.name)
  if (named && others.some((word) => isBait(word) || isNumber(word))) return imitation(named, 'bait')
  const isName = named !== undefined && !named.word && named.name.length >= 5
  if (isName && owner.subdomain.split(/[.-]/).some(isBait)) return imitation(named, 'bait')
  if (isName && others.length === 0) return imitation(named, 'suffix')
  const glued = words.join('')
  const parted = words.length > 1 ? BY_NAME.get(glued) : undefined
  if (parted && !parted.word) return imitation(parted, 'bait')
  const within = LONG_NAMES.find(({ name }) => glued.length > name.length && glued.includes(name))
  if (within === undefined) return undefined
  const [before = '', after = ''] = [
    glued.slice(0, glued.indexOf(within.name)),
    glued.slice(glued.indexOf(within.name) + within.name.length),
  ]
  return isBait(before) || isBait(after) || (before === '' && isNumber(after)) ? imitation(within, 'bait') : undefined
}

/** The brand in front of another owner's domain: `paypal.com.account-check.example`, `login.microsoft.evil.example`. */
function inSubdomain({ subdomain, label, domain }: Owner): Imitation | undefined {
  if (subdomain === '') return undefined
  const words = subdomain.split(/[.-]/)
  const named = words.map((word) => BY_NAME.get(word)).find((brand) => brand !== undefined)
  if (!named) return words.length > 0 ? lettersIn(words) : undefined
  const wholeDomain = named.domains.some((domain) => `.${subdomain}.`.includes(`.${domain}.`))
  const baited = [...words, ...label.split('-')].some((word) => word !== named.name && isBait(word))
  if (wholeDomain) return imitation(named, 'bait')
  const isThrownAway = !named.word && named.name.length >= 5 && CHEAP.test(domain)
  return baited || isThrownAway ? imitation(named, 'subdomain') : undefined
}

function lettersIn(words: string[]): Imitation | undefined {
  for (const word of words) {
    if (word.length < 6 || NEIGHBOURS.has(word)) continue
    const brand = BY_KEY.get(lookKey(word))
    if (brand && !brand.word && brand.name !== word) return imitation(brand, 'letters')
  }
  return undefined
}

/** Shorter names are one letter away from many others. */
const MIN_LIKE_CHARS = 5

/** True if a domain of another owner looks like one: letters that look alike, or one letter more, less or other. */
export function looksLike(host: string, other: string): boolean {
  const [own, meant] = [ownerOf(host), ownerOf(other)]
  if (own.domain === meant.domain || brandOf(own) || meant.label.length < MIN_LIKE_CHARS) return false
  // The same name below another suffix is often the same owner.
  if (own.label === meant.label || own.label === `${meant.label}s` || `${own.label}s` === meant.label) return false
  const isAlike = skeleton(own.label) === meant.label || lookKey(own.label) === lookKey(meant.label)
  return isAlike || (meant.label.length >= MIN_LIKE_CHARS + 2 && isOneEditAway(own.label, meant.label))
}

/** True if one letter was inserted, deleted, replaced, or swapped with its neighbour. The first letter stays, as it does in a misreading. */
export function isOneEditAway(word: string, name: string): boolean {
  const difference = word.length - name.length
  if (word === name || difference > 1 || difference < -1 || word[0] !== name[0]) return false
  let at = 0
  while (at < word.length && word[at] === name[at]) at++
  const rest = (text: string, from: number): string => text.slice(from)
  if (difference === 1) return rest(word, at + 1) === rest(name, at)
  if (difference === -1) return rest(word, at) === rest(name, at + 1)
  if (rest(word, at + 1) === rest(name, at + 1)) return true
  return word[at] === name[at + 1] && word[at + 1] === name[at] && rest(word, at + 2) === rest(name, at + 2)
}
