/** One request to a receiver: signed, to a checked address, within limits of time and size. Receiver failures are results, never exceptions. */
import { createHash } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { addressOf, Unreachable, type AddressRules } from '../dns/public-address.js'
import type { Resolver } from '../dns/types.js'
import { messageOf } from '../lib/thrown.js'
import { SECOND, type Clock } from '../lib/clock.js'
import { keepConnections, sendRequest, type HttpAnswer } from '../lib/http-client.js'
import { cut, oneLine } from '../lib/text.js'
import { signatureOf, type OpenedSecret, type SecretBox } from '../mailbox/webhooks/secrets.js'
import type { Attempt, SentRequest, WebhookRecord } from '../mailbox/webhooks/types.js'
import { checkWebhookUrl, type UrlRules } from '../mailbox/webhooks/url.js'
import type { Room } from './concurrency.js'

export interface SenderDeps {
  resolver: Pick<Resolver, 'a' | 'aaaa'>
  clock: Clock
  box: Pick<SecretBox, 'open'>
  rules: UrlRules & AddressRules
  room: Room
  timeoutMs: number
  userAgent: string
  /** Additional trusted certificate authority; for tests. */
  ca?: string | undefined
}

export interface Sent {
  attempt: Attempt
  request: SentRequest | null
  retryAfterMs?: number | undefined
}

/** Max bytes read and shown of an answer. */
const MAX_ANSWER_BYTES = 16 * 1024
const MAX_SHOWN_CHARS = 512
const MAX_PROBLEM_CHARS = 200
/** Max decrypted secrets in memory. */
const MAX_OPENED = 1000
/** Lifetime of an idle connection. */
const IDLE_MS = 20 * SECOND

export type Sender = ReturnType<typeof createSender>

export function createSender(deps: SenderDeps) {
  const { resolver, clock, box, rules, room, timeoutMs, userAgent } = deps
  const ca = deps.ca === undefined ? undefined : [...rootCertificates, deps.ca]
  // Connections are kept by address, so a name that moves elsewhere is not served by an old one.
  const connections = keepConnections({ ca, idleMs: IDLE_MS, connectMs: timeoutMs })
  const opened = new Map<string, OpenedSecret | undefined>()

  function signers({ id, secrets }: WebhookRecord): OpenedSecret[] {
    const now = clock.now()
    return secrets.flatMap((secret) => {
      if (secret.endsAt !== null && secret.endsAt <= now) return []
      if (!opened.has(secret.sealed)) {
        if (opened.size >= MAX_OPENED) opened.clear()
        opened.set(secret.sealed, box.open(id, secret))
      }
      return opened.get(secret.sealed) ?? []
    })
  }

  async function post(
    webhook: WebhookRecord,
    id: string,
    body: Uint8Array,
    signal: AbortSignal,
    onSend: (request: SentRequest) => void,
  ): Promise<HttpAnswer> {
    const url = checkWebhookUrl(webhook.url, rules)
    if (typeof url === 'string') throw new Unreachable(`the URL is not allowed any more: it ${url}`)
    const secrets = signers(webhook)
    if (secrets.length === 0) throw new Unreachable('the secret cannot be read any more; rotate it')
    const address = await addressOf(resolver, url, rules)
    const leave = await room.enter(address, signal)
    try {
      const seconds = Math.floor(clock.now() / SECOND)
      const signature = signatureOf(secrets, id, seconds, body)
      const sha256 = createHash('sha256').update(body).digest('hex')
      onSend({ url: webhook.url, seconds, signature, bytes: body.length, sha256 })
      return await sendRequest({
        url,
        address,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': userAgent,
          'webhook-id': id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': signature,
        },
        body,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        cutsOff: true,
        connections,
        signal,
      })
    } finally {
      leave()
    }
  }

  return {
    /** @param id `webhook-id` @throws the signal's reason, and nothing else */
    async send(webhook: WebhookRecord, id: string, body: Uint8Array, signal: AbortSignal): Promise<Sent> {
      const at = clock.now()
      const begun = performance.now()
      let request: SentRequest | null = null
      const ended = (status: number | null, problem: string | null, answer = ''): Attempt => ({
        at,
        tookMs: Math.round(performance.now() - begun),
        status,
        problem: problem && cut(oneLine(problem), MAX_PROBLEM_CHARS),
        answer,
      })
      try {
        const answer = await post(webhook, id, body, signal, (sent) => (request = sent))
        const { status } = answer
        const shown = cut(answer.body.toString('utf8'), MAX_SHOWN_CHARS)
        return { attempt: ended(status, problemOf(status), shown), request, retryAfterMs: retryAfter(answer, at) }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        const problem =
          error instanceof Error && error.name === 'TimeoutError'
            ? `no whole answer within ${timeoutMs / SECOND} seconds`
            : messageOf(error)
        return { attempt: ended(null, problem), request }
      }
    },
    close: () => connections.close(),
  }
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`
  return status === 410 ? 'status 410: it wants no more' : `status ${status}`
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfter({ status, headers }: HttpAnswer, now: number): number | undefined {
  const text = headers['retry-after']
  if (text === undefined || (status !== 429 && status !== 503)) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
