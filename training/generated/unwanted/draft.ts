/**
 * From a draft to a template. A draft's wording is a text of one paragraph a line, in the language of spin.ts with the slots of slots.ts; how a
 * line begins says what it is: `? ` may be missing, `~ ` changes places with its neighbours of the kind, `@ ` is the link to follow, `# ` a
 * heading, `* ` a row of a table, `- ` an item, `% ` small print, `---` a rule. `<a words>` is a link within a line, `<link>` a bare one.
 */
import type { Label } from '../../sample.js'
import type { Made, Random, Template } from '../template.js'
import { cheapHost, createSite, freeAddress, invented, lookalike, slug } from './hosts.js'
import { render, type Look } from './looks.js'
import { createSlots, type Slots } from './slots.js'
import { disguise, spin } from './spin.js'
import { COMPANIES, RESERVED_ENDS } from './words.js'

/** Whose address it is: anybody's at a free provider, nobody's, one like the brand's, one of the reader's domain, a company's, a robbed one's. */
type From = 'free' | 'odd' | 'brand' | 'own' | 'firm' | 'robbed'

export interface Draft {
  /** The kind of address, then the name in front of it; without a name that of a person. */
  from: From | `${From} ${string}`
  subject: string
  body: string
  /** What it may pretend to be; `<brand>` says the chosen one. */
  brands?: readonly string[]
  looks?: readonly Look[]
  replyTo?: 'free' | 'odd'
  /** Sent to many at once, as often as not. */
  many?: boolean
  /** The name of an attached file. */
  attach?: string
  /** Meaningless words at the end, so that no two are alike. */
  noisy?: boolean
  lower?: boolean
}

type Maker = (name: string, draft: Draft) => Template

/** Makers of templates in the language, one for each label. */
export function templatesIn(language: string): Record<'phishing' | 'scam' | 'spam', Maker> {
  const maker =
    (label: Label): Maker =>
    (name, draft) => ({
      id: `${label}/${language}/${name}`,
      language,
      label,
      make: (random) => make({ label, language, draft, random }),
    })
  return { phishing: maker('phishing'), scam: maker('scam'), spam: maker('spam') }
}

const LOOKS: Record<string, readonly Look[]> = {
  phishing: ['plain', 'plain', 'letter', 'card', 'card'],
  scam: ['plain', 'plain', 'plain', 'plain', 'plain', 'letter'],
  spam: ['plain', 'plain', 'plain', 'letter', 'letter', 'card'],
}

function make({
  label,
  language,
  draft,
  random,
}: {
  label: Label
  language: string
  draft: Draft
  random: Random
}): Made {
  const slots = createSlots(language, draft.brands ?? [], random)
  const about = { label, language, brand: slots.brand }
  const look = random.pick<Look>(draft.looks ?? LOOKS[label] ?? ['plain'])
  const said = (text: string): string => disguise(slots.fill(spin(text, random)), random)

  const lines = linesOf(draft.body, random)
    .map(said)
    .filter((line) => line.trim() !== '')
  const noise = slots.fill(random.pick(['<noise>', '<nonsense>', '<tag> <noise> <tag>', '<nonsense><br><noise>']))
  const isNoisy = draft.noisy === true || (label === 'spam' && random.chance(0.06))
  if (isNoisy) lines.push(noise)
  const rendered = render(
    draft.lower ? lines.map((line) => line.toLowerCase()) : lines,
    {
      look,
      head: slots.brand,
      language,
      site: createSite(about, random),
      shown: slots.brand === '' ? undefined : shownFor(slots.brand, random),
      hidden: random.chance(label === 'scam' ? 0.02 : 0.15),
      broken: random.chance(label === 'scam' ? 0.02 : 0.12),
    },
    random,
  )
  const subject = said(draft.subject)
  const attachment = draft.attach === undefined ? undefined : fileOf(said(draft.attach), random)
  const from = senderOf({ draft, slots, language, label, said, random })
  const replyName = random.chance(0.5) ? from.name : ''
  return {
    subject: draft.lower ? subject.toLowerCase() : random.chance(0.04) ? subject.toUpperCase() : subject,
    ...rendered,
    from,
    ...(draft.replyTo && random.chance(0.8)
      ? { replyTo: [{ name: replyName, address: addressFor(draft.replyTo, slots, label, language, random) }] }
      : {}),
    ...(attachment ? { attachments: [attachment] } : {}),
    recipientCount: random.chance(draft.many === true ? 0.5 : 0.04) ? random.int(10, 40) : 1,
  }
}

function linesOf(body: string, random: Random): string[] {
  const lines = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .filter((line) => !/^(~ )?\? /.test(line) || random.chance(0.55))
    .map((line) => line.replace(/^(~ )?\? /, '$1'))
  const ordered: string[] = []
  const loose: string[] = []
  const settle = (): void => {
    while (loose.length > 0) ordered.push(...loose.splice(random.int(0, loose.length - 1), 1))
  }
  for (const line of lines) {
    if (line.startsWith('~ ')) loose.push(line.slice(2))
    else {
      settle()
      ordered.push(line)
    }
  }
  settle()
  return ordered
}

interface Sending {
  draft: Draft
  slots: Slots
  language: string
  label: Label
  said: (text: string) => string
  random: Random
}

function senderOf({ draft, slots, language, label, said, random }: Sending): Made['from'] {
  const [kind, ...rest] = draft.from.split(' ')
  const name = rest.length > 0 ? said(rest.join(' ')) : slots.sender.name
  return { name: random.chance(0.05) ? '' : name, address: addressFor(kind ?? 'odd', slots, label, language, random) }
}

const ROLES = [
  'noreply',
  'no-reply',
  'support',
  'service',
  'info',
  'admin',
  'notification',
  'alerts',
  'contact',
  'mail',
  'billing',
  'office',
]

function addressFor(kind: string, slots: Slots, label: Label, language: string, random: Random): string {
  const role = random.pick(ROLES)
  const first = slug(slots.sender.first) || invented(random)
  const last = slug(slots.sender.last)
  switch (kind) {
    case 'free':
      return freeAddress(first, random)
    case 'brand':
      return random.chance(0.5) && slots.brand !== ''
        ? `${role}@${lookalike({ label, language, brand: slots.brand }, random)}`
        : `${random.pick([role, invented(random), `${role}-${random.int(10, 9999)}`])}@${cheapHost(random)}`
    case 'own':
      return random.chance(0.6) ? `${role}@${slots.recipient.domain}` : `${role}@${cheapHost(random)}`
    case 'firm':
      return `${random.pick([first, `${first}.${last}`, role]).replace(/\.$/, '')}@${slug(random.pick(COMPANIES))}${random.pick(['', '-group', '-ltd', 'trade', random.int(2, 99).toString()])}.${random.pick(RESERVED_ENDS)}`
    case 'robbed':
      return `${random.pick([first, role, invented(random)])}@${slug(random.pick(COMPANIES))}-${random.pick(['clinic', 'school', 'travel', 'garden', 'tools'])}.${random.pick(RESERVED_ENDS)}`
    default:
      return `${random.pick([role, invented(random), `${first}${random.int(1, 999)}`])}@${cheapHost(random)}`
  }
}

/** The address the reader would expect, as words; the target is another. */
function shownFor(brand: string, random: Random): string {
  const name = slug(brand) || 'service'
  return random.pick([
    `https://www.${name}.com/`,
    `www.${name}.com`,
    `https://account.${name}.com/login`,
    `${name}.com/secure`,
  ])
}

const TYPES: Record<string, string> = {
  html: 'text/html', htm: 'text/html', shtml: 'text/html', pdf: 'application/pdf', zip: 'application/zip', png: 'image/png', svg: 'image/svg+xml',
  doc: 'application/msword', docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} // prettier-ignore

function fileOf(filename: string, random: Random): { filename: string; contentType: string; sizeBytes: number } {
  const end = filename.split('.').at(-1)?.toLowerCase() ?? ''
  return { filename, contentType: TYPES[end] ?? 'application/octet-stream', sizeBytes: random.int(1200, 380_000) }
}
