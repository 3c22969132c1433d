/** Findings about links: their target, the target that they claim, and lookalike hosts. */
import { isIP, isIPv6 } from 'node:net'
import { domainToUnicode } from 'node:url'
import { parseUrl } from '../../lib/url.js'
import { htmlAnchors } from '../../mime/html/html.js'
import { excerptOf, found, type FindingCode } from '../reason-codes.js'
import { skeleton } from '../text/confusables.js'
import { haveOneOwner, ownerOf } from './domains.js'
import type { Finding } from '../finding.js'
import { FREE_HOSTS, redirectionOf, SHORTENERS } from './link-hosts.js'
import { brandInPath, leadsTo, type LeadsTo } from './link-files.js'
import { brandOf, imitationOf, type Imitation } from './lookalike.js'
import { MAX_CHARS, readable } from '../text/text.js'

const MAX_LINKS = 100
/** Redirectors may be chained. */
const MAX_HOPS = 3
const MANY_SUBDOMAINS = 5

export interface Link {
  target: string
  text: string
}

/** The links of a message: those of its HTML with their text, and the `found` ones with their address as text. */
export function shownLinks(html: string | null, found: string[]): Link[] {
  const anchors = html === null ? [] : htmlAnchors(html)
  const known = new Set(anchors.map(({ target }) => target))
  const bare = found.filter((link) => !known.has(link))
  return [...anchors, ...bare.map((link) => ({ target: link, text: link }))]
}

/** The links of the message and those in its text: plain text may contain links that the parser did not list. */
export function linksOf(links: Link[], text: string): Link[] {
  const known = new Set(links.map(({ target }) => target))
  const written = text.slice(0, MAX_CHARS)
  const inText = (written.includes('://') ? (written.match(/https?:\/\/[^\s<>"')\]]{1,2048}/gi) ?? []) : [])
    .filter((target) => !known.has(target))
    .map((target) => ({ target, text: target }))
  return [...links, ...inText].slice(0, MAX_LINKS)
}

export interface ReadLink extends Link {
  url: URL
  /** Unicode form; '' for links that are not for the web. */
  host: string
}

export function readLinks(links: Link[]): ReadLink[] {
  return links.flatMap((link) => {
    const url = parseUrl(link.target)
    return url ? [{ ...link, url, host: isWeb(url) ? domainToUnicode(url.hostname) || url.hostname : '' }] : []
  })
}

/** Distinct hosts of web links, in Unicode; the target of a redirector instead of the redirector. */
export function hostsOf(links: ReadLink[]): string[] {
  const hosts = links.flatMap(({ url, host }) => (host === '' ? [] : [hostOfTarget(url, host)]))
  return [...new Set(hosts)]
}

function hostOfTarget(url: URL, host: string): string {
  const target = parseUrl(redirectionOf(url)?.target ?? '')
  return target && isWeb(target) ? domainToUnicode(target.hostname) || target.hostname : host
}

/**
 * At most one finding of each code, for the first link that matches.
 *
 * @param isKnownBad tests hosts, in ASCII, against the list of bad ones
 */
export function linkFindings(links: ReadLink[], isKnownBad?: (host: string) => boolean): Finding[] {
  const findings = new Map<string, Finding>()
  const asked = { hosts: new Set<string>(), isKnownBad }
  for (const link of links) {
    for (const finding of judge(link, asked, 0)) if (!findings.has(finding.code)) findings.set(finding.code, finding)
  }
  return [...findings.values()]
}

interface Asked {
  /** Hosts already judged. */
  hosts: Set<string>
  isKnownBad: ((host: string) => boolean) | undefined
}

function* judge(link: ReadLink, asked: Asked, hops: number): Generator<Finding> {
  const { url, host, target } = link
  const say = (code: FindingCode, weight: number, detail: string): Finding => found(code, weight, detail, target)
  if (/^(?:javascript|data|vbscript):$/.test(url.protocol))
    yield say('active_link', 0.7, `a link runs ${url.protocol} instead of opening a page`)
  const goal = leadsTo(url, host)
  if (goal) {
    const [code, weight, what] = GOALS[goal.kind]
    yield say(code, weight, `${what}: ${shown(goal.what)}${host === '' ? '' : ` at ${shown(host)}`}`)
  }
  if (host === '') return

  if (url.username !== '') {
    // Everyone but the browser reads https://bank.example@evil.example/ as the bank.
    const posesAsHost = /\.[a-z]{2,}$/i.test(decode(url.username))
    yield say(
      'user_info_in_link',
      posesAsHost ? 0.8 : 0.3,
      `the link goes to ${shown(host)}; ${shown(decode(url.username))} in front of it is only a user name`,
    )
  }
  if (asked.isKnownBad?.(url.hostname))
    yield say('known_bad_link', 0.95, `the host ${shown(host)} is on the list of bad hosts`)

  const address = host.replace(/^\[|\]$/g, '')
  if (isIP(address)) {
    const disguised = !isIPv6(address) && !target.includes(address)
    if (disguised)
      yield say('disguised_address', 0.7, `${shown(target)} \u2192 "${address}": an address in another notation`)
    else if (!isLocal(address)) yield say('ip_address_link', 0.4, `a link goes to the IP address "${address}"`)
    return
  }

  yield* mismatch(link, say)
  if (!asked.hosts.has(host)) {
    asked.hosts.add(host)
    yield* judgeHost(url, host, say)
  }
  yield* judgeRedirection(link, asked, hops)
}

const GOALS: Record<LeadsTo['kind'], [code: FindingCode, weight: number, what: string]> = {
  handler: ['handler_link', 0.7, 'a link opens a program or a folder of another server'],
  program: ['program_link', 0.2, 'a link leads to a program'],
  'free program': ['program_at_free_host', 0.6, 'a link leads to a program that anyone can have put there'],
  'free archive': ['program_at_free_host', 0.2, 'a link leads to an archive that anyone can have put there'],
}

type Say = (code: FindingCode, weight: number, detail: string) => Finding

function* mismatch({ url, host, text, target }: ReadLink, say: Say): Generator<Finding> {
  if (text === target || text.length < 4) return
  const claimed = claimedHost(text)
  if (claimed === undefined || haveOneOwner(claimed, host)) return
  const goal = hostOfTarget(url, host)
  const [wanted, reached] = [brandOf(ownerOf(claimed)), brandOf(ownerOf(goal))]
  if (haveOneOwner(claimed, goal) || (wanted !== undefined && wanted === reached)) return
  yield say(
    'link_text_mismatch',
    0.55,
    `${shown(claimed)} \u2192 ${shown(goal)}: the text of a link names one host, its target is another`,
  )
}

const IMITATIONS: Record<Imitation['how'], [code: FindingCode, weight: number, what: string]> = {
  letters: ['lookalike_host', 0.7, 'looks like the other'],
  misspelt: ['misspelt_brand_host', 0.45, 'one letter from the other'],
  bait: ['brand_in_host', 0.4, 'uses a brand of another owner'],
  subdomain: ['brand_in_subdomain', 0.3, 'begins with a brand of another owner'],
  suffix: ['brand_other_suffix', 0.25, 'a known brand under another suffix'],
}

function* judgeHost(url: URL, host: string, say: Say): Generator<Finding> {
  const owner = ownerOf(host)
  const imitation = imitationOf(host)
  const label = host === url.hostname ? undefined : lookalikeLabel(host)
  if (imitation) {
    const [code, weight, what] = IMITATIONS[imitation.how]
    yield say(code, weight, `${shown(imitation.meant)} \u2192 ${named(host, url)}: ${what}`)
  } else if (label !== undefined) {
    yield say('lookalike_host', 0.7, `"${skeleton(host)}" \u2192 ${named(host, url)}: looks like the other`)
  }
  if (host !== url.hostname && label === undefined && host.split('.').some(isMixed))
    yield say('mixed_script_host', 0.5, `${named(host, url)} mixes scripts in one word`)

  if (!owner.isGuest && /(?:^|\.)(?:com|net|org|gov)\.(?:[^.]+\.)+[^.]+$/.test(host) && owner.subdomain !== '')
    if (/(?:^|\.)[^.]+\.(?:com|net|org|gov)(?:\.|$)/.test(owner.subdomain))
      yield say(
        'domain_in_subdomain',
        0.4,
        `${shown(owner.subdomain)} \u2192 ${shown(owner.domain)}: starts like another domain`,
      )
  const inPath = brandInPath(url, host)
  if (inPath !== undefined)
    yield say(
      'brand_in_path',
      0.35,
      `${shown(inPath)} \u2192 ${shown(host)}: a sign-in page of a brand at another host`,
    )
  if (owner.subdomain.split('.').length >= MANY_SUBDOMAINS && !owner.isGuest)
    yield say('deep_subdomain', 0.15, `the host ${shown(host)} has many labels in front of ${shown(owner.domain)}`)
  if (url.port !== '' && host.includes('.') && !/^(?:80|443|8080|8443|8000|3000|5000)$/.test(url.port))
    yield say('unusual_port', 0.15, `the link to ${shown(host)} goes to port ${url.port}`)
  if (SHORTENERS.has(owner.domain))
    yield say('shortened_link', 0.1, `${shown(host)} is a shortener, which hides the target`)
  else if (
    FREE_HOSTS.has(host) ||
    FREE_HOSTS.has(owner.domain) ||
    (owner.isGuest && FREE_HOSTS.has(parent(owner.domain)))
  )
    yield say('free_host', 0.1, `anyone can publish pages at ${shown(host)}`)
}

/** The target of a redirector is judged as a link of its own. */
function* judgeRedirection(link: ReadLink, asked: Asked, hops: number): Generator<Finding> {
  const redirection = hops < MAX_HOPS ? redirectionOf(link.url) : undefined
  const next = redirection && parseUrl(redirection.target)
  if (!redirection || !next || !isWeb(next)) return
  const host = domainToUnicode(next.hostname) || next.hostname
  const onward = function* (): Generator<Finding> {
    if (redirection.isOpen && !haveOneOwner(host, link.host)) {
      const detail = `${shown(link.host)} \u2192 ${shown(host)}: an open redirect`
      yield found('open_redirect', 0.2, detail)
    }
    yield* judge({ target: redirection.target, text: '', url: next, host }, asked, hops + 1)
  }
  for (const finding of onward()) yield { ...finding, excerpt: excerptOf(link.target) }
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 100))

function named(host: string, url: URL): string {
  return host === url.hostname ? shown(host) : `${shown(host)} (${url.hostname.slice(0, 100)})`
}

function parent(domain: string): string {
  return domain.slice(domain.indexOf('.') + 1)
}

/** A label whose letters look Latin and are not. Below a suffix in the same script it is an ordinary word. */
function lookalikeLabel(host: string): string | undefined {
  const labels = host.split('.')
  if (!/^[a-z]/.test(labels.at(-1) ?? '')) return labels.find(isMixed)
  return labels.find((label) => ALIKE.test(label) && /^[a-z0-9-]+$/.test(skeleton(label)))
}

/** Scripts that look like Latin, and its phonetic letters. */
const ALIKE = /[\u0250-\u02af\u0370-\u058f\u13a0-\u13ff\u1d00-\u1d22\ua730\ua731]/

/** True if one label has Latin letters and lookalikes from another script. Japanese and Chinese names mix with Latin as a matter of course. */
function isMixed(label: string): boolean {
  return /[a-z]/.test(label) && ALIKE.test(label)
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

function decode(text: string): string {
  return text.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

/** True for addresses in private and local networks (RFC 1918, RFC 3927, RFC 4193, RFC 4291 §2.5.6). */
function isLocal(address: string): boolean {
  return isIPv6(address)
    ? /^(?:::1$|f[cd]|fe[89ab])/.test(address)
    : /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address)
}

/** The host in a link's text, when the text is an address; `README.md` is a file, so only common top-level domains count. */
function claimedHost(text: string): string | undefined {
  const match = /^(https?:\/\/)?(?:[^\s/@]+@)?(www\.)?((?:[\p{L}\d-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?$/u.exec(
    readable(text.slice(0, 500)),
  )
  const host = match?.[3]
  if (!match || host === undefined) return undefined
  const isAddress =
    match[1] !== undefined || match[2] !== undefined || /\.(?:com|org|gov|edu|bank|net|co\.[a-z]{2})$/.test(host)
  return isAddress ? domainToUnicode(host) || host : undefined
}
