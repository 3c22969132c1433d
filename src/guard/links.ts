/** What a link says of itself: where it goes, where it claims to go, and whether its host wants to be taken for another. */
import { isIP, isIPv6 } from 'node:net'
import { domainToUnicode } from 'node:url'
import { parseUrl } from '../lib/url.js'
import { htmlAnchors } from '../mime/html.js'
import type { Finding } from './finding.js'
import { isLookalikeLabel, MAX_CHARS, readable } from './text.js'

const MAX_LINKS = 100

/** Names that are imitated most. */
// prettier-ignore
export const BRANDS = [
  'paypal', 'microsoft', 'apple', 'google', 'amazon', 'netflix', 'facebook', 'instagram', 'whatsapp', 'linkedin', 'docusign',
  'dropbox', 'coinbase', 'binance', 'metamask', 'fedex', 'dhl', 'usps', 'wellsfargo', 'bankofamerica', 'citibank', 'barclays', 'revolut',
]
const BAIT = /secure|log-?in|sign-?in|verif|account|support|update|billing|wallet|refund/

export interface Link {
  target: string
  text: string
}

/** The links of a message: those of its HTML with the words that stand for them, and of the `found` ones those that stand for themselves. */
export function shownLinks(html: string | null, found: string[]): Link[] {
  const anchors = html === null ? [] : htmlAnchors(html)
  const known = new Set(anchors.map(({ target }) => target))
  const bare = found.filter((link) => !known.has(link))
  return [...anchors, ...bare.map((link) => ({ target: link, text: link }))]
}

/** Links of the message and, since plain text may hold some that nobody listed, those in its text. */
export function linksOf(links: Link[], text: string): Link[] {
  const known = new Set(links.map(({ target }) => target))
  const inText = (text.slice(0, MAX_CHARS).match(/https?:\/\/[^\s<>"')\]]{1,2048}/gi) ?? [])
    .filter((target) => !known.has(target))
    .map((target) => ({ target, text: target }))
  return [...links, ...inText].slice(0, MAX_LINKS)
}

/** Hosts of web links, in Unicode. */
export function hostsOf(links: Link[]): string[] {
  return links.flatMap(({ target }) => {
    const url = parseUrl(target)
    return url && isWeb(url) ? [domainToUnicode(url.hostname)] : []
  })
}

/** One finding of a kind, with the first link that shows it. */
export function linkFindings(links: Link[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const link of links) {
    for (const finding of judge(link)) if (!found.has(finding.code)) found.set(finding.code, finding)
  }
  return [...found.values()]
}

function* judge({ target, text }: Link): Generator<Finding> {
  const url = parseUrl(target)
  if (!url) return
  if (url.protocol === 'javascript:' || url.protocol === 'data:' || url.protocol === 'vbscript:') {
    yield phishing('active_link', 0.7, `a link runs ${url.protocol} instead of opening a page`)
  }
  if (!isWeb(url)) return
  const host = domainToUnicode(url.hostname)

  if (url.username !== '') {
    // https://bank.example@evil.example/ is read as the bank by everybody but the browser.
    const posesAsHost = /\.[a-z]{2,}$/i.test(decode(url.username))
    yield phishing('user_info_in_link', posesAsHost ? 0.8 : 0.3, `the link to ${host} has a user name before its host`)
  }

  const address = host.replace(/^\[|\]$/g, '')
  if (isIP(address)) {
    const disguised = !isIPv6(address) && !target.includes(address)
    if (disguised) yield phishing('disguised_address', 0.7, `a link hides the address ${address} in another notation`)
    else if (!isLocal(address))
      yield phishing('ip_address_link', 0.4, `a link goes to the address ${address} and not to a name`)
    return
  }

  const claimed = claimedHost(text)
  if (claimed !== undefined && siteOf(claimed) !== siteOf(host)) {
    yield phishing('link_text_mismatch', 0.55, `a link that reads ${claimed} goes to ${host}`)
  }
  if (host.split('.').some(isLookalikeLabel) || imitatesBrand(host)) {
    yield phishing('lookalike_host', 0.7, `the host ${host} (${url.hostname}) imitates another one`)
  } else if (hasBrandAsBait(host)) {
    yield phishing('brand_in_host', 0.4, `the host ${host} uses a well-known name that is not its own`)
  }
  if (/(?:^|\.)(?:com|net|org|gov)\.(?:[^.]+\.)+[^.]+$/.test(host)) {
    yield phishing('domain_in_subdomain', 0.4, `the host ${host} starts like another domain`)
  }
}

function phishing(code: string, weight: number, detail: string): Finding {
  return { code, detail, category: 'phishing', weight }
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

function decode(text: string): string {
  return text.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

/** Addresses of machines that only the recipient's own network can mean (RFC 1918, RFC 3927, RFC 4193, RFC 4291 §2.5.6). */
function isLocal(address: string): boolean {
  return isIPv6(address)
    ? /^(?:::1$|f[cd]|fe[89ab])/.test(address)
    : /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address)
}

/** The host that a link's text names, when the text is an address and not words; `README.md` is a file, so only common endings count. */
function claimedHost(text: string): string | undefined {
  const match = /^(https?:\/\/)?(?:[^\s/@]+@)?(www\.)?((?:[\p{L}\d-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?$/u.exec(
    readable(text),
  )
  const host = match?.[3]
  if (!match || host === undefined) return undefined
  const isAddress =
    match[1] !== undefined || match[2] !== undefined || /\.(?:com|org|gov|edu|bank|co\.[a-z]{2})$/.test(host)
  return isAddress ? domainToUnicode(host) || host : undefined
}

/** The part of a host that somebody registered, as near as it can be told without the public suffix list. */
function siteOf(host: string): string {
  const labels = host.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const isSuffix = top.length === 2 && /^(?:co|com|net|org|gov|ac|edu|or|ne|go|gob)$/.test(second)
  return labels.slice(isSuffix ? -3 : -2).join('.')
}

/** A brand in other letters: `paypa1`, `rnicrosoft`. */
function imitatesBrand(host: string): boolean {
  const label = siteOf(host).split('.')[0] ?? ''
  const plain = label.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')
  return (
    plain !== label && BRANDS.some((brand) => plain.split('-').includes(brand) && !label.split('-').includes(brand))
  )
}

/** A brand and a word such as `login`, on somebody else's domain: `paypal-login.example`, `paypal.account-check.example`. */
function hasBrandAsBait(host: string): boolean {
  const owner = siteOf(host).split('.')[0] ?? ''
  return BAIT.test(host) && BRANDS.some((brand) => owner !== brand && host.split(/[.-]/).includes(brand))
}
