/** `restante guard explain`: the guard's verdict on a message, with its reasons. */
import { createReadStream } from 'node:fs'
import { parseLimits } from '../../../config/derived.js'
import type { Explanation } from '../../../guard/verdict/guard.js'
import { MessageFormatError } from '../../../mime/types.js'
import type { Reading } from '../../../guard/text/text.js'
import type { GuardSubject } from '../../../guard/types.js'
import { CommandError, defineCommand, EXIT } from '../../terminal/command.js'
import { json, table } from '../../terminal/output.js'

const MAX_BYTES = 64 * 1024 * 1024

export const guardExplain = defineCommand({
  usage: 'guard explain FILE',
  options: ['json'],
  summary: 'judge a message in a file as if an agent sent it, and say why',
  about:
    'Works without the daemon and stores nothing. Prints the verdict, the scores, each reason with its evidence, the words with the most weight\nand what was read, as displayed. By guard.hold_score and guard.block_score, for a sender of the lowest trust level who writes to a known recipient.\n`-` reads standard input.\nWhat the running guard has learnt from reviews, and second opinions, are not included. See docs/guard.md.',
  examples: ['restante guard explain message.eml', 'swaks --dump-mail | restante guard explain -'],
  async run({ args, options, config, print }) {
    const [file = '-'] = args
    const settings = config()
    const { guard } = settings
    // Loaded here: other commands need neither model nor mail parser.
    const [{ createGuard }, { loadModel }, { subjectOfParsed }, { parseMessage }] = await Promise.all([
      import('../../../guard/verdict/guard.js'),
      import('../../../guard/model/model.js'),
      import('../../../guard/verdict/spam.js'),
      import('../../../mime/parse/parse.js'),
    ])
    const raw = await bytesOf(file)
    const parsed = await parseMessage(raw, parseLimits(settings)).catch((error: unknown) => {
      if (!(error instanceof MessageFormatError)) throw error
      throw new CommandError(EXIT.failed, `${file} can't be read as a message: ${error.reason}.`)
    })
    const subject = { ...subjectOfParsed(parsed), kind: 'outbound' as const }
    const explanation = createGuard({
      model: loadModel(),
      holdAt: guard.hold_score,
      blockAt: guard.block_score,
    }).explain(subject)
    const reading = readOf(subject, explanation.reading)
    print(
      options.json
        ? json({ ...asJson(explanation), read: reading })
        : `${described(explanation)}\n\n${describedReading(reading)}`,
    )
  },
})

async function bytesOf(file: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of file === '-' ? process.stdin : createReadStream(file)) {
      const octets = Buffer.from(piece as Buffer)
      bytes += octets.length
      if (bytes > MAX_BYTES)
        throw new CommandError(EXIT.failed, `${file} is larger than ${MAX_BYTES} bytes; no message is.`)
      pieces.push(octets)
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(EXIT.failed, `${file} can't be read: ${error instanceof Error ? error.message : 'unknown'}.`)
  }
  return Buffer.concat(pieces)
}

function asJson({ verdict, findings, unwanted, telling, version }: Explanation) {
  return {
    ...verdict,
    unwanted: unwanted ?? null,
    findings: findings.map(({ code, category, class: of, weight, detail, excerpt }) => ({
      code,
      category,
      class: of ?? null,
      weight,
      detail,
      excerpt: excerpt ?? null,
    })),
    telling,
    model: version ?? null,
  }
}

function described({ verdict, findings, unwanted, telling, version }: Explanation): string {
  const scores = Object.entries(verdict.scores).map(([category, score]) => [category, score.toFixed(3)])
  const weights = new Map(findings.map(({ code, weight }) => [code, weight.toFixed(2)]))
  return [
    `${verdict.decision}: ${verdict.category}`,
    '',
    table(
      ['SCORE', 'OF'],
      scores.map(([category = '', score = '']) => [score, category]),
    ),
    '',
    table(
      ['REASON', 'WEIGHT', 'EVIDENCE'],
      verdict.reasons.map(({ code, detail, class: of }) => [
        code,
        weights.get(code) ?? '',
        of === undefined ? detail : `${detail} (${of})`,
      ]),
    ),
    '',
    unwanted === undefined
      ? 'It has no words that the text model could judge.'
      : `Words and findings together: ${(100 * unwanted).toFixed(1)} % unwanted (text model ${version ?? ''}). The words with the most weight, in logarithms of the odds:`,
    table(
      ['WEIGHT', 'WORDS'],
      telling.map(({ feature, weight }) => [`${weight > 0 ? '+' : ''}${weight.toFixed(2)}`, feature]),
    ),
  ].join('\n')
}

/** Characters printed of each text. */
const MAX_PRINTED = 2000

interface Read {
  title: string
  shown: string
  other_part: string
  hidden: string
  history: string
  hidden_characters: number
  unread_characters: number
}

/** What the guard read, cut to `MAX_PRINTED`; control characters are escaped, which a terminal would interpret. */
function readOf({ displayed }: GuardSubject, { title, history, hidden, html, unread }: Reading): Read {
  const shown = displayed?.html?.shown ?? displayed?.text ?? ''
  return {
    title: printable(title),
    shown: printable(shown),
    other_part: displayed?.html ? printable(displayed.text) : '',
    hidden: printable(hidden),
    history: printable(history),
    hidden_characters: html?.hiddenChars ?? 0,
    unread_characters: unread,
  }
}

function printable(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
  const cut = lines.length > MAX_PRINTED ? `${lines.slice(0, MAX_PRINTED)}…` : lines
  return cut.replace(/[^\P{C}\n]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
}

function describedReading(read: Read): string {
  const parts: [string, string][] = [
    ['Title', read.title],
    ['Shown', read.shown],
    ['Text part', read.other_part],
    [`Hidden (${read.hidden_characters} characters)`, read.hidden],
    ['Quoted from elsewhere', read.history],
  ]
  const told = parts.filter(([, text]) => text !== '').map(([name, text]) => `${name}:\n${indented(text)}`)
  const unread = read.unread_characters > 0 ? [`Not read: ${read.unread_characters} characters.`] : []
  return ['What was read:', ...told, ...unread].join('\n')
}

const indented = (text: string): string => text.replace(/^/gm, '  ')
