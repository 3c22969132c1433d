/**
 * Judges a message from its bytes, envelope and DNS alone: content, authentication, spam score, index words. This is nearly all the work of a message,
 * independent of mailboxes and exposed to strangers, so it runs in front processes (mx/fronts/) or threads (judges.ts).
 */
import type { Authenticator, Verification } from '../../authentication/types.js'
import { quotesSomething } from '../../guard/reading/history.js'
import type { InboundMessage } from '../../guard/verdict/spam.js'
import type { SpamOpinion } from '../../guard/types.js'
import type { Clock } from '../../lib/clock.js'
import { wordsOfMessage } from '../../mailbox/mail-work/words.js'
import { contentOf } from '../../mailbox/message.js'
import { parseMessage } from '../../mime/parse/parse.js'
import { MessageFormatError, type ParsedMessage, type ParseLimits } from '../../mime/types.js'
import { withFilesRead, type FileReader } from '../../mime/documents/reader.js'
import type { ClientIdentity } from '../client.js'

export interface JudgeInput {
  raw: Buffer
  ip: string
  helo: string
  /** Reverse-path, '' for the null sender. */
  mailFrom: string
  client: ClientIdentity
}

/** Plain data, transferable between threads. */
export type Judgement =
  | {
      kind: 'judged'
      parsed: ParsedMessage
      verification: Verification
      /** As if no mailbox had the message that it quotes. */
      spam: SpamOpinion
      /** It is milder if a mailbox has it. */
      dependsOnParent?: boolean
      words: string | undefined
    }
  /** It exceeds a limit or has no readable structure; `problem` can go into a reply. */
  | { kind: 'malformed'; problem: string }

export type SpamScore = (message: InboundMessage) => SpamOpinion

/** @throws Error for internal faults, never for a message's content */
export type Judge = (input: JudgeInput) => Promise<Judgement>

export interface JudgeDeps {
  authenticator: Authenticator
  /** Without it every message is ham. */
  spamScore?: SpamScore | undefined
  parseLimits: ParseLimits
  files: Pick<FileReader, 'read'>
  clock: Clock
}

const HAM: SpamOpinion = { score: 0, verdict: 'ham', reasons: [] }

export function createJudge({ authenticator, spamScore, parseLimits, files, clock }: JudgeDeps): Judge {
  return async ({ raw, ip, helo, mailFrom, client }) => {
    const written = await parse(raw, parseLimits)
    if (written instanceof MessageFormatError) return { kind: 'malformed', problem: written.reason }
    const [verification, parsed] = await Promise.all([
      authenticator.verify({ raw, ip, helo, mailFrom, fromCount: written.fromCount }),
      // Clients take turns.
      withFilesRead(files, { raw, parsed: written, limits: parseLimits }, { owner: ip }),
    ])
    const message = {
      parsed,
      auth: verification.results,
      envelopeFrom: mailFrom,
      client: { ...client, address: ip, helo },
      now: clock.now(),
    }
    const spam = spamScore?.({ ...message, parentText: '' }) ?? HAM
    const dependsOnParent = spam.verdict !== 'ham' && isMilderAsReply(message, spam)
    const words = indexWords(parsed, spam, clock.now())
    return { kind: 'judged', parsed, verification, spam, ...(dependsOnParent && { dependsOnParent }), words }
  }

  /** Here nobody knows the mailboxes. What would stand in no parent is judged as if it did, to know whether they need to be asked. */
  function isMilderAsReply(message: InboundMessage, { verdict }: SpamOpinion): boolean {
    const { text, html, extractedText: own, inReplyTo, references } = message.parsed
    if (inReplyTo === null && references.length === 0) return false
    if (!quotesSomething({ text, html, own })) return false
    return spamScore?.({ ...message, parentText: text }).verdict !== verdict
  }
}

/** Here, since it is work on the text alone; few refused messages are stored all the same, and the index then reads them itself. */
function indexWords(parsed: ParsedMessage, { verdict }: SpamOpinion, now: number): string | undefined {
  if (verdict === 'reject') return undefined
  return wordsOfMessage({ direction: 'inbound' }, contentOf(parsed, now)).join('\n')
}

async function parse(raw: Buffer, limits: ParseLimits): Promise<ParsedMessage | MessageFormatError> {
  try {
    return await parseMessage(raw, limits)
  } catch (error) {
    if (error instanceof MessageFormatError) return error
    throw error
  }
}
