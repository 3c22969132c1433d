/** Labelled mail of public corpora, as far as it is there: words, links and addresses, without headers or authentication. */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { type InboundMessage, createSpamScore, DEFAULT_LINES } from '../../src/guard/verdict/spam.js'
import { readAddresses } from '../../src/mime/addresses.js'
import { htmlEscape, incoming, NO_AUTH } from './incoming.js'

export const FOLDER = '../shared/corpora'
export const LEGITIMATE_SOURCES = ['spamassassin', 'mailing-lists', 'enron2', 'enron3', 'enron4', 'enron5', 'enron6']
export const SOURCES = [...LEGITIMATE_SOURCES, 'nazario']

const lineSchema = z.object({
  label: z.enum(['legit', 'spam', 'phishing']),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  from: z.string().nullish(),
  reply_to: z.string().nullish(),
  links: z.array(z.tuple([z.string(), z.string()])).nullish(),
  list_id: z.boolean().nullish(),
})
type Line = z.infer<typeof lineSchema>

export interface Result {
  messages: number
  spam: number
  reject: number
}

/** How many messages of each kind come over the lines, when nothing is known of who sent them. */
export function measure(source: string): { legit: Result; unwanted: Result; slowestMs: number } {
  const score = createSpamScore({ lines: DEFAULT_LINES })
  const results = { legit: none(), unwanted: none(), slowestMs: 0 }
  for (const line of read(source)) {
    const message = toMessage(line)
    const startedAt = performance.now()
    const { verdict } = score(message)
    results.slowestMs = Math.max(results.slowestMs, performance.now() - startedAt)
    const result = line.label === 'legit' ? results.legit : results.unwanted
    result.messages++
    if (verdict !== 'ham') result.spam++
    if (verdict === 'reject') result.reject++
  }
  return results
}

const none = (): Result => ({ messages: 0, spam: 0, reject: 0 })

export function areThere(): boolean {
  return SOURCES.every((source) => existsSync(path(source)))
}

const path = (source: string): string => `${FOLDER}/${source}.jsonl.gz`

function* read(source: string): Generator<Line> {
  for (const line of gunzipSync(readFileSync(path(source)))
    .toString()
    .split('\n'))
    if (line !== '') yield lineSchema.parse(JSON.parse(line))
}

function toMessage(line: Line): InboundMessage {
  const anchors = (line.links ?? []).filter(([, text]) => text !== '')
  const parsed = incoming({
    subject: line.subject ?? '',
    text: line.text ?? '',
    foundLinks: [],
    // The words are in `text` already: only the links are told by the HTML.
    html:
      anchors.length === 0
        ? null
        : anchors.map(([to, as]) => `<a href="${htmlEscape(to)}">${htmlEscape(as)}</a>`).join('\n'),
  })
  const address = (text: string | null | undefined) => (text ? (readAddresses([text]).addresses[0] ?? null) : null)
  const replyTo = address(line.reply_to)
  return {
    parsed: {
      ...parsed,
      from: address(line.from) ?? parsed.from,
      replyTo: replyTo ? [replyTo] : [],
      automation: line.list_id === true ? 'list' : null,
    },
    auth: NO_AUTH,
    // As the receiver judges it: what it quotes is its author's own.
    parentText: '',
  }
}
