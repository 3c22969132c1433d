/** `restante import`: old mail from an mbox file, a Maildir or another IMAP server. */
import { isIPv6 } from 'node:net'
import { basename } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../../lib/thrown.js'
import { folderNamed } from '../../import/folder-names.js'
import { foldersOfMaildir } from '../../import/maildir.js'
import { readMbox } from '../../import/mbox.js'
import {
  MAX_READ_BYTES,
  tooLarge,
  type OldFolder,
  type OldMessage,
  type UnreadMessage,
} from '../../import/old-message.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'
import { readPassword } from '../../terminal/password.js'
import { createProgress } from '../../terminal/progress.js'
import { stopOnSignal } from '../../terminal/stop-on-signal.js'

const folderSchema = z.object({ mailbox_id: z.string(), folder: z.string() })
const resultSchema = z.object({ result: z.enum(['imported', 'known', 'refused']), problem: z.string().nullable() })

/** Refused messages that are listed; the others are only counted. */
const MAX_LISTED = 1000

interface Counts {
  imported: number
  known: number
  refused: number
}

interface Running {
  counts: Counts
  show: (text: string) => void
  signal: AbortSignal
}

/** RFC 8314 §3.2. */
const IMAPS_PORT = 993
const STOPPED = 'Stopped.'

const importMail = defineCommand({
  usage: 'import ADDRESS',
  options: ['mbox', 'maildir', 'imap', 'user', 'password-file', 'folder', 'json'],
  abouts: { folder: 'folder of the mailbox, of a Maildir for what is in no folder there (default: INBOX)' },
  summary: 'bring old mail into a mailbox',
  about:
    'From an mbox file, or a Maildir or an IMAP server with all folders. Flags and dates stay as they were, and folders are made where they are missing. It sends nothing, tells no agent, and asks the running daemon to store one message after another. Called again, it brings what is missing: the same message in the same folder is stored once, for 30 days. What is refused is listed, and the rest goes on. Ctrl-C stops it after the running message. On the IMAP server nothing is changed, and mail that is marked there as deleted is left out.',
  examples: [
    'restante import ada@agents.example.com --maildir /home/ada/Maildir',
    'restante import ada@agents.example.com --mbox old.mbox --folder Work/2019',
    'restante import ada@agents.example.com --imap imap.example.org --user ada --password-file old-password',
  ],
  async run(invocation) {
    const { args, options, print, note } = invocation
    const [address = ''] = args
    const counts: Counts = { imported: 0, known: 0, refused: 0 }
    const progress = createProgress()
    const source = await sourceFrom(invocation)
    const stopping = stopOnSignal(note, 'the running message')
    try {
      for (const folder of source.folders)
        await importFolder(invocation, address, folder, { counts, show: progress.show, signal: stopping.signal })
    } catch (error) {
      progress.end()
      if (!(error instanceof CommandError) || !isBegun(counts)) throw error
      throw new CommandError(
        error.exitCode,
        `${error.message}\n${summaryOf(counts)}\nThe same command goes on where this one ended.`,
      )
    } finally {
      stopping.end()
      source.close()
    }
    progress.end()
    print(options.json ? json(counts) : summaryOf(counts))
    return counts.refused > 0 ? EXIT.failed : EXIT.ok
  },
})

interface Source {
  folders: OldFolder[]
  close(): void
}

async function sourceFrom(invocation: Invocation): Promise<Source> {
  const { imap, mbox, maildir } = invocation.options
  if ([imap, mbox, maildir].filter((one) => one !== undefined).length !== 1)
    throw invocation.usage('Give --mbox, --maildir or --imap')
  if (imap !== undefined) return imapSource(invocation, imap)
  return { folders: await foldersFrom(invocation), close: () => undefined }
}

async function imapSource(invocation: Invocation, server: string): Promise<Source> {
  const { options, usage, ask } = invocation
  const { user, 'password-file': file, folder } = options
  if (user === undefined) throw usage('--imap needs --user')
  if (folder !== undefined)
    throw usage('--folder is for --mbox and --maildir: the folders of an IMAP server keep their names')
  const { host, port } = placeOf(server) ?? {}
  if (host === undefined || port === undefined) throw usage(`"${server}" is no HOST or HOST:PORT`)
  const password = await readPassword(file, `Password of ${user} on ${host}: `, ask !== undefined)
  // Loaded when it is used.
  const { openImap } = await import('../../import/imap-account.js')
  try {
    return await openImap({ host, port, user, password, maxBytes: maxBytesOf(invocation) })
  } catch (error) {
    throw new CommandError(EXIT.failed, `${host}, port ${port}: ${messageOf(error)}`)
  }
}

/** A name or an address; an IPv6 address with a port is in brackets. */
function placeOf(server: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/]+))(?::(\d{1,5}))?$/i.exec(server) ?? []
  const host = bracketed ?? plain ?? (isIPv6(server) ? server : undefined)
  const port = digits === undefined ? IMAPS_PORT : Number(digits)
  return host === undefined || port < 1 || port > 65535 ? undefined : { host, port }
}

async function foldersFrom({ options }: Invocation): Promise<OldFolder[]> {
  const { mbox, maildir, folder = 'INBOX' } = options
  try {
    if (mbox !== undefined) return [{ name: folderNamed(folder), messages: () => readMbox(mbox) }]
    const folders = await foldersOfMaildir(maildir ?? '', folderNamed(folder))
    if (folders.length > 0) return folders
  } catch (error) {
    throw new CommandError(EXIT.failed, `The mail can't be read: ${messageOf(error)}`)
  }
  throw new CommandError(EXIT.failed, `${maildir} is no Maildir: neither it nor a folder in it has a folder "cur".`)
}

async function importFolder(
  invocation: Invocation,
  address: string,
  { name, messages }: OldFolder,
  { counts, show, signal }: Running,
): Promise<void> {
  if (signal.aborted) throw new CommandError(EXIT.failed, STOPPED)
  const config = invocation.config()
  const maxBytes = maxBytesOf(invocation)
  const folder = await askDaemon(config, 'POST', '/mailboxes/import', folderSchema, { address, folder: name })
  const refuse = ({ where, problem }: UnreadMessage): void => {
    counts.refused++
    if (counts.refused <= MAX_LISTED) invocation.note(`${where}: ${problem}`)
  }
  for await (const message of readable(messages())) {
    if ('problem' in message) refuse(message)
    else if (message.raw.length > maxBytes) refuse(tooLarge(message.where, maxBytes))
    else {
      const { result, problem } = await askDaemon(config, 'POST', '/mailboxes/import/message', resultSchema, {
        ...folder,
        ...bodyOf(message),
      })
      if (result === 'refused') refuse({ where: message.where, problem: problem ?? '' })
      else counts[result]++
    }
    show(`${basename(name)}: ${summaryOf(counts)}`)
    if (signal.aborted) throw new CommandError(EXIT.failed, STOPPED)
  }
}

/** The size limit of messages: that of the server, or of the reader if it is smaller. */
const maxBytesOf = ({ config }: Invocation): number => Math.min(MAX_READ_BYTES, config().smtp.max_message_bytes)

async function* readable<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* messages
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(EXIT.failed, `The mail can't be read: ${messageOf(error)}`)
  }
}

const bodyOf = ({ raw, flags, keywords, receivedAt }: OldMessage) => ({
  content: raw.toString('base64'),
  flags,
  keywords: keywords.slice(0, 30),
  received_at: receivedAt === undefined ? null : new Date(Math.max(0, receivedAt)).toISOString(),
})

const isBegun = ({ imported, known, refused }: Counts): boolean => imported + known + refused > 0

const summaryOf = ({ imported, known, refused }: Counts): string =>
  `${imported} imported, ${known} there already, ${refused} refused`

export const commands = [importMail]
