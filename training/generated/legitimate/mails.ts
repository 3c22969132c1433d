/**
 * Reads templates as they are written in this folder: `### id flags`, lines of headers, an empty line, the body.
 *
 * Flags: `html` (house style of a service), `client` (HTML of a mail client), `casual` (as typed on a telephone),
 * `bulk` (wanted bulk mail), `own` (no counting of clicks), `mixed` (with a plain part more often). Headers: `From`, `Reply-To`,
 * `Subject`, `Attach` (names, divided by `;`), `Org` (companies of this template), `To` (how many, `1` or `2-5`).
 * In the body a block that begins with `? ` may be missing, and adjoining ones that begin with `% ` come in any order.
 */
import type { Made, Random, Template } from '../template.js'
import { expand, type Slots } from './expand.js'
import { blocksOf, htmlOf, linksIn, plainOf } from './layout.js'
import { createSlots } from './slots.js'
import { clickCounter, clientStyle, houseStyle } from './styles.js'

const HEADER = /^(From|Reply-To|Subject|Attach|Org|To): (.*)$/

export function mails(text: string): Template[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((entry) => templateOf(entry))
}

function templateOf(entry: string): Template {
  const [head = '', ...lines] = entry.split('\n')
  const [id = '', ...flags] = head.trim().split(/\s+/)
  const language = id.split('/')[1] ?? ''
  const headers = new Map<string, string>()
  let line = 0
  for (; line < lines.length; line++) {
    const [, name = '', value = ''] = HEADER.exec(lines[line] ?? '') ?? []
    if (name === '') break
    headers.set(name, value)
  }
  const body = lines.slice(line).join('\n')
  return {
    id,
    language,
    label: flags.includes('bulk') ? 'bulk' : 'legitimate',
    make: (random) => make(new Set(flags), headers, body, random, createSlots(language, random, headers.get('Org'))),
  }
}

function make(flags: Set<string>, headers: Map<string, string>, body: string, random: Random, slots: Slots): Made {
  const say = (text: string): string => expand(text, random, slots)
  const address = (text: string): { address: string; name: string } => {
    const [, name = '', address = ''] = /^(.*?)\s*<(.+)>$/.exec(say(text)) ?? []
    if (address === '') throw new Error(`no address in ${text}`)
    return { name, address }
  }
  const from = address(headers.get('From') ?? '{meFull} <{meLocal}@{mailbox}>')
  const subject = say(headers.get('Subject') ?? '').trim()
  // A date may end with a full stop of its own.
  const words = say(shuffled(body, random))
    .trim()
    .replace(/(?<!\.)\.\.(?!\.)/g, '.')
  const blocks = blocksOf(flags.has('casual') && random.chance(0.5) ? careless(words, random) : words)
  const plain = plainOf(blocks, random)
  const replyTo = headers.get('Reply-To')
  const [least = 1, most = least] = (headers.get('To') ?? '1').split('-').map(Number)
  const common = {
    subject: flags.has('casual') && random.chance(0.3) ? subject.toLowerCase() : subject,
    from,
    ...(replyTo !== undefined && random.chance(0.7) ? { replyTo: [address(replyTo)] } : {}),
    recipientCount: random.int(least, most),
    attachments: attachmentsOf(say(headers.get('Attach') ?? ''), random),
  }
  const asHtml =
    random.chance(flags.has('bulk') ? 0.95 : flags.has('html') ? 0.75 : 0.4) &&
    (flags.has('html') || flags.has('client'))
  if (!asHtml) return { ...common, text: plain, links: linksIn(plain) }
  const host = slots('host')
  const counted = flags.has('html') && !flags.has('own') && random.chance(flags.has('bulk') ? 0.75 : 0.3)
  const preheader = plain
    .replace(/https?:\S+/g, '')
    .replace(/[<>&]/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 110)
  const style = flags.has('html')
    ? houseStyle(random, { company: slots('company'), host, preheader })
    : clientStyle(random)
  const { html, links } = htmlOf(blocks, style, counted ? clickCounter(random, host) : (target) => target)
  const both = flags.has('client') || flags.has('mixed') ? 0.9 : 0.6
  return { ...common, text: random.chance(both) ? plain : '', html, links }
}

/** Blocks that may be missing are left out or not, and those without an order get one. */
function shuffled(body: string, random: Random): string {
  const blocks: string[] = []
  const loose: string[] = []
  const settle = (): void => {
    while (loose.length > 0) blocks.push(...loose.splice(random.int(0, loose.length - 1), 1))
  }
  for (const block of body.split(/\n\s*\n/)) {
    const text = block.replace(/^\n+/, '')
    const [, marks = '', rest = ''] = /^((?:[?%] )*)(.*)$/s.exec(text) ?? []
    if (marks.includes('?') && random.chance(0.5)) continue
    if (marks.includes('%')) loose.push(rest)
    else {
      settle()
      blocks.push(rest)
    }
  }
  settle()
  return blocks.join('\n\n')
}

function careless(text: string, random: Random): string {
  const lower = random.chance(0.6) ? text.toLowerCase() : text
  return random.chance(0.5) ? lower.replace(/[.。]$/gm, '') : lower
}

const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  ics: 'text/calendar',
  png: 'image/png',
  jpg: 'image/jpeg',
  zip: 'application/zip',
  csv: 'text/csv',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

function attachmentsOf(names: string, random: Random): NonNullable<Made['attachments']> {
  return names
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((filename) => {
      const type = TYPES[filename.split('.').pop() ?? '']
      if (type === undefined) throw new Error(`no type for ${filename}`)
      return {
        filename,
        contentType: type,
        sizeBytes: random.int(type === 'text/calendar' ? 800 : 18_000, type === 'text/calendar' ? 4000 : 900_000),
      }
    })
}
