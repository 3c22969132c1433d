/** From the octets of a command to what it says. The only error is BadCommand, which has the response. */
import { shown } from '../wire/refusal.js'
import { Scanner } from '../wire/scanner.js'
import type { Segment } from '../wire/segments.js'
import { readAppend, readAppendUpToLiteral, type AppendLiteral } from './append.js'
import { BARE_NAMES, type Command, type UntaggedCommand } from './command.js'
import { MAX_RANGES } from './limits.js'
import { readList, readLsub } from './list.js'
import { readCreate, readGetQuota, readNamed, readRename, readStatus } from './mailboxes.js'
import { readCopy, readExpunge, readFetch, readStore } from './messages.js'
import { readNotify } from './notify.js'
import { readSearch, readSort, readThread } from './search.js'
import { readSelect } from './select.js'
import { readAuthenticate, readCompress, readEnable, readId, readLogin } from './sign-in.js'

export interface ParseOptions {
  /** After ENABLE of IMAP4rev2 or UTF8=ACCEPT. */
  utf8: boolean
}

/** Commands that have a form with UID. */
const MESSAGE_COMMANDS = new Map<string, (scanner: Scanner, uid: boolean) => UntaggedCommand>([
  ['COPY', readCopy('COPY')],
  ['EXPUNGE', readExpunge],
  ['FETCH', readFetch],
  ['MOVE', readCopy('MOVE')],
  ['SEARCH', readSearch],
  ['SORT', readSort],
  ['STORE', readStore],
  ['THREAD', readThread],
])

const COMMANDS = new Map<string, (scanner: Scanner) => UntaggedCommand>([
  ...BARE_NAMES.map((name) => [name, () => ({ name })] as const),
  ...[...MESSAGE_COMMANDS].map(([name, read]) => [name, (scanner: Scanner) => read(scanner, false)] as const),
  ['APPEND', readAppend],
  ['AUTHENTICATE', readAuthenticate],
  ['COMPRESS', readCompress],
  ['CREATE', readCreate],
  ['DELETE', readNamed('DELETE')],
  ['ENABLE', readEnable],
  ['EXAMINE', readSelect('EXAMINE')],
  ['GETQUOTA', readGetQuota],
  ['GETQUOTAROOT', readNamed('GETQUOTAROOT')],
  ['ID', readId],
  ['LIST', readList],
  ['LOGIN', readLogin],
  ['LSUB', readLsub],
  ['NOTIFY', readNotify],
  ['RENAME', readRename],
  ['SELECT', readSelect('SELECT')],
  ['STATUS', readStatus],
  ['SUBSCRIBE', readNamed('SUBSCRIBE')],
  ['UID', readUid],
  ['UNSUBSCRIBE', readNamed('UNSUBSCRIBE')],
])

/**
 * @param segments of the event `command` of a CommandReader
 * @throws BadCommand
 */
export function parseCommand(segments: readonly Segment[], { utf8 }: ParseOptions): Command {
  const scanner = new Scanner(segments, { utf8, maxRanges: MAX_RANGES })
  scanner.space()
  const name = scanner.word('a command')
  const read = COMMANDS.get(name) ?? scanner.reject(`unknown command ${shown(name)}`)
  const command = read(scanner)
  scanner.end()
  return { tag: scanner.tag, ...command }
}

/**
 * What a literal of APPEND is for.
 *
 * @param segments of the event `announced` of a CommandReader, when the command is APPEND
 * @throws BadCommand if what is before the literal is not valid
 */
export function parseAppendUpToLiteral(segments: readonly Segment[], { utf8 }: ParseOptions): AppendLiteral {
  const scanner = new Scanner(segments, { utf8, maxRanges: MAX_RANGES })
  scanner.expect(' APPEND')
  return readAppendUpToLiteral(scanner)
}

function readUid(scanner: Scanner): UntaggedCommand {
  scanner.space()
  const name = scanner.word('a command')
  const read = MESSAGE_COMMANDS.get(name) ?? scanner.reject(`unknown command ${shown(`UID ${name}`)}`)
  return read(scanner, true)
}
