/** ESMTP parameters of MAIL and RCPT (RFC 5321 §4.1.1.11): offered ones are parsed strictly, others refused. */
import { SECOND } from '../lib/clock.js'
import { mechanisms } from './auth.js'
import type { TokenSasl } from './oauth-bearer.js'
import { asciiUtf8Address, type Notify, type Ret } from '../mime/dsn-request.js'
import { refused, reply, type Refused } from './replies.js'

/** Extensions offered to EHLO; undefined after HELO. */
export interface Offer {
  maxMessageBytes: number
  dsn: boolean
  /** True under TLS, which REQUIRETLS needs (RFC 8689 §4.2.1). */
  secure: boolean
  startTls: boolean
  /** True to take AUTH, under TLS (RFC 4954). */
  auth?: boolean
  /** To take access tokens too. */
  tokens?: TokenSasl | undefined
  /** FUTURERELEASE (RFC 4865), from now to at most so much later. */
  hold?: { now: number; maxMs: number } | undefined
}

export function extensionsOf({ maxMessageBytes, dsn, secure, startTls, auth, tokens, hold }: Offer): string[] {
  const extensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES']
  if (dsn) extensions.push('DSN')
  if (secure) extensions.push('REQUIRETLS')
  else if (startTls) extensions.push('STARTTLS')
  if (auth && secure) extensions.push(`AUTH ${mechanisms(tokens).join(' ')}`)
  if (hold) extensions.push(`FUTURERELEASE ${hold.maxMs / SECOND} ${rfc3339(hold.now + hold.maxMs)}`)
  extensions.push(`SIZE ${maxMessageBytes}`)
  return extensions
}

export interface MailParameters {
  /** RFC 1870 §6.1. */
  size: number | undefined
  /** RFC 6152. */
  body: '7bit' | '8bitmime'
  /** RFC 6531. */
  smtpUtf8: boolean
  /** RFC 8689. */
  requireTls: boolean
  /** RFC 3461 §4.3 and §4.4, identifier decoded. */
  ret: Ret | undefined
  envid: string | undefined
  /** Not to be sent before, in milliseconds since the epoch (RFC 4865 §5). */
  holdUntil?: number
}

export interface RcptParameters {
  /** RFC 3461 §4.1. */
  notify: Notify[] | undefined
  /** RFC 3461 §4.2: `addr-type;address`, decoded. */
  orcpt: string | undefined
}

export type Parsed<T> = { kind: 'parameters'; value: T } | Refused

type Values = Map<string, string | undefined>

const KEYWORD = /^[a-z0-9][a-z0-9-]*$/i
const VALUE = /^[\x21-\x3c\x3e-\x7e\u{80}-\u{10ffff}]+$/u
/** RFC 3339 §5.6, in UTC or with an offset. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/i
const ADDR_TYPE = /^[a-z0-9-]{1,64}$/i
/** RFC 3461 §4: limits of DSN lines. */
const MAX_ENVID_LENGTH = 100
const MAX_ORCPT_LENGTH = 500
const NOTIFY_VALUES: readonly Notify[] = ['NEVER', 'SUCCESS', 'FAILURE', 'DELAY']

const wrong = (text: string): Refused => refused(reply(501, '5.5.4', text))
const notOffered = (text: string): Refused => refused(reply(555, '5.5.4', text))

/** @param text after the reverse-path */
export function parseMailParameters(text: string, offer: Offer | undefined): Parsed<MailParameters> {
  const read = readParameters(text, offer)
  if (read.kind === 'refused') return read
  const value: MailParameters = {
    size: undefined,
    body: '7bit',
    smtpUtf8: false,
    requireTls: false,
    ret: undefined,
    envid: undefined,
  }
  for (const [keyword, given] of read.value) {
    const problem = offer ? readMailParameter(value, keyword, given, offer) : undefined
    if (problem) return problem
  }
  return { kind: 'parameters', value }
}

/** @param text after the forward-path */
export function parseRcptParameters(text: string, offer: Offer | undefined): Parsed<RcptParameters> {
  const read = readParameters(text, offer)
  if (read.kind === 'refused') return read
  const value: RcptParameters = { notify: undefined, orcpt: undefined }
  for (const [keyword, given] of read.value) {
    if (!offer?.dsn || (keyword !== 'NOTIFY' && keyword !== 'ORCPT')) return unknownParameter(keyword)
    if (keyword === 'NOTIFY') {
      value.notify = readNotify(given)
      if (!value.notify) return wrong('NOTIFY is NEVER, or one or more of SUCCESS, FAILURE and DELAY')
    } else {
      value.orcpt = readOrcpt(given)
      if (value.orcpt === undefined) return wrong('ORCPT is an address type, a semicolon and an address in xtext')
    }
  }
  return { kind: 'parameters', value }
}

function readParameters(text: string, offer: Offer | undefined): Parsed<Values> {
  const values: Values = new Map()
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const at = word.indexOf('=')
    const keyword = (at === -1 ? word : word.slice(0, at)).toUpperCase()
    const value = at === -1 ? undefined : word.slice(at + 1)
    if (!KEYWORD.test(keyword) || (value !== undefined && !VALUE.test(value))) {
      return wrong('a parameter is written KEYWORD or KEYWORD=value')
    }
    if (!offer) return notOffered('parameters belong to ESMTP: begin with EHLO')
    if (values.has(keyword)) return wrong(`${keyword.slice(0, 40)} is given twice`)
    values.set(keyword, value)
  }
  return { kind: 'parameters', value: values }
}

function unknownParameter(keyword: string): Refused {
  return notOffered(`${keyword.slice(0, 40)} is not offered here; leave it out`)
}

function readMailParameter(
  into: MailParameters,
  keyword: string,
  given: string | undefined,
  offer: Offer,
): Refused | undefined {
  const upper = given?.toUpperCase()
  switch (keyword) {
    case 'SIZE':
      if (given === undefined || !/^\d{1,20}$/.test(given)) return wrong('SIZE is a number of octets')
      into.size = Number(given)
      if (into.size <= offer.maxMessageBytes) return undefined
      return refused(reply(552, '5.3.4', `message size exceeds the limit of ${offer.maxMessageBytes} octets`))
    case 'BODY':
      if (upper !== '7BIT' && upper !== '8BITMIME') return wrong('BODY is 7BIT or 8BITMIME')
      into.body = upper === '7BIT' ? '7bit' : '8bitmime'
      return undefined
    case 'SMTPUTF8':
      if (given !== undefined) return wrong('SMTPUTF8 takes no value')
      into.smtpUtf8 = true
      return undefined
    case 'REQUIRETLS':
      if (!offer.secure && !offer.startTls) return unknownParameter(keyword)
      if (!offer.secure) return refused(reply(530, '5.7.10', 'REQUIRETLS needs TLS: send STARTTLS first'))
      if (given !== undefined) return wrong('REQUIRETLS takes no value')
      into.requireTls = true
      return undefined
    case 'RET':
      if (!offer.dsn) return unknownParameter(keyword)
      if (upper !== 'FULL' && upper !== 'HDRS') return wrong('RET is FULL or HDRS')
      into.ret = upper
      return undefined
    case 'ENVID':
      if (!offer.dsn) return unknownParameter(keyword)
      into.envid = given === undefined || given.length > MAX_ENVID_LENGTH ? undefined : decodeXtext(given)
      return into.envid === undefined ? wrong('ENVID is xtext of at most 100 characters') : undefined
    case 'AUTH':
      // RFC 4954 §5: nobody is believed on who wrote a message.
      return offer.auth ? undefined : unknownParameter(keyword)
    case 'HOLDFOR':
    case 'HOLDUNTIL':
      return offer.hold ? readHold(into, keyword, given, offer.hold) : unknownParameter(keyword)
    default:
      return unknownParameter(keyword)
  }
}

/** RFC 4865 §5: one of them at most, within the announced time. */
function readHold(
  into: MailParameters,
  keyword: 'HOLDFOR' | 'HOLDUNTIL',
  given: string | undefined,
  { now, maxMs }: NonNullable<Offer['hold']>,
): Refused | undefined {
  if (into.holdUntil !== undefined) return wrong('HOLDFOR and HOLDUNTIL are not given together')
  const isFor = keyword === 'HOLDFOR'
  if (given === undefined || !(isFor ? /^\d{1,9}$/ : DATE_TIME).test(given))
    return wrong(isFor ? 'HOLDFOR is a number of seconds' : 'HOLDUNTIL is a time such as 2030-01-31T08:00:00Z')
  const until = isFor ? now + Number(given) * SECOND : Date.parse(given)
  if (Number.isNaN(until)) return wrong('HOLDUNTIL is a time such as 2030-01-31T08:00:00Z')
  if (until > now + maxMs) return wrong(`a message is held for ${maxMs / SECOND} seconds at most`)
  into.holdUntil = until
  return undefined
}

function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

function readNotify(given: string | undefined): Notify[] | undefined {
  const words = given?.toUpperCase().split(',') ?? []
  const values = words.map((word) => NOTIFY_VALUES.find((value) => value === word))
  const known = values.filter((value) => value !== undefined)
  const isWhole = known.length > 0 && known.length === words.length && new Set(known).size === known.length
  return isWhole && !(known.includes('NEVER') && known.length > 1) ? known : undefined
}

function readOrcpt(given: string | undefined): string | undefined {
  if (given === undefined || given.length > MAX_ORCPT_LENGTH) return undefined
  const at = given.indexOf(';')
  const type = given.slice(0, Math.max(at, 0))
  const written = given.slice(at + 1)
  // RFC 6533 §3: with SMTPUTF8 it may be written in UTF-8.
  const address = decodeXtext(type.toLowerCase() === 'utf-8' ? asciiUtf8Address(written) : written)
  return ADDR_TYPE.test(type) && address !== undefined && address !== '' && address.length <= MAX_ORCPT_LENGTH
    ? `${type.toLowerCase()};${address}`
    : undefined
}

/** RFC 3461 §4. It goes into DSN lines, so it must be printable ASCII (§4.4, §4.2). */
function decodeXtext(text: string): string | undefined {
  if (!/^(?:[!-*,-<>-~]|\+[0-9A-F]{2})+$/.test(text)) return undefined
  const decoded = text.replace(/\+([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return /^[\x20-\x7e]*$/.test(decoded) ? decoded : undefined
}
