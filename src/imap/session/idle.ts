/**
 * IDLE (RFC 2177, RFC 9051 §6.3.13): the client is told of changes until it says DONE; after NOTIFY, of those that it named (RFC 5465 §4). The command is completed by
 * that line, and until then nothing runs for it.
 */
import type { Command } from '../grammar/command.js'
import { type Completion, completionOf } from './completion.js'
import type { ImapSession } from './session.js'
import { Watching } from './watching.js'

const DONE: Completion = { status: 'OK', text: 'IDLE ended' }
const NOT_DONE: Completion = { status: 'BAD', text: 'IDLE ends with DONE' }

export async function idle(session: ImapSession, command: Pick<Command, 'tag' | 'name'>): Promise<void> {
  session.mustUser()
  const { wire } = session
  await wire.output.write([Buffer.from('+ idling\r\n')])
  // It ends once: by its line, or because the mailbox can no longer be read.
  let isOver = false
  const end = async (completion: Completion): Promise<void> => {
    if (isOver) return
    isOver = true
    session.idling?.end()
    session.idling = undefined
    await session.complete(command, completion)
  }
  const watching = new Watching(session, 'all', (error) => end(completionOf(error)))
  session.idling = watching
  wire.takeLine((line) => {
    watching.end()
    if (!line) return
    const isDone = line.toString('latin1').toUpperCase() === 'DONE'
    wire.beside(session.inTurn(() => end(isDone ? DONE : NOT_DONE)))
  })
  await watching.tell()
}
