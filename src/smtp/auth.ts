/**
 * The AUTH command (RFC 4954): from a mechanism to a name and a password, or an access token. PLAIN (RFC 4616), LOGIN for old programs, which no RFC
 * describes, OAUTHBEARER and XOAUTH2. All are taken under TLS only (RFC 8314 §3.2).
 */
import { isUtf8 } from 'node:buffer'
import type { SentToken, TokenMechanism, TokenProblem, TokenSasl } from './oauth-bearer.js'
import { refused, reply, type Refused, type Reply } from './replies.js'
import type { LineDefect } from './line-reader.js'

const PASSWORD_MECHANISMS = ['PLAIN', 'LOGIN'] as const
type Mechanism = (typeof PASSWORD_MECHANISMS)[number] | TokenMechanism

export type Credentials = { name: string; password: string } | (SentToken & { mechanism: TokenMechanism })

/** In the order in which they are announced. */
export function mechanisms(tokens: TokenSasl | undefined): readonly Mechanism[] {
  return [...PASSWORD_MECHANISMS, ...(tokens?.mechanisms ?? [])]
}

/** A challenge is answered with a line; credentials are for the handler. */
export type AuthStep = { kind: 'challenge'; text: string } | { kind: 'credentials'; credentials: Credentials } | Refused

const ALREADY = reply(503, '5.5.1', 'you are signed in')
const WITHIN_MAIL = reply(503, '5.5.1', 'a transaction is open; AUTH comes before MAIL')
const NEEDS_EHLO = reply(503, '5.5.1', 'AUTH belongs to ESMTP: begin with EHLO')
const NEEDS_TLS = reply(538, '5.7.11', 'passwords are taken over TLS only: send STARTTLS first')
const CANCELLED = reply(501, '5.7.0', 'AUTH is cancelled')
const NOT_BASE64 = reply(501, '5.5.2', 'that is not base64')
const NOT_PLAIN = reply(501, '5.5.2', 'PLAIN has a name and a password, each after a NUL')
const NO_TOKEN = reply(501, '5.5.2', 'that is no name with a bearer token, in the form of the mechanism')
const ANOTHER_NAME = reply(535, '5.7.8', 'nobody acts for another name here; leave the authorization identity empty')

/** RFC 4648 §4, whole groups only. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const CHALLENGES = {
  name: Buffer.from('Username:').toString('base64'),
  password: Buffer.from('Password:').toString('base64'),
}

/** State of the session in which AUTH is said. */
interface Before {
  tls: object | undefined
  greetedWith: 'HELO' | 'EHLO' | undefined
  isAuthenticated: boolean
  transaction: object | undefined
}

/** The exchange of a session, one at a time. */
export class SignIn {
  #exchange: Exchange | undefined

  /** True while the client's lines are answers. */
  get isOpen(): boolean {
    return this.#exchange !== undefined
  }

  /** @param tokens where they are taken */
  constructor(private readonly tokens?: TokenSasl) {}

  /** @param argument of AUTH */
  begin(argument: string, session: Before): AuthStep {
    const begun = begin(argument, session, this.tokens)
    if (begun.kind === 'refused') return begun
    this.#exchange = begun.exchange
    return this.#after(begun.step)
  }

  /** @param line of the client; a malformed one is no answer */
  answer(line: Buffer, defect: LineDefect | undefined): AuthStep {
    return this.#after(this.#exchange && !defect ? this.#exchange.answer(line.toString('latin1')) : refused(NOT_BASE64))
  }

  /** The step after credentials were refused: of a token, the client is told why before the reply. */
  refuse(credentials: Credentials, refusal: Reply): AuthStep {
    const problem = problemOf(refusal)
    if (!this.tokens || !('token' in credentials) || problem === undefined) return refused(refusal)
    this.#exchange = { answer: () => refused(refusal) }
    return { kind: 'challenge', text: this.tokens.refusal(credentials.mechanism, problem) }
  }

  #after(step: AuthStep): AuthStep {
    if (step.kind !== 'challenge') this.#exchange = undefined
    return step
  }
}

function begin(
  argument: string,
  { tls, greetedWith, isAuthenticated, transaction }: Before,
  tokens: TokenSasl | undefined,
): { kind: 'begun'; exchange: Exchange; step: AuthStep } | Refused {
  if (greetedWith !== 'EHLO') return refused(NEEDS_EHLO)
  if (!tls) return refused(NEEDS_TLS)
  if (isAuthenticated) return refused(ALREADY)
  if (transaction) return refused(WITHIN_MAIL)
  const [word = '', initial, ...more] = argument.trim().split(/ +/)
  const known = mechanisms(tokens)
  const mechanism = known.find((each) => each === word.toUpperCase())
  if (!mechanism || more.length > 0)
    return refused(reply(504, '5.5.4', `mechanism not known here; there are ${known.join(', ')}`))
  const exchange = new MechanismExchange(mechanism, tokens)
  return { kind: 'begun', exchange, step: initial === undefined ? exchange.challenge() : exchange.answer(initial) }
}

/** RFC 6750 §3.1, for what a program can mend with another token. */
function problemOf({ code, reason }: Reply): TokenProblem | undefined {
  if (code === 535) return 'invalid_token'
  return code === 525 && reason === 'insufficient_scope' ? 'insufficient_scope' : undefined
}

interface Exchange {
  /** @param line of the client */
  answer(line: string): AuthStep
}

class MechanismExchange implements Exchange {
  /** Of LOGIN. */
  #name: string | undefined

  constructor(
    private readonly mechanism: Mechanism,
    private readonly tokens: TokenSasl | undefined,
  ) {}

  challenge(): AuthStep {
    if (this.mechanism !== 'LOGIN') return { kind: 'challenge', text: '' }
    return { kind: 'challenge', text: this.#name === undefined ? CHALLENGES.name : CHALLENGES.password }
  }

  /** @param line of the client; `=` is an empty initial response (RFC 4954 §4) */
  answer(line: string): AuthStep {
    if (line === '*') return refused(CANCELLED)
    const bytes = decode(line === '=' ? '' : line)
    if (!bytes) return refused(NOT_BASE64)
    if (this.mechanism !== 'PLAIN' && this.mechanism !== 'LOGIN') return this.#token(this.mechanism, bytes)
    if (!isUtf8(bytes)) return refused(NOT_BASE64)
    const decoded = bytes.toString()
    if (this.mechanism === 'PLAIN') return plain(decoded)
    if (this.#name !== undefined) return { kind: 'credentials', credentials: { name: this.#name, password: decoded } }
    this.#name = decoded
    return this.challenge()
  }

  #token(mechanism: TokenMechanism, bytes: Buffer): AuthStep {
    const sent = this.tokens?.read(mechanism, bytes)
    return sent ? { kind: 'credentials', credentials: { ...sent, mechanism } } : refused(NO_TOKEN)
  }
}

function decode(line: string): Buffer | undefined {
  return BASE64.test(line) ? Buffer.from(line, 'base64') : undefined
}

/** RFC 4616 §2: authorization identity, name and password, with a NUL between them. */
function plain(decoded: string): AuthStep {
  const [identity = '', name = '', password = '', ...more] = decoded.split('\0')
  if (name === '' || password === '' || more.length > 0) return refused(NOT_PLAIN)
  if (identity !== '' && identity !== name) return refused(ANOTHER_NAME)
  return { kind: 'credentials', credentials: { name, password } }
}
