/**
 * The machine-readable parts of a report: delivery status (RFC 3464 §2, RFC 6533 §3), disposition (RFC 8098 §3.2) and feedback (RFC 5965 §3). All
 * three are blocks of header-like fields.
 */
import { toUSVString } from 'node:util'
import type { ReportedAction, ReportedRecipient } from '../types.js'

const MAX_LINES = 5000
const MAX_GROUPS = 500
const MAX_VALUE_CHARS = 2000
const MAX_DIAGNOSTIC_CHARS = 500
/** RFC 5321 §4.5.3.1: max length of a path. */
const MAX_ADDRESS_CHARS = 320
const MAX_NAME_CHARS = 255

export type FieldGroup = Map<string, string>

/** Blocks of fields, unfolded; a second recipient begins a new block even if the empty line before it is missing. */
export function readGroups(text: string): FieldGroup[] {
  const groups: FieldGroup[] = []
  let group: FieldGroup = new Map()
  let last = ''
  const close = (): void => {
    if (group.size > 0) groups.push(group)
    group = new Map()
    last = ''
  }
  for (const line of text.split('\n', MAX_LINES)) {
    if (groups.length >= MAX_GROUPS) break
    if (line.trim() === '') {
      close()
      continue
    }
    if (/^[ \t]/.test(line) && last !== '') {
      const folded = `${group.get(last) ?? ''} ${line.trim()}`
      if (folded.length <= MAX_VALUE_CHARS) group.set(last, folded)
      continue
    }
    const field = /^([!-9;-~]{1,76})[ \t]*:(.*)$/.exec(line)
    if (!field) continue
    const name = (field[1] ?? '').toLowerCase()
    if (group.has(name) && /^(?:original|final)-recipient$/.test(name)) close()
    const value = (field[2] ?? '').trim()
    const before = group.get(name)
    // RFC 5965 §3.2: one field per recipient.
    if (before !== undefined && name === 'original-rcpt-to')
      group.set(name, `${before}, ${value}`.slice(0, MAX_VALUE_CHARS))
    else if (before === undefined) group.set(name, value.slice(0, MAX_VALUE_CHARS))
    last = name
  }
  close()
  return groups
}

/** The recipients of a delivery status (RFC 3464 §2.3). */
export function readDeliveryRecipients(groups: FieldGroup[]): ReportedRecipient[] {
  const recipients = groups.flatMap((group): ReportedRecipient[] => {
    const original = typedAddress(group.get('original-recipient'))
    const final = typedAddress(group.get('final-recipient')) ?? typedAddress(group.get('x-actual-recipient'))
    const address = original ?? final
    if (address === undefined) return []
    const diagnostic = untyped(group.get('diagnostic-code'))
    const status = bestStatus(group.get('status') ?? '', diagnostic)
    const action = readAction(group.get('action') ?? '', status)
    return [
      {
        address,
        finalAddress: final !== undefined && final !== address ? final : null,
        action,
        permanent: action === 'failed' && isPermanent(status, diagnostic),
        status,
        diagnostic,
        remoteMta: typedName(group.get('remote-mta')),
      },
    ]
  })
  // One entry per recipient: programs write one for each server they tried, the outcome last.
  return [...new Map(recipients.map((recipient) => [recipient.address.toLowerCase(), recipient])).values()]
}

/** The reader's disposition of a message (RFC 8098 §3.2.6: `manual-action/MDN-sent-manually; displayed`). */
export function readDisposition(group: FieldGroup): ReportedRecipient[] {
  const original = typedAddress(group.get('original-recipient'))
  const final = typedAddress(group.get('final-recipient'))
  const address = original ?? final
  if (address === undefined) return []
  const disposition = group.get('disposition') ?? ''
  const type = /;\s*([a-z]+)/i.exec(disposition)?.[1]?.toLowerCase()
  const action: ReportedAction = type === 'deleted' ? 'deleted' : type === 'failed' ? 'failed' : 'displayed'
  return [
    {
      address,
      finalAddress: final !== undefined && final !== address ? final : null,
      action,
      permanent: false,
      status: null,
      diagnostic: oneLine(group.get('error') ?? group.get('failure') ?? ''),
      remoteMta: null,
    },
  ]
}

/** The complaining recipient, if named (RFC 5965 §3.2). */
export function complainant(address: string): ReportedRecipient {
  return {
    address,
    finalAddress: null,
    action: 'complained',
    permanent: true,
    status: null,
    diagnostic: '',
    remoteMta: null,
  }
}

/** `rfc822; user@host` (RFC 3464 §2.3.2), with what programs add around it; undefined for other text. */
export function typedAddress(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const plain = value.replace(/^\s*[\w./-]{1,40}\s*;/, '').trim()
  const bare = (/<([^<>]+)>/.exec(plain)?.[1] ?? plain.replace(/\s\(.*$|\s.*$/, ''))
    .trim()
    .replace(/^(["'])([^"']*)\1$/, '$2')
    .replace(/[',;.]$/, '')
  const decoded = bare.replace(/\\x\{([0-9a-f]{2,6})\}/gi, (whole, hex: string) => unicode(hex) ?? whole)
  const fits = decoded.length <= MAX_ADDRESS_CHARS && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(decoded)
  return fits ? decoded : undefined
}

/** RFC 6533 §3.1: an address encoded for ASCII-only transports. */
function unicode(hex: string): string | undefined {
  const point = Number.parseInt(hex, 16)
  return point >= 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
    ? String.fromCodePoint(point)
    : undefined
}

/** `dns; host.example` (RFC 3464 §2.2.2). */
export function typedName(value: string | undefined): string | null {
  const name = untyped(value).slice(0, MAX_NAME_CHARS)
  return name === '' ? null : name
}

function untyped(value = ''): string {
  return oneLine(value.replace(/^\s*[\w.-]{1,40}\s*;/, ''))
}

/** One line, without invisible characters, bounded. */
export function oneLine(text: string): string {
  const visible = text
    .slice(0, 4 * MAX_DIAGNOSTIC_CHARS)
    .replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
  return toUSVString(visible.slice(0, MAX_DIAGNOSTIC_CHARS))
}

/** An enhanced status code, not a version and not a piece of an IP address (RFC 3463 §2). */
const STATUS = /(?<![\w.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)/
/** A reply code before its text (RFC 5321 §4.2). */
const REPLY_CODE =
  /(?<![\w.@-])[45][0-5]\d(?=[\s:;,.)"'<#]|-[^\d]|$)(?!\s?(?:bytes|kb|mb|hours|days|characters|lines))/i

export function findStatus(text: string): string | null {
  return STATUS.exec(text)?.[0] ?? null
}

/** The given status, or a more precise one of the same class in the diagnostic. */
function bestStatus(told: string, diagnostic: string): string | null {
  const status = /(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(told)?.[0] ?? null
  const exact = findStatus(diagnostic)
  if (status === null) return exact
  const vague = /^\d\.0\.0$/.test(status)
  return vague && exact !== null && exact[0] === status[0] ? exact : status
}

function readAction(value: string, status: string | null): ReportedAction {
  const action = /^[a-z]+/.exec(value.trim().toLowerCase())?.[0]
  switch (action) {
    case 'delayed':
    case 'delivered':
    case 'relayed':
    case 'expanded':
      return action
    case undefined:
      return status?.startsWith('2') ? 'delivered' : 'failed'
    default:
      return 'failed'
  }
}

/** Phrases of servers that gave up without a response. */
const TEMPORARY =
  /temporar|try again later|again later|, try again|timed? ?out|too long|deferred|expired|could ?n[o']t (?:connect|establish|contact)|(?:unable|not able|wasn't able) to (?:connect|establish|contact)|not responding|unreachable|not reachable|connection refused|greylist|max(?:imum)? (?:delivery )?attempts|vorübergehend|temporär|temporaire|temporal|временно|一時的/i

/** True if a repeated attempt would fail again: by the status code, else by the reply code, else by the words. */
export function isPermanent(status: string | null, diagnostic: string): boolean {
  if (status !== null) return status.startsWith('5')
  const code = REPLY_CODE.exec(diagnostic)?.[0]
  if (code !== undefined) return code.startsWith('5')
  return !TEMPORARY.test(diagnostic)
}
