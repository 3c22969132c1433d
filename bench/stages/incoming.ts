/** The stages of a message that comes in. */
import { createAuthenticator } from '../../src/authentication/verify.js'
import type { AuthenticationResults, Authenticator } from '../../src/authentication/types.js'
import { createResolver } from '../../src/dns/resolver.js'
import { loadModel } from '../../src/guard/model/model.js'
import { createSpamScore, DEFAULT_LINES, spamModelOf } from '../../src/guard/verdict/spam.js'
import { systemClock as clock } from '../../src/lib/clock.js'
import type { Delivery } from '../../src/mailbox/delivery/deliver.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import type { ParsedMessage } from '../../src/mime/types.js'
import { createFileReader } from '../../src/mime/documents/reader.js'
import { createJudge, type JudgeInput, type Judgement } from '../../src/mx/judging/judge.js'
import { benchDns } from '../receiver.js'
import { openMailParts, PARSE_LIMITS, type MailParts } from '../support/mail-parts.js'
import { SENDER_DOMAIN } from '../support/messages.js'
import { type Mail, type MailFile, TO } from './sources.js'
import { each, mailAt, nothing, type StartStage } from './stage.js'

export const CLIENT = {
  name: `client.${SENDER_DOMAIN}`,
  confirmed: true,
  known: true,
  helo: 'match' as const,
  listed: [],
}
export const ENVELOPE = { ip: '127.10.0.1', helo: `client.${SENDER_DOMAIN}`, mailFrom: `bounce@${SENDER_DOMAIN}` }
const AT_ONCE = 50

export interface OpenAuthenticator {
  authenticator: Authenticator
  close(): Promise<void>
}

/** Over the product's resolver, which keeps the answers of the bench's zone. */
export async function openAuthenticator(record: string): Promise<OpenAuthenticator> {
  const dns = await benchDns(record)
  const resolver = createResolver({ servers: [dns.address], clock })
  return {
    authenticator: createAuthenticator({ resolver, authservId: 'mx.agents.test' }),
    async close() {
      resolver.close()
      await dns.close()
    },
  }
}

export const authentication: StartStage = async (file) => {
  const { authenticator, close } = await openAuthenticator(file.record)
  return {
    run: (from, to) =>
      each(from, to, AT_ONCE, async (n) => {
        const { results } = await authenticator.verify({ ...ENVELOPE, raw: mailAt(file, n).raw, fromCount: 1 })
        if (results.dmarc.result !== 'pass' || results.dkim.result !== 'pass' || results.spf.result !== 'pass')
          throw new Error(JSON.stringify(results))
      }),
    close,
  }
}

const reading =
  (rawOf: (mail: Mail) => Buffer): StartStage =>
  async (file) => ({
    run: (from, to) => each(from, to, 1, (n) => parseMessage(rawOf(mailAt(file, n)), PARSE_LIMITS)),
    close: nothing,
  })

export const readingPlain = reading(({ raw }) => raw)
export const readingAlternative = reading(({ alternative }) => alternative)

interface Judged {
  parsed: ParsedMessage
  auth: AuthenticationResults
}

/** Each message of the source, read and authenticated. */
async function judgedMail({ mails, record }: MailFile): Promise<Judged[]> {
  const { authenticator, close } = await openAuthenticator(record)
  const judged: Judged[] = []
  for (const { raw } of mails) {
    const parsed = await parseMessage(raw, PARSE_LIMITS)
    const { results: auth } = await authenticator.verify({ ...ENVELOPE, raw, fromCount: parsed.fromCount })
    judged.push({ parsed, auth })
  }
  await close()
  return judged
}

export const score: StartStage = async (file) => {
  const judged = await judgedMail(file)
  const spamScore = createSpamScore({ lines: DEFAULT_LINES, model: spamModelOf(loadModel()) })
  const client = { ...CLIENT, address: ENVELOPE.ip, helo: ENVELOPE.helo }
  return {
    run: (from, to) =>
      each(from, to, 1, async (n) => {
        const one = judged[n % judged.length]
        if (one) spamScore({ ...one, envelopeFrom: ENVELOPE.mailFrom, client, now: clock.now() })
      }),
    close: nothing,
  }
}

/** The whole judgement of one message, as it comes back from a judging thread. */
export async function judgementOf(raw: Buffer, record: string): Promise<Judgement> {
  const { authenticator, close } = await openAuthenticator(record)
  const spamScore = createSpamScore({ lines: DEFAULT_LINES, model: spamModelOf(loadModel()) })
  const files = createFileReader()
  const judge = createJudge({ authenticator, spamScore, parseLimits: PARSE_LIMITS, files, clock })
  const input: JudgeInput = { ...ENVELOPE, raw, client: CLIENT }
  const judgement = await judge(input)
  await close()
  return judgement
}

const deliveryOf = (mailboxId: string, raw: Buffer, { parsed, auth }: Judged, n: number): Delivery => ({
  mailboxId,
  raw,
  // A source has fewer messages than a run: each arrives under an id of its own.
  parsed: { ...parsed, messageId: `${n}@${SENDER_DOMAIN}` },
  auth,
  virus: 'unscanned',
  spam: { score: 0, verdict: 'ham', reasons: [] },
  labels: [],
  envelopeFrom: ENVELOPE.mailFrom,
  recipients: [TO],
})

async function storing(file: MailFile) {
  const judged = await judgedMail(file)
  const parts: MailParts = await openMailParts({ mailboxCount: 1 })
  const deliver = (from: number, to: number): Promise<void> =>
    each(from, to, AT_ONCE, async (n) => {
      const one = judged[n % judged.length]
      if (one) await parts.mailboxes.delivery.deliver(deliveryOf(parts.mailboxAt(0), mailAt(file, n).raw, one, n))
    })
  return { parts, deliver }
}

export const store: StartStage = async (file) => {
  const { parts, deliver } = await storing(file)
  return { run: deliver, close: parts.close }
}

export const index: StartStage = async (file) => {
  const { parts, deliver } = await storing(file)
  return {
    prepare: deliver,
    async run() {
      await parts.indexer.indexMailbox(parts.mailboxAt(0))
      await parts.indexer.mergeIndex(parts.mailboxAt(0))
    },
    close: parts.close,
  }
}
