/** Carries out one command: which states it is for, what it does, and what the client is told afterwards. */
import type { Command } from '../grammar/command.js'
import { append } from './append.js'
import { capabilities, ENABLES } from './capabilities.js'
import { catchUp, type News } from './catch-up.js'
import { copy, expunge, store } from './changing.js'
import { fetch } from './fetch.js'
import { idle } from './idle.js'
import { create, list, lsub, namespace, quota, remove, rename, status, subscribe } from './mailboxes.js'
import { notify } from './notify.js'
import { search, sort, thread } from './searches.js'
import { close, select, unselect } from './select.js'
import { type Completion, completionOf, OK, Refused } from './completion.js'
import type { ImapSession } from './session.js'
import { authenticate, login } from './sign-in.js'

/** @returns false when the session ends with it */
export async function execute(session: ImapSession, command: Command): Promise<boolean> {
  const completion = await carriedOut(session, command)
  if (!completion) return true
  const news = newsAfter(command, session)
  if (news !== 'none') await catchUp(session, news)
  await session.complete(command, completion)
  if (command.name === 'STARTTLS' && completion.status === 'OK') session.wire.startTls()
  if (command.name === 'COMPRESS' && completion.status === 'OK') session.wire.compress()
  return command.name !== 'LOGOUT'
}

/** Changes that are reported before the tagged response of a command. */
function newsAfter(command: Command, { qresync }: ImapSession): News | 'none' {
  switch (command.name) {
    // RFC 9051 §7.5.1, RFC 5256 §3: sequence numbers must not change while a command uses them. Within the same commands by UID they may, but Thunderbird takes an EXPUNGE there
    // for nothing; a VANISHED it would have to ask for.
    case 'FETCH':
    case 'STORE':
    case 'SEARCH':
    case 'SORT':
    case 'THREAD':
      if (!command.uid) return 'none'
      return qresync ? 'all' : 'but gone'
    // What is copied to Trash or Junk is gone from here. Mutt copies there first and changes flags then: by an EXPUNGE in between it gives up on both.
    case 'COPY':
      return 'but gone'
    // They have told all, or the session ends.
    case 'SELECT':
    case 'EXAMINE':
    case 'LOGOUT':
      return 'none'
    default:
      return 'all'
  }
}

/** @returns undefined for IDLE, which is completed later */
async function carriedOut(session: ImapSession, command: Command): Promise<Completion | undefined> {
  try {
    return await run(session, command)
  } catch (error) {
    return completionOf(error)
  }
}

async function run(session: ImapSession, command: Command): Promise<Completion | undefined> {
  switch (command.name) {
    case 'CAPABILITY':
      await session.send(session.line().raw(`* CAPABILITY ${capabilities(session)}`))
      return OK
    case 'NOOP':
      return OK
    case 'CHECK':
      session.mustSelected()
      return OK
    case 'LOGOUT':
      await session.untagged('BYE', 'goodbye')
      return OK
    case 'ID':
      await session.send(session.line().raw('* ID ("name" "Restante")'))
      return OK
    case 'STARTTLS':
      if (session.wire.isTls) throw new Refused({ status: 'BAD', text: 'the connection has TLS' })
      if (!session.wire.canStartTls) throw new Refused({ status: 'NO', text: 'there is no certificate yet' })
      return { status: 'OK', text: 'begin TLS' }
    case 'COMPRESS':
      session.mustUser()
      if (session.wire.isCompressed)
        throw new Refused({ status: 'NO', code: 'COMPRESSIONACTIVE', text: 'it is compressed' })
      return { status: 'OK', text: 'begin DEFLATE' }
    case 'AUTHENTICATE':
      return authenticate(session, command)
    case 'LOGIN':
      return login(session, command)
    case 'ENABLE':
      return enable(session, command.capabilities)
    case 'NAMESPACE':
      return namespace(session)
    case 'LIST':
      return list(session, command)
    case 'LSUB':
      return lsub(session, command)
    case 'STATUS':
      return status(session, command)
    case 'CREATE':
      return create(session, command)
    case 'DELETE':
      return remove(session, command.mailbox)
    case 'RENAME':
      return rename(session, command)
    case 'SUBSCRIBE':
    case 'UNSUBSCRIBE':
      return subscribe(session, command.mailbox, command.name === 'SUBSCRIBE')
    case 'GETQUOTA':
      if (command.root !== '')
        throw new Refused({ status: 'NO', code: 'NONEXISTENT', text: 'there is no such quota root' })
      return quota(session)
    case 'GETQUOTAROOT':
      return quota(session, command.mailbox)
    case 'SELECT':
    case 'EXAMINE':
      return select(session, command)
    case 'CLOSE':
      return close(session)
    case 'UNSELECT':
      return unselect(session)
    case 'APPEND':
      return append(session, command)
    case 'FETCH':
      return fetch(session, command)
    case 'STORE':
      return store(session, command)
    case 'COPY':
    case 'MOVE':
      return copy(session, command)
    case 'EXPUNGE':
      return expunge(session, command)
    case 'SEARCH':
      return search(session, command)
    case 'SORT':
      return sort(session, command)
    case 'THREAD':
      return thread(session, command)
    case 'IDLE':
      await idle(session, command)
      return undefined
    case 'NOTIFY':
      return notify(session, command)
  }
}

/** RFC 5161 §3.1: what is not known is passed over. */
async function enable(session: ImapSession, names: readonly string[]): Promise<Completion> {
  session.mustUser()
  const known = ENABLES.filter((name) => names.includes(name))
  for (const name of known) session.enabled.add(name)
  if (known.includes('QRESYNC')) session.enabled.add('CONDSTORE')
  await session.send(
    session.line().raw(`* ENABLED${known.map((name) => ` ${name === 'IMAP4REV2' ? 'IMAP4rev2' : name}`).join('')}`),
  )
  return OK
}
