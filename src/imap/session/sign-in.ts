/** LOGIN and AUTHENTICATE (RFC 9051 §6.2), over TLS only, with an app password or an access token. */
import { isUtf8 } from 'node:buffer'
import type { ProgramCredentials } from '../../accounts/sign-in/programs.js'
import type { Caller } from '../../accounts/types.js'
import type { TokenMechanism, TokenProblem, TokenSasl } from '../../smtp/oauth-bearer.js'
import type { SignInCommand } from '../grammar/sign-in.js'
import { capabilities } from './capabilities.js'
import { ascii, type Completion, Refused } from './completion.js'
import type { ImapSession } from './session.js'

/** Wrong passwords and tokens of a session, after which it ends. */
const MAX_WRONG = 3
const wrong = new WeakMap<ImapSession, number>()
const WRONG_PASSWORD = 'wrong name or app password; the name is the whole address of the mailbox'
const WRONG_TOKEN = 'the access token is wrong or has expired, or is not for this mailbox'

type Authenticate = SignInCommand & { name: 'AUTHENTICATE' }

export async function authenticate(session: ImapSession, command: Authenticate): Promise<Completion> {
  mustNotBeSignedIn(session)
  const { tokens } = session.parts
  const ofToken = tokens?.mechanisms.find((each) => each === command.mechanism)
  if (tokens && ofToken) return authenticateByToken(session, command, ofToken, tokens)
  if (command.mechanism !== 'PLAIN') {
    const known = ['PLAIN', ...(tokens?.mechanisms ?? [])].join(', ')
    throw new Refused({ status: 'NO', code: 'CANNOT', text: `this mechanism is not known here; there is ${known}` })
  }
  const response = await responseOf(session, command)
  const [identity = '', user = '', password = '', ...more] =
    response && isUtf8(response) ? response.toString().split('\0') : []
  if (user === '' || password === '' || more.length > 0)
    throw new Refused({ status: 'BAD', text: 'PLAIN has a name and a password, each after a NUL, in base64' })
  if (identity !== '' && identity !== user)
    throw new Refused({ status: 'NO', code: 'AUTHORIZATIONFAILED', text: 'nobody acts for another name here' })
  return signIn(session, { address: user, password })
}

async function authenticateByToken(
  session: ImapSession,
  command: Authenticate,
  mechanism: TokenMechanism,
  tokens: TokenSasl,
): Promise<Completion> {
  const response = await responseOf(session, command)
  const sent = response && tokens.read(mechanism, response)
  if (!sent)
    throw new Refused({ status: 'BAD', text: `that is no name with a bearer token in the form of ${mechanism}` })
  // RFC 7628 §3.2.3: the client answers what it is told, whatever it says, and only then the command fails.
  return signIn(session, { address: sent.name, token: sent.token }, (problem) =>
    ask(session, tokens.refusal(mechanism, problem)),
  )
}

export async function login(
  session: ImapSession,
  { user, password }: SignInCommand & { name: 'LOGIN' },
): Promise<Completion> {
  mustNotBeSignedIn(session)
  return signIn(session, { address: user, password })
}

function mustNotBeSignedIn({ user, wire }: ImapSession): void {
  if (user) throw new Refused({ status: 'BAD', text: 'you are signed in' })
  if (!wire.isTls)
    throw new Refused({
      status: 'NO',
      code: 'PRIVACYREQUIRED',
      text: 'passwords are taken over TLS only: send STARTTLS first',
    })
}

/** @returns undefined if the answer to an empty challenge is none */
async function responseOf(session: ImapSession, { initialResponse }: Authenticate): Promise<Buffer | undefined> {
  return initialResponse ?? ask(session, '')
}

/** @returns undefined if the answer is none */
async function ask(session: ImapSession, challenge: string): Promise<Buffer | undefined> {
  await session.wire.output.write([Buffer.from(`+ ${challenge}\r\n`)])
  const line = (await session.wire.readLine())?.toString('latin1')
  if (line === undefined || line === '*') throw new Refused({ status: 'BAD', text: 'AUTHENTICATE is cancelled' })
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(line)
    ? Buffer.from(line, 'base64')
    : undefined
}

/** @param tell tells the client why its token is refused */
async function signIn(
  session: ImapSession,
  sent: ProgramCredentials,
  tell?: (problem: TokenProblem) => Promise<unknown>,
): Promise<Completion> {
  const { parts, wire } = session
  const found = await parts.signIn(sent, 'imap:read', wire.address)
  parts.onSignIn(found.outcome)
  switch (found.outcome) {
    case 'in': {
      if (!parts.accounts.enter(accountOf(found.caller)))
        throw new Refused({
          status: 'NO',
          code: 'LIMIT',
          text: 'the account has too many connections: close some of its programs',
        })
      session.signIn(found.caller, () => parts.accounts.leave(accountOf(found.caller)))
      return { status: 'OK', code: `CAPABILITY ${capabilities(session)}`, text: 'signed in' }
    }
    case 'barred':
      if (found.why.code === 'insufficient_scope') await tell?.('insufficient_scope')
      throw new Refused({
        status: 'NO',
        code: 'AUTHORIZATIONFAILED',
        text: ascii(`${found.why.message} ${found.why.hint}`),
      })
    case 'too_many':
      throw new Refused({
        status: 'NO',
        code: 'LIMIT',
        text: 'too many wrong passwords from your network: wait some minutes',
      })
    case 'wrong': {
      const times = (wrong.get(session) ?? 0) + 1
      wrong.set(session, times)
      if (times >= MAX_WRONG) wire.bye('too many wrong passwords')
      else await tell?.('invalid_token')
      throw new Refused({
        status: 'NO',
        code: 'AUTHENTICATIONFAILED',
        text: 'token' in sent ? WRONG_TOKEN : WRONG_PASSWORD,
      })
    }
  }
}

const accountOf = ({ account, mailboxId }: Caller): string => account?.id ?? mailboxId
