/** `restante guard explain`: the guard's verdict on a message, with its reasons. */
import { createReadStream } from 'node:fs'
import { parseLimits } from '../../../config/derived.js'
import type { Explanation, Parts } from '../../../guard/verdict/guard.js'
import { MessageFormatError, type FileFacts } from '../../../mime/types.js'
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
    'Works without the daemon and stores nothing. Prints the verdict, the scores, each reason with its evidence, the words with the most weight\nand what was read, as displayed, and in PDFs and pictures. By guard.hold_score and guard.block_score, for a sender of the lowest trust level who writes to a known recipient.\n`-` reads standard input.\nWhat the running guard has learnt from reviews, and second opinions, are not included. See docs/guard.md.',
  examples: ['restante guard explain message.eml', 'swaks --dump-mail | restante guard explain -'],
  async run({ args, options, config, print }) {
    const [file = '-'] = args
    const settings = config()
    const { guard } = settings
    // Loaded here: other commands need neither model nor mail parser.
    const [
      { createGuard, filesOf },
      { loadModel },
      { subjectOfParsed },
      { parseMessage },
      { createFileReader, withFilesRead },
    ] = await Promise.all([
      import('../../../guard/verdict/guard.js'),
      import('../../../guard/model/model.js'),
      import('../../../guard/verdict/spam.js'),
      import('../../../mime/parse/parse.js'),
      import('../../../mime/documents/reader.js'),
    ])
    const raw = await bytesOf(file)
    const limits = parseLimits(settings)
    const written = await parseMessage(raw, limits).catch((error: unknown) => {
      if (!(error instanceof MessageFormatError)) throw error
      throw new CommandError(EXIT.failed, `${file} can't be read as a message: ${error.reason}.`)
    })
    const reader = createFileReader()
    const parsed = await withFilesRead(reader, { raw, parsed: written, limits }, { owner: '' })
    await reader.close()
    const subject = { ...subjectOfParsed(parsed), kind: 'outbound' as const }
    const explanation = createGuard({
      model: loadModel(),
      holdAt: guard.hold_score,
      blockAt: guard.block_score,
    }).explain(subject)
    const reading = readOf(subject, explanation.reading, filesOf(subject))
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

function asJson({ verdict, findings, unwanted, parts, telling, version }: Explanation) {
  return {
    ...verdict,
    unwanted: unwanted ?? null,
    parts: parts ?? null,
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

function described({ verdict, findings, unwanted, parts, telling, version }: Explanation): string {
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
      : `All together: ${(100 * unwanted).toFixed(1)} % unwanted (text model ${version ?? ''}).`,
    ...(parts ? [`In logarithms of the odds: ${summed(parts)}.`, '', 'The words with the most weight:'] : []),
    table(
      ['WEIGHT', 'WORDS'],
      telling.map(({ feature, weight }) => [`${weight > 0 ? '+' : ''}${weight.toFixed(2)}`, feature]),
    ),
  ].join('\n')
}

/** What makes up the number, in logarithms of the odds. */
function summed({ words, findings, expected, learnt, story }: Parts): string {
  const parts: [string, number][] = [
    ['words', words],
    ['findings', findings],
    ['how rare unwanted mail is', expected],
    ['reviews', learnt],
    ["the account's story", story],
  ]
  return parts
    .filter(([, odds]) => odds !== 0)
    .map(([name, odds]) => `${odds > 0 ? '+' : ''}${odds.toFixed(2)} ${name}`)
    .join(', ')
}

/** Characters printed of each text. */
const MAX_PRINTED = 2000

interface Read {
  title: string
  shown: string
  other_part: string
  hidden: string
  history: string
  /** Text, links and codes of attached files and pictures. */
  files: { text: string; links: string[]; codes: string[] }
  hidden_characters: number
  unread_characters: number
}

/** What the guard read, cut to `MAX_PRINTED`; control characters are escaped, which a terminal would interpret. */
function readOf(
  { displayed }: GuardSubject,
  { title, history, hidden, html, unread }: Reading,
  files: readonly FileFacts[],
): Read {
  const shown = displayed?.html?.shown ?? displayed?.text ?? ''
  return {
    title: printable(title),
    shown: printable(shown),
    other_part: displayed?.html ? printable(displayed.text) : '',
    hidden: printable(hidden),
    history: printable(history),
    files: {
      text: printable(files.flatMap(({ text }) => text ?? []).join('\n')),
      links: files.flatMap(({ links }) => links).map(printable),
      codes: files.flatMap(({ codes }) => codes ?? []).map(printable),
    },
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
    ['Text of files', read.files.text],
    ['Links in files', read.files.links.join('\n')],
    ['Codes in pictures', read.files.codes.join('\n')],
  ]
  const told = parts.filter(([, text]) => text !== '').map(([name, text]) => `${name}:\n${indented(text)}`)
  const unread = read.unread_characters > 0 ? [`Not read: ${read.unread_characters} characters.`] : []
  return ['What was read:', ...told, ...unread].join('\n')
}

const indented = (text: string): string => text.replace(/^/gm, '  ')
