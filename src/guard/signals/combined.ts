/** Signs that count only in combination: a brand with links elsewhere, a request with a hidden link, a form and its target. */
import { parseUrl } from '../../lib/url.js'
import { brandNamedIn, isBrandHost } from './identity.js'
import { found, reweighed } from '../reason-codes.js'
import { domainOf } from '../../mime/address.js'
import type { FileFacts } from '../../mime/types.js'
import { haveOneOwner, ownerOf } from '../links/domains.js'
import { hostsOf, readLinks } from '../links/links.js'
import { filesOf, linksInFiles } from './attachments.js'
import type { Finding } from '../finding.js'
import { brandOf } from '../links/lookalike.js'
import type { Reading } from '../text/text.js'
import type { GuardSubject } from '../types.js'

export interface Combined {
  subject: GuardSubject
  reading: Reading
  phrases: Finding[]
  ofLinks: Finding[]
  /** Hosts of the links. */
  hosts: string[]
}

/** Requests for secrets or for access to them. */
const REQUESTS = new Set([
  'credential_request',
  'secret_on_page',
  'secret_by_mail',
  'wallet_phrase_request',
  'payment_problem',
])
const PRESSURE = new Set([...REQUESTS, 'account_threat', 'reward_lure', 'parcel_fee'])
const HIDING_LINKS = new Set(['shortened_link', 'open_redirect', 'free_host', 'ip_address_link', 'unusual_port'])
/** Mail in a brand's name names it at the start; newsletters name brands to follow at the end. */
const START_CHARS = 1200

export function isRequest({ code }: Finding): boolean {
  return REQUESTS.has(code)
}

export function combinedFindings(all: Combined): Finding[] {
  const { reading, phrases, ofLinks, hosts } = all
  const presses = phrases.some(({ code }) => PRESSURE.has(code))
  const start = `${reading.title} ${reading.words.slice(0, START_CHARS)} ${reading.files.slice(0, START_CHARS)}`
  const findings: Finding[] = []
  const { html } = reading
  const hasForm = html?.hasForm === true
  const brands = presses || hasForm ? brandNamedIn(start) : []
  const [named] = brands
  if (
    presses &&
    named &&
    hosts.length > 0 &&
    !hosts.some((host) => brands.some(({ brand }) => isBrandHost(brand, host)))
  ) {
    const detail = `${JSON.stringify(named.brand.domains[0] ?? named.said)} \u2192 ${JSON.stringify(hosts[0] ?? '')}: writes as ${named.said} and links elsewhere`
    findings.push(found('brand_without_its_host', 0.35, detail, named.said))
  }
  if (phrases.some(isRequest)) {
    const hiding = ofLinks.find(({ code }) => HIDING_LINKS.has(code))
    const detail = `asks for secrets with a link that hides its target (${hiding?.code})`
    if (hiding) findings.push(found('hidden_link', 0.3, detail, hiding.excerpt))
  }
  // A host one letter away from a brand is no coincidence when the text names that brand.
  for (const near of ofLinks.filter(({ code }) => code === 'misspelt_brand_host')) {
    if (brandNamedIn(start).some(({ brand }) => near.detail.startsWith(JSON.stringify(brand.domains[0] ?? ''))))
      findings.push(found('lookalike_host', 0.7, near.detail, near.excerpt))
  }
  if (html?.hasForm) findings.push(...formFindings(html, named?.brand.domains[0]))
  findings.push(...archivePassword(all))
  return findings
}

/**
 * A code in an image counts when the message also asks for secrets or urges. Where codes were read, those that lead to the sender's own host and those
 * that are no links (payments, contacts, networks) count for nothing, whatever the text says of them.
 */
export function withQrCode(phrases: Finding[], subject: GuardSubject): Finding[] {
  const { attachments, html } = subject
  const files = filesOf(subject)
  if (files.some(({ codes = [] }) => codes.length > 0)) return withCodesRead(phrases, subject, files)
  const hasImage =
    attachments.some(
      ({ contentType, filename }) =>
        /^image\/|pdf$/i.test(contentType) || /\.(?:png|jpe?g|gif|pdf|svg)$/i.test(filename),
    ) ||
    (html !== null && /<img\b/i.test(html))
  const presses = phrases.some(({ code }) => PRESSURE.has(code) || code === 'urgency')
  return phrases.flatMap((finding) => {
    if (finding.code !== 'qr_code') return [finding]
    return hasImage ? [presses ? reweighed(finding, 0.45) : finding] : []
  })
}

function withCodesRead(phrases: Finding[], { from }: GuardSubject, files: FileFacts[]): Finding[] {
  const others = phrases.filter(({ code }) => code !== 'qr_code')
  const asking = phrases.find(({ code }) => code === 'qr_code')
  const foreign = files
    .flatMap(({ codes = [], links }) =>
      codes.length > 0 ? hostsOf(readLinks(linksInFiles([{ signs: [], links }]))) : [],
    )
    .find((host) => !from || !haveOneOwner(host, domainOf(from.address)))
  const presses = others.some(({ code }) => PRESSURE.has(code))
  if (foreign === undefined || (!asking && !presses)) return others
  const weight = asking && presses ? 0.6 : presses ? 0.4 : (asking?.weight ?? 0)
  const detail = `${asking ? 'asks to scan a code that leads' : 'makes demands with a code that leads'} to ${JSON.stringify(foreign)}`
  return [...others, found('qr_code', weight, detail, asking && (() => asking.excerpt ?? ''))]
}

function formFindings(
  { hasPasswordField, formAction: action }: NonNullable<Reading['html']>,
  brandDomain: string | undefined,
): Finding[] {
  const findings: Finding[] = []
  if (hasPasswordField) findings.push(found('password_field', 0.75, 'asks for a password within the message'))
  else findings.push(found('form', 0.35, 'contains a form to fill in'))
  const url = action === undefined ? undefined : parseUrl(action)
  if (url && brandDomain !== undefined && /^https?:$/.test(url.protocol)) {
    const owner = ownerOf(url.hostname)
    if (owner.domain !== brandDomain && brandOf(owner)?.domains[0] !== brandDomain) {
      const detail = `${JSON.stringify(brandDomain)} \u2192 ${JSON.stringify(owner.domain)}: a form in the name of one submits to the other`
      findings.push(found('form_to_other_host', 0.6, detail, action))
    }
  }
  return findings
}

const ARCHIVE = /\.(?:zip|rar|7z|ace|arj|tgz|tar|gz|iso|cab|lzh)$/i
const PASSWORD_GIVEN =
  /(?:password|passcode|passwort|kennwort|mot de passe|contrasena|\bclave|\bsenha|palavra-passe|wachtwoord|\bhaslo|\u043f\u0430\u0440\u043e\u043b\u044c|\bsifre|\u30d1\u30b9\u30ef\u30fc\u30c9|\u5bc6\u7801|\u5bc6\u78bc)[^.!?:]{0,40}(?: ?[:=\u662f] ?| is | lautet | ist | est | es | is: )["']?[a-z0-9!@#$%_-]{3,24}/

function archivePassword({ subject, reading }: Combined): Finding[] {
  const archive = subject.attachments.find(
    (attachment) => attachment.archive?.encrypted || ARCHIVE.test(attachment.filename),
  )
  if (!archive) return []
  const given = PASSWORD_GIVEN.exec(reading.all)?.[0]
  if (given === undefined) return []
  const detail = `the password of the archive ${JSON.stringify(archive.filename.slice(-60))} is in the text`
  return [found('archive_password_in_text', archive.archive?.encrypted ? 0.4 : 0.2, detail, given)]
}
