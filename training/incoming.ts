/** The spam score of incoming mail on labelled messages, with nothing known of who sent them: no SPF, DKIM, DMARC, client or other filter. */
import MailComposer from 'nodemailer/lib/mail-composer'
import { createSpamScore, spamModelOf } from '../src/guard/verdict/spam.js'
import type { TextModel } from '../src/guard/model/model.js'
import { parseMessage } from '../src/mime/parse/parse.js'
import { isUnwanted, type Sample } from './sample.js'

/** Scores that an operator may think of as `scan.spam_score`. */
export const SPAM_SCORES = [3, 4, 5, 6, 7]

export interface IncomingShares {
  wanted: number
  unwanted: number
  /** Shares of them at each score or above it. */
  scores: { spamAt: number; wanted: number; unwanted: number }[]
}

const NOTHING_CHECKED = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
  arc: { result: 'none' },
} as const
const LIMITS = { maxParts: 100, maxDepth: 20, maxHeaderBytes: 64 * 1024 }
const SENT = new Date('2026-01-15T09:00:00Z')

export async function incomingShares(model: TextModel, samples: Sample[]): Promise<IncomingShares> {
  const scoreOf = createSpamScore({ lines: { spam: 5, reject: 15 }, model: spamModelOf(model) })
  const seen: { score: number; unwanted: boolean }[] = []
  for (const sample of samples) {
    const parsed = await parseMessage(await composed(sample), LIMITS)
    const { score } = scoreOf({ parsed, auth: NOTHING_CHECKED, parentText: '', now: SENT.getTime() })
    seen.push({ score, unwanted: isUnwanted(sample.label) })
  }
  const share = (unwanted: boolean, spamAt: number): number => {
    const own = seen.filter((one) => one.unwanted === unwanted)
    return own.filter(({ score }) => score >= spamAt).length / own.length
  }
  const wanted = seen.filter(({ unwanted }) => !unwanted).length
  return {
    wanted,
    unwanted: seen.length - wanted,
    scores: SPAM_SCORES.map((spamAt) => ({ spamAt, wanted: share(false, spamAt), unwanted: share(true, spamAt) })),
  }
}

/** Links whose text is not their target stand in HTML, since samples of the corpora have no other. */
async function composed({ subject, text, html, from, replyTo, links }: Sample): Promise<Buffer> {
  const named = links.filter((link) => link.text !== '' && link.text !== link.target)
  const anchors = named.map((link) => `<a href="${escaped(link.target)}">${escaped(link.text)}</a>`).join('\n')
  return new MailComposer({
    from: from ?? { name: '', address: 'somebody@a.example' },
    replyTo,
    to: 'reader@agents.example',
    subject,
    text,
    html: html ?? (anchors === '' ? '' : anchors),
    date: SENT,
    messageId: '<1@a.example>',
    newline: '\r\n',
  })
    .compile()
    .build()
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
