/** Strict parsing of commands (RFC 5321 §4.1.1): a verb with its argument, or the reply that refuses it. */
import { isAscii, isUtf8 } from 'node:buffer'
import { parseMailParameters, parseRcptParameters, type Offer } from './parameters.js'
import { parsePath, type PathProblem } from './path.js'
import { refused, reply, type Refused, type Reply } from './replies.js'
import type { LineDefect } from './line-reader.js'
import type { Recipient, Transaction } from './session.js'

/** RFC 5321 §4.5.3.1.4 asks for 512 octets; SIZE, SMTPUTF8 and DSN parameters add to that (§4.1.1.11). */
export const MAX_COMMAND_BYTES = 2048

const VERBS = [
  'EHLO',
  'HELO',
  'MAIL',
  'RCPT',
  'DATA',
  'RSET',
  'NOOP',
  'QUIT',
  'STARTTLS',
  'VRFY',
  'HELP',
  'AUTH',
] as const
export type Verb = (typeof VERBS)[number]

export type Command = { kind: 'command'; verb: Verb; argument: string } | Refused

/** RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_BYTES = 64
/** Senders' local parts are often longer (VERP, SRS). */
const MAX_SENDER_LOCAL_BYTES = 255

const NOT_HTTP = reply(421, '4.7.0', 'this is SMTP and not HTTP')
const BARE_LF = reply(500, '5.5.2', 'bare LF; lines end with CR LF')
const LINE_TOO_LONG = reply(500, '5.5.2', `command line is longer than ${MAX_COMMAND_BYTES} octets`)
const CONTROL_CHARACTER = reply(500, '5.5.2', 'command has a control character; lines end with CR LF')
const NOT_ASCII = reply(500, '5.5.2', 'only the addresses of MAIL and RCPT may go beyond ASCII, in UTF-8')
const UNKNOWN = reply(500, '5.5.1', 'command not recognized; HELP lists those there are')
const NO_HELO = reply(503, '5.5.1', 'Error: send HELO/EHLO first')
const NO_ARGUMENT = reply(501, '5.5.4', 'this command takes no argument')
const STARTTLS_SYNTAX = reply(501, '5.5.4', 'Error: syntax: STARTTLS')
const VRFY_SYNTAX = reply(501, '5.5.4', 'syntax: VRFY address')
const MAIL_SYNTAX = reply(501, '5.5.4', 'syntax: MAIL FROM:<address> and parameters')
const RCPT_SYNTAX = reply(501, '5.5.4', 'syntax: RCPT TO:<address> and parameters')
const NEEDS_SMTPUTF8 = reply(553, '5.6.7', 'an address beyond ASCII needs the SMTPUTF8 parameter of MAIL')

/** RFC 5321 §4.1.4. */
const NEEDS_HELO: ReadonlySet<Verb> = new Set<Verb>(['MAIL', 'RCPT', 'DATA'])
/** RFC 5321 §4.1.1 and extensions: known, but not offered. */
const NOT_OFFERED = new Set('EXPN STARTTLS BDAT BURL AUTH ETRN ATRN TURN SEND SOML SAML LHLO'.split(' '))
const HTTP_REQUEST = /^[A-Z]+ \S* ?HTTP\/\d/i
/** A domain or address literal (RFC 5321 §4.1.1.1), and common deviations: underscores, addresses without brackets. */
const HOST = /^(?=[^ ]{1,255} *$)(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9._])?|\[[a-z0-9._:-]+\]|[0-9a-f.:]+) *$/i

/** Commands that are not always there. */
export interface Offered {
  startTls: boolean
  auth: boolean
}

/** @param state `startTls`, `auth`: these are available; `greeted`: HELO or EHLO was said */
export function readCommand(
  line: Buffer,
  defect: LineDefect | undefined,
  { greeted, ...offered }: Offered & { greeted: boolean },
): Command {
  const text = line.toString('latin1')
  if (HTTP_REQUEST.test(text)) return refused(NOT_HTTP)
  if (defect) return refused(defect === 'bare LF' ? BARE_LF : LINE_TOO_LONG)
  if (/[\x00-\x1f\x7f]/.test(text)) return refused(CONTROL_CHARACTER)
  const space = text.indexOf(' ')
  const word = (space === -1 ? text : text.slice(0, space)).toUpperCase()
  const isPlain = isAscii(line)
  if (!isPlain && !((word === 'MAIL' || word === 'RCPT') && isUtf8(line))) return refused(NOT_ASCII)
  const verb = verbs(offered).find((known) => known === word)
  if (!verb) return refused(NOT_OFFERED.has(word) ? reply(502, '5.5.1', `${word} is not offered here`) : UNKNOWN)
  const argument = space === -1 ? '' : (isPlain ? text : line.toString()).slice(space + 1)
  if (!greeted && NEEDS_HELO.has(verb)) return refused(NO_HELO)
  const problem = problemWith(verb, argument)
  return problem ? refused(problem) : { kind: 'command', verb, argument }
}

export function verbs({ startTls, auth }: Offered): readonly Verb[] {
  return startTls ? (auth ? VERBS : WITHOUT_AUTH) : WITHOUT_STARTTLS
}

const WITHOUT_AUTH = VERBS.filter((verb) => verb !== 'AUTH')
const WITHOUT_STARTTLS = WITHOUT_AUTH.filter((verb) => verb !== 'STARTTLS')

function problemWith(verb: Verb, argument: string): Reply | undefined {
  const isBare = argument.trim() === ''
  switch (verb) {
    case 'EHLO':
    case 'HELO':
      // RFC 2034 §3: no enhanced code here.
      return HOST.test(argument.trimStart()) ? undefined : reply(501, '', `syntax: ${verb} and the name of your host`)
    case 'DATA':
    case 'RSET':
    case 'QUIT':
      return isBare ? undefined : NO_ARGUMENT
    case 'STARTTLS':
      return isBare ? undefined : STARTTLS_SYNTAX
    case 'VRFY':
      return isBare ? VRFY_SYNTAX : undefined
    case 'AUTH':
    case 'MAIL':
    case 'RCPT':
    case 'NOOP':
    case 'HELP':
      return undefined
  }
}

/** @returns the transaction of MAIL; or the refusal, with the sender as far as parsed */
export function readMail(
  argument: string,
  offer: Offer | undefined,
): { kind: 'mail'; transaction: Transaction } | (Refused & { from?: string }) {
  if (!/^FROM:/i.test(argument)) return refused(MAIL_SYNTAX)
  const path = parsePath(argument.slice(5), { null: true, postmaster: false, maxLocalBytes: MAX_SENDER_LOCAL_BYTES })
  if (path.kind === 'bad') return refused(BAD_SENDER[path.problem])
  const parameters = parseMailParameters(path.rest, offer)
  if (parameters.kind === 'refused') return { ...parameters, from: path.address }
  if (!path.isAscii && !parameters.value.smtpUtf8) return refused(NEEDS_SMTPUTF8)
  return { kind: 'mail', transaction: { ...parameters.value, from: path.address, recipients: [] } }
}

export function readRcpt(
  argument: string,
  offer: Offer | undefined,
  { smtpUtf8 }: Pick<Transaction, 'smtpUtf8'>,
): { kind: 'recipient'; recipient: Recipient } | Refused {
  if (!/^TO:/i.test(argument)) return refused(RCPT_SYNTAX)
  const path = parsePath(argument.slice(3), { null: false, postmaster: true, maxLocalBytes: MAX_LOCAL_BYTES })
  if (path.kind === 'bad') return refused(BAD_RECIPIENT[path.problem])
  const parameters = parseRcptParameters(path.rest, offer)
  if (parameters.kind === 'refused') return parameters
  if (!path.isAscii && !smtpUtf8) return refused(NEEDS_SMTPUTF8)
  return { kind: 'recipient', recipient: { ...parameters.value, address: path.address } }
}

/** Replies to addresses that cannot be used, with their enhanced codes (RFC 3463 §3.2). */
function badAddresses(who: string, address: string, domain: string): Record<Exclude<PathProblem, 'syntax'>, Reply> {
  return {
    'local part': reply(501, address, `the ${who} address has no valid local part`),
    'no domain': reply(501, address, `the ${who} address needs a domain`),
    domain: reply(501, domain, `the ${who} address has no valid domain`),
    'too long': reply(501, address, `the ${who} address is too long`),
  }
}

const BAD_SENDER: Record<PathProblem, Reply> = { syntax: MAIL_SYNTAX, ...badAddresses('sender', '5.1.7', '5.1.8') }
const BAD_RECIPIENT: Record<PathProblem, Reply> = {
  syntax: RCPT_SYNTAX,
  ...badAddresses('recipient', '5.1.3', '5.1.2'),
}
