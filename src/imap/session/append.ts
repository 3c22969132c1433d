/** APPEND (RFC 9051 §6.3.12, RFC 3502): all its messages, or none. Several that a client sends without waiting share a commit. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppendCommand } from '../grammar/append.js'
import type { Command } from '../grammar/command.js'
import { formatSet } from '../wire/set-text.js'
import { catchUp } from './catch-up.js'
import { readFlagNames } from './flag-names.js'
import { type Completion, completionOf, Refused } from './completion.js'
import type { ImapSession } from './session.js'

export type Append = Extract<Command, { name: 'APPEND' }>

export async function append(session: ImapSession, command: AppendCommand): Promise<Completion> {
  return (await prepared(session, command))()
}

/**
 * Carries out several that came together, each by itself. While one is committed the next ones are read, and those that wait for it share the next commit. The
 * responses have the order of the commands; what changed is told once before those of a commit.
 */
export async function appendSeveral(session: ImapSession, commands: readonly Append[]): Promise<void> {
  const working: Working[] = []
  // One is read after the other, which keeps their order and what they take of the threads.
  for (const command of commands) {
    // What a client that is gone has no answer to yet, it sends again.
    if (session.wire.isClosed) break
    working.push(await begun(session, command))
  }
  while (working.length > 0) {
    await working[0]?.ended
    // The others of its commit end in the same turn.
    await nextTurn()
    const running = working.findIndex(({ completion }) => !completion)
    const done = working.splice(0, running === -1 ? working.length : running)
    await catchUp(session, 'all')
    for (const { command, completion } of done) if (completion) await session.complete(command, completion())
  }
}

interface Working {
  command: Append
  ended: Promise<void>
  /** Once it has ended. @throws what is no refusal */
  completion: (() => Completion) | undefined
}

async function begun(session: ImapSession, command: Append): Promise<Working> {
  const working: Working = { command, ended: Promise.resolve(), completion: undefined }
  const failed = (error: unknown): void => void (working.completion = () => completionOf(error))
  try {
    const store = await prepared(session, command)
    working.ended = store().then((completion) => void (working.completion = () => completion), failed)
  } catch (error) {
    failed(error)
  }
  return working
}

/** All that is done before the commit, which the result makes. */
async function prepared(
  session: ImapSession,
  { mailbox, messages }: AppendCommand,
): Promise<() => Promise<Completion>> {
  const { mailboxId } = session.mustWrite()
  const { folders, importing } = session.parts
  const folder = await folders.findKey(mailboxId, mailbox)
  if (!folder) throw new Refused({ status: 'NO', code: 'TRYCREATE', text: 'there is no such mailbox' })
  const given = messages.map(({ flags, internalDateMs, literal }) => {
    if (!literal.octets) throw new Error('a literal of APPEND was not kept')
    return {
      raw: literal.octets,
      ...readFlagNames(flags),
      ...(internalDateMs !== undefined && { internalDateMs }),
    }
  })
  const store = await importing.prepareAll(mailboxId, folder, given, { owner: mailboxId, charge: session.charge })
  return async () => {
    const appended = await store()
    const [first] = appended
    if (!first) return { status: 'OK' }
    const uids = appended.map(({ uid }) => uid)
    if (session.selected?.key === folder) session.madeItself(session.selected.number, uids)
    return { status: 'OK', code: `APPENDUID ${first.validity} ${formatSet(uids)}` }
  }
}
