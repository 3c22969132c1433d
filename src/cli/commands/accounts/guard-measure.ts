/** `restante guard measure`: what the guard would do with an operator's own mail, folder by folder. Nothing of it is kept. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AuthenticationResults } from '../../../authentication/types.js'
import { parseLimits } from '../../../config/derived.js'
import { messageOf } from '../../../lib/thrown.js'
import { MessageFormatError, type ParsedMessage } from '../../../mime/types.js'
import { foldersOfEml } from '../../import/eml.js'
import { foldersOfMaildir } from '../../import/maildir.js'
import { readMbox } from '../../import/mbox.js'
import type { OldFolder } from '../../import/old-message.js'
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { json, table } from '../../terminal/output.js'
import { createProgress } from '../../terminal/progress.js'
import { stopOnSignal } from '../../terminal/stop-on-signal.js'

/** Risks for which the share of messages is told: lines that an operator may think of. */
const LINES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
const MOST_REASONS = 15
/** Incoming mail is judged without its network: no check has a result. */
const NOTHING_CHECKED: AuthenticationResults = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
  arc: { result: 'none' },
}

/** One message's outcome. */
interface Judged {
  outcome: string
  /** 0 to 1 of an outgoing one, points of an incoming one. */
  risk: number
  codes: string[]
}

interface Measured {
  folder: string
  messages: number
  outcomes: Record<string, number>
  /** How many messages are at this line or above it. */
  at_or_above: Record<string, number>
}

export const guardMeasure = defineCommand({
  usage: 'guard measure FOLDER',
  options: ['incoming', 'list', 'json'],
  abouts: { list: 'name each message that would not pass, with its reasons' },
  summary: 'measure the guard on mail of your own, without keeping any',
  about:
    "FOLDER is a Maildir, a folder of .eml files or an mbox file. Each message is judged as if an agent of the lowest trust level sent it to a known recipient, or with --incoming as if it came in, without SPF, DKIM, DMARC and the client's address. Prints for each folder how many would be sent, held and blocked (or be ham, spam and rejected), how many would be held at other values of guard.hold_score, and the most frequent reasons. Put honest mail and spam in folders of their own to see both sides. Works without the daemon; nothing is stored, and no content is printed. See docs/guard.md.",
  examples: ['restante guard measure /home/ada/Maildir', 'restante guard measure spam.mbox --incoming --list'],
  async run(invocation) {
    const { args, options, print, note } = invocation
    const [place = ''] = args
    const judge = await judgeOf(invocation)
    const folders = await foldersFrom(place)
    const progress = createProgress()
    const stopping = stopOnSignal(note, 'the running message')
    const reasons = new Map<string, number>()
    const unread: string[] = []
    const measured: Measured[] = []
    const listed: unknown[] = []
    let count = 0
    try {
      for (const folder of folders) {
        const counts: Measured = { folder: folder.name, messages: 0, outcomes: {}, at_or_above: {} }
        measured.push(counts)
        for await (const message of folder.messages()) {
          if (stopping.signal.aborted) throw new CommandError(EXIT.failed, 'Stopped.')
          progress.show(`${++count} messages`)
          const judged = 'problem' in message ? message.problem : await judge(message.raw)
          if (typeof judged === 'string') {
            unread.push(`${message.where}: ${judged}`)
            continue
          }
          add(counts, judged, options.incoming === true)
          for (const code of new Set(judged.codes))
            if (code !== 'no_risk_found') reasons.set(code, (reasons.get(code) ?? 0) + 1)
          const passes = judged.outcome === 'send' || judged.outcome === 'ham'
          if (passes || options.list !== true) continue
          if (options.json) listed.push({ file: message.where, ...judged })
          else print(`${judged.outcome}  ${judged.risk.toFixed(2)}  ${message.where}  ${judged.codes.join(', ')}`)
        }
      }
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw new CommandError(EXIT.failed, `${place} can't be read: ${messageOf(error)}`)
    } finally {
      progress.end()
      stopping.end()
    }
    if (count === 0) throw new CommandError(EXIT.failed, `${place} has no messages.`)
    for (const one of unread) note(one)
    const frequent = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, MOST_REASONS)
    if (options.json)
      print(json({ folders: measured, reasons: Object.fromEntries(frequent), unread: unread.length, listed }))
    else print(described(measured, frequent, unread.length, options.incoming === true))
    return EXIT.ok
  },
})

async function foldersFrom(place: string): Promise<OldFolder[]> {
  try {
    if (!(await stat(place)).isDirectory()) return [{ name: basename(place), messages: () => readMbox(place) }]
    const maildir = await foldersOfMaildir(place, 'INBOX')
    return maildir.length > 0 ? maildir : await foldersOfEml(place)
  } catch (error) {
    throw new CommandError(EXIT.failed, `${place} can't be read: ${messageOf(error)}`)
  }
}

/** @returns the outcome, or what is wrong with the message */
async function judgeOf({ options, config }: Invocation): Promise<(raw: Buffer) => Promise<Judged | string>> {
  const settings = config()
  const { guard, scan } = settings
  // Loaded here: other commands need neither model nor mail parser.
  const [
    { createGuard },
    { loadModel },
    { createSpamScore, spamModelOf, subjectOfParsed },
    { parseMessage },
    { createFileReader, withFilesRead },
  ] = await Promise.all([
    import('../../../guard/verdict/guard.js'),
    import('../../../guard/model/model.js'),
    import('../../../guard/verdict/spam.js'),
    import('../../../mime/parse/parse.js'),
    import('../../../mime/documents/reader.js'),
  ])
  const model = loadModel()
  const outgoing = createGuard({ model, holdAt: guard.hold_score, blockAt: guard.block_score })
  const incoming = createSpamScore({
    lines: { spam: scan.spam_score, reject: scan.reject_score },
    model: spamModelOf(model),
  })
  const verdictOf = (parsed: ParsedMessage): Judged => {
    if (options.incoming === true) {
      const { verdict, score, reasons } = incoming({ parsed, auth: NOTHING_CHECKED })
      return { outcome: verdict, risk: score, codes: reasons.map(({ code }) => code) }
    }
    const { verdict } = outgoing.explain({ ...subjectOfParsed(parsed), kind: 'outbound' })
    const risk = 1 - (verdict.scores.legitimate ?? 0)
    return { outcome: verdict.decision, risk, codes: verdict.reasons.map(({ code }) => code) }
  }
  const limits = parseLimits(settings)
  const reader = createFileReader()
  return async (raw) => {
    try {
      const parsed = await parseMessage(raw, limits)
      return verdictOf(await withFilesRead(reader, { raw, parsed, limits }, { owner: '' }))
    } catch (error) {
      if (!(error instanceof MessageFormatError)) throw error
      return `It can't be read as a message: ${error.reason}.`
    }
  }
}

function add(counts: Measured, { outcome, risk }: Judged, isIncoming: boolean): void {
  counts.messages++
  counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1
  if (isIncoming) return
  for (const line of LINES) counts.at_or_above[line] = (counts.at_or_above[line] ?? 0) + (risk >= line ? 1 : 0)
}

function described(
  measured: readonly Measured[],
  reasons: readonly (readonly [string, number])[],
  unread: number,
  isIncoming: boolean,
): string {
  const names = isIncoming ? ['ham', 'spam', 'reject'] : ['send', 'hold', 'block']
  const share = (part: number | undefined, { messages }: Measured): string =>
    messages === 0 ? '' : `${((100 * (part ?? 0)) / messages).toFixed(1)} %`
  const lines = [
    table(
      ['FOLDER', 'MESSAGES', ...names.map((name) => name.toUpperCase())],
      measured.map((one) => [one.folder, String(one.messages), ...names.map((name) => share(one.outcomes[name], one))]),
    ),
  ]
  if (!isIncoming)
    lines.push(
      '',
      'Share of messages at each risk or above it: what guard.hold_score would hold.',
      table(
        ['FOLDER', ...LINES.map(String)],
        measured.map((one) => [one.folder, ...LINES.map((line) => share(one.at_or_above[line], one))]),
      ),
    )
  if (reasons.length > 0)
    lines.push(
      '',
      table(
        ['MESSAGES', 'REASON'],
        reasons.map(([code, count]) => [String(count), code]),
      ),
    )
  if (unread > 0) lines.push('', `${unread} messages could not be read.`)
  return lines.join('\n')
}
