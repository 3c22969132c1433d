/** `restante import`: old mail from an mbox file or a Maildir. */
import { basename } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../../lib/thrown.js'
import { folderNamed } from '../../import/folder-names.js'
import { foldersOfMaildir } from '../../import/maildir.js'
import { readMbox } from '../../import/mbox.js'
import type { OldFolder, OldMessage, UnreadMessage } from '../../import/old-message.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'
import { createProgress } from '../../terminal/progress.js'

const folderSchema = z.object({ mailbox_id: z.string(), folder: z.string() })
const resultSchema = z.object({ result: z.enum(['imported', 'known', 'refused']), problem: z.string().nullable() })

/** Refused messages that are listed; the others are only counted. */
const MAX_LISTED = 1000

interface Counts {
  imported: number
  known: number
  refused: number
}

const importMail = defineCommand({
  usage: 'import ADDRESS',
  options: ['mbox', 'maildir', 'folder', 'json'],
  abouts: { folder: 'folder of the mailbox, of a Maildir for what is in no folder there (default: INBOX)' },
  summary: 'bring old mail into a mailbox',
  about:
    'From an mbox file, or a Maildir with all its folders. Flags and dates stay as they were, and folders are made where they are missing. It sends nothing, tells no agent, and asks the running daemon to store one message after another. Called again, it brings what is missing: the same message in the same folder is stored once, for 30 days. What is refused is listed, and the rest goes on.',
  examples: [
    'restante import ada@agents.example.com --maildir /home/ada/Maildir',
    'restante import ada@agents.example.com --mbox old.mbox --folder Work/2019',
  ],
  async run(invocation) {
    const { args, options, print } = invocation
    const [address = ''] = args
    const counts: Counts = { imported: 0, known: 0, refused: 0 }
    const progress = createProgress()
    try {
      for (const folder of await foldersFrom(invocation))
        await importFolder(invocation, address, folder, counts, progress.show)
    } catch (error) {
      progress.end()
      if (!(error instanceof CommandError) || !isBegun(counts)) throw error
      throw new CommandError(
        error.exitCode,
        `${error.message}\n${summaryOf(counts)}\nThe same command goes on where this one ended.`,
      )
    }
    progress.end()
    print(options.json ? json(counts) : summaryOf(counts))
    return counts.refused > 0 ? EXIT.failed : EXIT.ok
  },
})

async function foldersFrom({ options, usage }: Invocation): Promise<OldFolder[]> {
  const { mbox, maildir, folder = 'INBOX' } = options
  if ((mbox === undefined) === (maildir === undefined)) throw usage('Give --mbox or --maildir')
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
  counts: Counts,
  show: (text: string) => void,
): Promise<void> {
  const config = invocation.config()
  const folder = await askDaemon(config, 'POST', '/mailboxes/import', folderSchema, { address, folder: name })
  const refuse = ({ where, problem }: UnreadMessage): void => {
    counts.refused++
    if (counts.refused <= MAX_LISTED) invocation.note(`${where}: ${problem}`)
  }
  for await (const message of readable(messages())) {
    if ('problem' in message) refuse(message)
    else {
      const { result, problem } = await askDaemon(config, 'POST', '/mailboxes/import/message', resultSchema, {
        ...folder,
        ...bodyOf(message),
      })
      if (result === 'refused') refuse({ where: message.where, problem: problem ?? '' })
      else counts[result]++
    }
    show(`${basename(name)}: ${summaryOf(counts)}`)
  }
}

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
