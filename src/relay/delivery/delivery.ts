/** Delivery attempts: targets are tried in order, over an open session if there is one; idle sessions are kept for reuse. */
import { setMaxListeners } from 'node:events'
import { type Outcome, type Outcomes, sameForAll } from '../outcome.js'
import type { Target } from '../routing/route.js'
import { securityKey } from '../tls/security.js'
import { isBusy, SessionError } from '../smtp/failures.js'
import { openSession, type SessionOptions, type Waits } from '../smtp/open-session.js'
import type { Mail, SendResult, Session } from '../smtp/session.js'
import { WITHOUT_REQUIRE_TLS } from '../routing/tls-needs.js'
import type { TlsResult, TlsResults } from '../tls/tls-results.js'

export interface Attempt {
  outcomes: Outcomes
  /** The host that replied, or the last one tried. */
  host: string
  encrypted: boolean
  /** State of the destination. `unreachable`: no session. `busy`: it asks for a pause. */
  destination: 'fine' | 'busy' | 'unreachable'
}

export interface DelivererOptions extends SessionOptions {
  tlsResults?: TlsResults | undefined
  idleMs?: number
  maxMessages?: number
  attemptMs?: number
}

interface Idle {
  session: Session
  timer: NodeJS.Timeout
  end: () => void
}

interface Tried {
  host: string
  last: Outcome
  /** A host cannot take this message. */
  unfit: Outcome | undefined
  deferred: boolean
  destination: Attempt['destination']
}

const NO_HOST: Outcome = { kind: 'deferred', smtpCode: null, detail: '4.4.1 no host to deliver to' }

const IDLE_MS = 5000
const MAX_MESSAGES = 100
/** Max hosts with idle sessions. */
const MAX_IDLE = 100
export const ATTEMPT_MS = 30 * 60_000

export class Deliverer {
  readonly #options: DelivererOptions
  readonly #idleMs: number
  readonly #maxMessages: number
  readonly #attemptMs: number
  readonly #setupMs: number
  /** By host, address and security; most recently used last, in each list and overall. */
  readonly #idle = new Map<string, Idle[]>()
  readonly #stop = new AbortController()

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#idleMs = options.idleMs ?? IDLE_MS
    this.#maxMessages = options.maxMessages ?? MAX_MESSAGES
    this.#attemptMs = options.attemptMs ?? ATTEMPT_MS
    this.#setupMs = options.connectTimeoutMs + options.responseTimeoutMs
    // Every open session listens to it.
    setMaxListeners(0, this.#stop.signal)
  }

  /** Never rejects for what the other side does. @throws Error if destroyed before the answer */
  async attempt(targets: Target[], mail: Mail): Promise<Attempt> {
    const deadline = performance.now() + this.#attemptMs
    const tried: Tried = { host: '', last: NO_HOST, unfit: undefined, destination: 'unreachable', deferred: false }
    for (const target of this.#inOrder(targets)) {
      if (performance.now() > deadline) break
      const attempt = await this.#tryTarget(target, mail, deadline, tried)
      if (attempt) return attempt
    }
    const { host, destination } = tried
    // A host that could take the message may be back later.
    const outcome = tried.deferred || !tried.unfit ? tried.last : tried.unfit
    return { outcomes: sameForAll(mail.recipients, outcome), host, encrypted: false, destination }
  }

  /** Drops every session, active ones too. */
  destroy(): void {
    this.#stop.abort()
    for (const kept of this.#idle.values()) for (const { timer } of kept) clearTimeout(timer)
    this.#idle.clear()
  }

  #takeIdle(target: Target): Session | undefined {
    for (let entry = this.#idle.get(keyOf(target))?.at(-1); entry; entry = this.#idle.get(keyOf(target))?.at(-1)) {
      this.#forget(entry)
      if (entry.session.isOpen) return entry.session
    }
    return undefined
  }

  #forget(entry: Idle): void {
    clearTimeout(entry.timer)
    const key = keyOf(entry.session.target)
    const left = (this.#idle.get(key) ?? []).filter((other) => other !== entry)
    if (left.length > 0) this.#idle.set(key, left)
    else this.#idle.delete(key)
  }

  #keep(session: Session): void {
    if (!session.isOpen) return
    if (session.sent >= this.#maxMessages) return session.quit()
    const key = keyOf(session.target)
    const end = (): void => {
      this.#forget(entry)
      session.quit()
    }
    const entry: Idle = { session, timer: setTimeout(end, this.#idleMs).unref(), end }
    const kept = [...(this.#idle.get(key) ?? []), entry]
    this.#idle.delete(key)
    this.#idle.set(key, kept)
    if (this.#idle.size > MAX_IDLE) for (const oldest of this.#idle.values().next().value ?? []) oldest.end()
  }

  async #open(target: Target, deadline: number): Promise<Session> {
    const waits = (): Waits => ({
      signal: this.#stop.signal,
      setupMs: Math.max(0, Math.min(this.#setupMs, deadline - performance.now())),
    })
    try {
      const session = await openSession(target, target.security, this.#options, waits())
      this.#report(target, tlsOutcome(target, session))
      return session
    } catch (error) {
      if (!(error instanceof SessionError)) throw error
      if (error.tlsFailure !== null) this.#report(target, { outcome: error.tlsFailure, detail: error.message })
      // RFC 7435: failed opportunistic TLS is worth no less than none: retry once without.
      if (!error.inHandshake || target.security.tls !== 'opportunistic' || this.#stop.signal.aborted) throw error
      return openSession(target, { ...target.security, tls: 'none' }, this.#options, waits())
    }
  }

  #report({ host, address, policy }: Target, result: Pick<TlsResult, 'outcome' | 'detail'>): void {
    if (policy) this.#options.tlsResults?.record({ ...policy, mxHost: host, receivingIp: address, ...result })
  }

  async #use(session: Session, mail: Mail, deadline: number): Promise<SendResult> {
    const cut = (): void => session.destroy()
    const timer = setTimeout(cut, Math.max(0, deadline - performance.now()))
    const result = await session.send(mail)
    clearTimeout(timer)
    if (result.kind !== 'lost' && !this.#stop.signal.aborted) this.#keep(session)
    else session.destroy()
    return result
  }

  /** Among equal targets, those with an open session first. */
  #inOrder(targets: Target[]): Target[] {
    const best = targets.find((target) => target.preference === targets[0]?.preference && this.#idle.has(keyOf(target)))
    return best ? [best, ...targets.filter((target) => target !== best)] : targets
  }

  /** Uses an open session, and a new one if that has died. Undefined to try the next target. */
  async #tryTarget(target: Target, mail: Mail, deadline: number, tried: Tried): Promise<Attempt | undefined> {
    const { host } = target
    tried.host = host
    for (let fresh = false; !fresh;) {
      const reused = this.#takeIdle(target)
      fresh = reused === undefined
      let session: Session
      try {
        session = reused ?? (await this.#open(target, deadline))
      } catch (error) {
        if (!(error instanceof SessionError) || this.#stop.signal.aborted) throw error
        if (isBusy(error.smtpCode)) tried.destination = 'busy'
        // RFC 8689 §4.2.1: mail that requires encryption and can't have it bounces.
        if (mail.requireTls && error.tlsFailure !== null) {
          const detail = `${error.message.replace(/^4\.7\.\d+/, '5.7.10')}; ${WITHOUT_REQUIRE_TLS}`
          tried.unfit = { kind: 'failed', smtpCode: null, detail }
        } else {
          tried.deferred = true
          tried.last = { kind: 'deferred', smtpCode: error.smtpCode, detail: error.message }
        }
        continue
      }
      const { encrypted } = session
      const result = await this.#use(session, mail, deadline)
      switch (result.kind) {
        case 'answered':
          return { outcomes: result.outcomes, host, encrypted, destination: result.busy ? 'busy' : 'fine' }
        case 'unfit':
          tried.destination = 'fine'
          tried.unfit = result.outcome
          break
        case 'lost': {
          if (this.#stop.signal.aborted) throw new Error('stopped before the other side answered')
          if (!fresh && !result.dataSent) break
          tried.destination = isBusy(result.smtpCode) ? 'busy' : 'fine'
          tried.deferred = true
          tried.last = { kind: 'deferred', smtpCode: result.smtpCode, detail: result.detail }
          // Another host might deliver a second copy of what this one accepted.
          if (result.dataSent) {
            const outcomes = sameForAll(mail.recipients, tried.last)
            return { outcomes, host, encrypted, destination: tried.destination }
          }
        }
      }
      if (result.kind === 'unfit') return undefined
    }
    return undefined
  }
}

function keyOf({ host, address, port, security }: Target): string {
  return `${host} ${address} ${port} ${securityKey(security)}`
}

/** RFC 8460 §4.3: what an established session says about its policy. */
function tlsOutcome({ policy, unusable }: Target, session: Session): Pick<TlsResult, 'outcome' | 'detail'> {
  if (unusable !== undefined) return { outcome: unusable, detail: null }
  const failure =
    policy?.policy.type === 'sts'
      ? session.certificateProblem
      : session.encrypted
        ? undefined
        : 'starttls-not-supported'
  return { outcome: failure ?? 'success', detail: null }
}
