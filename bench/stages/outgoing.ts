/** The stages of a message that goes out. */
import { createSigner } from '../../src/authentication/sign.js'
import type { MailParts } from '../../src/api/v1/parts.js'
import { sendRoutes } from '../../src/api/v1/mail/send.js'
import { loadModel } from '../../src/guard/model/model.js'
import type { Guard } from '../../src/guard/types.js'
import { createGuard } from '../../src/guard/verdict/guard.js'
import type { Caller } from '../../src/accounts/types.js'
import type { HttpRequest } from '../../src/http/message.js'
import { systemClock as clock } from '../../src/lib/clock.js'
import { mailWorkInPlace, type Composed } from '../../src/mailbox/mail-work/mail-work.js'
import type { SendRequest } from '../../src/mailbox/sending/requests.js'
import { Deliverer } from '../../src/relay/delivery/delivery.js'
import { Relay } from '../../src/relay/delivery/relay.js'
import { sameForAll } from '../../src/relay/outcome.js'
import { createRouting } from '../../src/relay/routing/routes.js'
import { createResolver } from '../../src/dns/resolver.js'
import { startSink } from '../peers/sink.js'
import { DOMAIN, openMailParts, PARSE_LIMITS, type MailParts as Parts } from '../support/mail-parts.js'
import { SENDER_DOMAIN } from '../support/messages.js'
import type { MailFile } from './sources.js'
import { each, mailAt, type StartStage } from './stage.js'

const AT_ONCE = 20

const addressOf = (n: number): string => `person${n % 100}@peer${n % 10}.example`

/** The body of `POST /v1/send`. */
function bodyOf(file: MailFile, n: number): string {
  const { subject, text, html } = mailAt(file, n)
  const words = { text: text.replaceAll('\r\n', '\n'), ...(html === null ? {} : { html }) }
  return JSON.stringify({ to: addressOf(n), subject: `${subject.slice(0, 200)} ${n}`, ...words })
}

function requestOf(file: MailFile, n: number): SendRequest {
  const { subject, text, html } = mailAt(file, n)
  return {
    to: [{ address: addressOf(n), name: '' }],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: `${subject.slice(0, 200)} ${n}`,
    text: text.replaceAll('\r\n', '\n'),
    html,
    attachments: [],
    labels: [],
  }
}

/** `POST /v1/send?dry_run=1`, without the server of HTTP: all of a send but its commit. */
export const accept: StartStage = async (file) => {
  const parts = await openMailParts({ guard: createGuard({ model: loadModel() }) })
  const route = sendRoutes.find(({ path }) => path === '/v1/send')
  if (!route) throw new Error('there is no POST /v1/send')
  const limits = { recipientsPerMessage: 50, attachmentsPerMessage: 50 }
  const api = { mailboxes: parts.mailboxes, limits, answers: {} } as unknown as MailParts
  const request = { requestId: 'req_bench', headers: {} } as unknown as HttpRequest
  const bodies = new Map<number, string>()
  return {
    async prepare(from, to) {
      bodies.clear()
      for (let n = from; n < to; n++) bodies.set(n, bodyOf(file, n))
    },
    run: (from, to) =>
      each(from, to, AT_ONCE, async (n) => {
        const body: unknown = JSON.parse(bodies.get(n) ?? '')
        const caller = { mailboxId: parts.mailboxAt(n) } as Caller
        const given = { params: {}, query: { dry_run: '1' }, body, caller, asker: undefined, request }
        const { status } = await route.run(given, api)
        if (status !== 200) throw new Error(`a dry run was answered with ${status}`)
      }),
    close: parts.close,
  }
}

export const sign: StartStage = async (file) => {
  const { keys, close } = await openMailParts({ mailboxCount: 1 })
  const signer = createSigner(keys)
  return { run: (from, to) => each(from, to, AT_ONCE, (n) => signer.sign(mailAt(file, n).alternative, DOMAIN)), close }
}

export const relaySession: StartStage = async (file) => {
  const sink = await startSink()
  const deliverer = new Deliverer({ hostname: `mx.${DOMAIN}`, connectTimeoutMs: 30_000, responseTimeoutMs: 30_000 })
  const target = {
    host: '127.0.0.1',
    address: '127.0.0.1',
    port: sink.port,
    preference: 0,
    security: { tls: 'opportunistic' as const },
  }
  return {
    run: (from, to) =>
      each(from, to, AT_ONCE, async (n) => {
        const mail = { from: `agent@${DOMAIN}`, recipients: [addressOf(n)], raw: mailAt(file, n).raw }
        const { outcomes, destination } = await deliverer.attempt([target], mail)
        if (destination !== 'fine') throw new Error(JSON.stringify([...outcomes]))
      }),
    async close() {
      deliverer.destroy()
      await sink.stop()
    },
  }
}

const SENDS: Guard = {
  check: async () => ({
    category: 'legitimate',
    scores: { legitimate: 1 },
    decision: 'send',
    reasons: [{ code: 'no_risk_found', detail: 'nothing suspicious found' }],
  }),
}

/** Composes before it is asked, by subject. */
function readyWork() {
  const real = mailWorkInPlace()
  const ready = new Map<string, Composed>()
  return {
    work: {
      ...real,
      compose: async ({ message: { subject } }: Parameters<typeof real.compose>[0]) => {
        const composed = ready.get(subject)
        if (!composed) throw new Error(`nothing is composed for ${subject}`)
        return composed
      },
    },
    async compose(file: MailFile, n: number): Promise<void> {
      const request = requestOf(file, n)
      const message = {
        ...request,
        from: { address: `agent${n % 10}@${DOMAIN}`, name: 'Agent' },
        messageId: `${n}@${SENDER_DOMAIN}`,
        date: clock.now(),
        inReplyTo: null,
        references: [],
      }
      const given = { message, bcc: [], maxBytes: 25e6, now: clock.now(), limits: PARSE_LIMITS }
      const composed = await real.compose(given, { owner: 'bench' })
      if (!('raw' in composed)) throw new Error('too large')
      ready.set(request.subject, composed)
    },
    forget: () => ready.clear(),
  }
}

async function sending(file: MailFile) {
  const ready = readyWork()
  const parts: Parts = await openMailParts({ guard: SENDS, work: ready.work })
  return {
    parts,
    async compose(from: number, to: number): Promise<void> {
      ready.forget()
      for (let n = from; n < to; n++) await ready.compose(file, n)
    },
    send: (from: number, to: number): Promise<void> =>
      each(from, to, AT_ONCE, (n) => parts.mailboxes.sending.send(parts.mailboxAt(n), requestOf(file, n), {})),
  }
}

/** The commit of a send, its task, and the commit of its outcome; what is between them takes no time. */
export const storeAndQueue: StartStage = async (file) => {
  const { parts, compose, send } = await sending(file)
  const resolver = createResolver({ servers: ['127.0.0.1:9'], clock })
  let recorded = 0
  const { outbound } = parts.mailboxes
  const routing = createRouting({
    resolver,
    port: 25,
    hostname: `mx.${DOMAIN}`,
    allowPrivateAddresses: true,
    smarthost: { host: '127.0.0.1', port: 25 },
  })
  const relay = new Relay({
    queue: parts.queue,
    mailboxes: {
      outbound: {
        ...outbound,
        async recordAttempt(...given) {
          const progress = await outbound.recordAttempt(...given)
          recorded++
          return progress
        },
      },
    },
    routing,
    deliverer: new Deliverer({ hostname: `mx.${DOMAIN}`, connectTimeoutMs: 1000, responseTimeoutMs: 1000 }),
    handOver: {
      staysHere: () => false,
      deliver: async (_message, _domain, recipients) => ({
        outcomes: sameForAll(recipients, {
          kind: 'delivered',
          smtpCode: 250,
          detail: '2.0.0 Ok: queued as 0123456789',
        }),
        host: '127.0.0.1',
        tls: false,
        destination: 'fine',
      }),
    },
    limits: { concurrency: AT_ONCE, perDestination: AT_ONCE },
    clock,
    log: parts.log,
  })
  return {
    prepare: compose,
    async run(from, to) {
      await send(from, to)
      while (recorded < to) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async close() {
      await relay.stop()
      resolver.close()
      await parts.close()
    },
  }
}

export const outgoingIndex: StartStage = async (file) => {
  const { parts, compose, send } = await sending(file)
  return {
    async prepare(from, to) {
      await compose(from, to)
      await send(from, to)
    },
    async run() {
      for (const id of parts.mailboxIds) {
        await parts.indexer.indexMailbox(id)
        await parts.indexer.mergeIndex(id)
      }
    },
    close: parts.close,
  }
}
