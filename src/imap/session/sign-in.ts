/** LOGIN and AUTHENTICATE (RFC 9051 §6.2), over TLS only, with an app password. */
import { isUtf8 } from 'node:buffer'
import type { Caller } from '../../accounts/types.js'
import type { SignInCommand } from '../grammar/sign-in.js'
import { capabilities } from './capabilities.js'
import { ascii, type Completion, Refused } from './completion.js'
import type { ImapSession } from './session.js'

/** Wrong passwords of a session, after which it ends. */
const MAX_WRONG = 3
const wrong = new WeakMap<ImapSession, number>()

export async function authenticate(
  session: ImapSession,
  command: SignInCommand & { name: 'AUTHENTICATE' },
): Promise<Completion> {
  mustNotBeSignedIn(session)
  if (command.mechanism !== 'PLAIN')
    throw new Refused({ status: 'NO', code: 'CANNOT', text: 'this mechanism is not known here; there is PLAIN' })
  const response = command.initialResponse ?? (await ask(session))
  const [identity = '', user = '', password = '', ...more] =
    response && isUtf8(response) ? response.toString().split('\0') : []
  if (user === '' || password === '' || more.length > 0)
    throw new Refused({ status: 'BAD', text: 'PLAIN has a name and a password, each after a NUL, in base64' })
  if (identity !== '' && identity !== user)
    throw new Refused({ status: 'NO', code: 'AUTHORIZATIONFAILED', text: 'nobody acts for another name here' })
  return signIn(session, user, password)
}

export async function login(
  session: ImapSession,
  { user, password }: SignInCommand & { name: 'LOGIN' },
): Promise<Completion> {
  mustNotBeSignedIn(session)
  return signIn(session, user, password)
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

/** @returns the answer to an empty challenge; undefined if it is none */
async function ask(session: ImapSession): Promise<Buffer | undefined> {
  await session.wire.output.write([Buffer.from('+ \r\n')])
  const line = (await session.wire.readLine())?.toString('latin1')
  if (line === undefined || line === '*') throw new Refused({ status: 'BAD', text: 'AUTHENTICATE is cancelled' })
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(line)
    ? Buffer.from(line, 'base64')
    : undefined
}

async function signIn(session: ImapSession, user: string, password: string): Promise<Completion> {
  const { parts, wire } = session
  const found = await parts.signIn(user, password, 'imap:read', wire.address)
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
      throw new Refused({
        status: 'NO',
        code: 'AUTHENTICATIONFAILED',
        text: 'wrong name or app password; the name is the whole address of the mailbox',
      })
    }
  }
}

const accountOf = ({ account, mailboxId }: Caller): string => account?.id ?? mailboxId
