/** One attempt to hand a message over: the targets in turn, over a session that is already open where there is one. */
import { setMaxListeners } from 'node:events'
import type { Outcome, Outcomes } from './outcome.js'
import { sameForAll } from './outcome.js'
import type { Target } from './route.js'
import { openSession, SessionError } from './session.js'
import type { Mail, Security, Session, SessionOptions } from './session.js'

export interface Attempt {
  outcomes: Outcomes
  /** The host that answered, or the last that was tried. */
  host: string
  encrypted: boolean
  /** `unreachable` when no session came about, `busy` when the server has no time for us now. */
  destination: 'fine' | 'busy' | 'unreachable'
}

export interface Deliverer {
  /**
   * Never rejects for what the other side does.
   *
   * @param signal cuts the attempt
   * @throws Error when `destroy` or the signal came before the answer
   */
  attempt(targets: Target[], mail: Mail, signal?: AbortSignal): Promise<Attempt>
  /** Drops every session, also those at work. */
  destroy(): void
}

export interface DelivererOptions extends SessionOptions {
  security: Security
  /** An idle session is kept for so long. */
  idleMs?: number
  /** Messages over one session. */
  maxMessages?: number
  /** One attempt, whatever the other side does to draw it out. */
  attemptMs?: number
}

const IDLE_MS = 5000
const MAX_MESSAGES = 100
const ATTEMPT_MS = 30 * 60_000

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { security, idleMs = IDLE_MS, maxMessages = MAX_MESSAGES, attemptMs = ATTEMPT_MS } = options
  const idle = new Map<string, { session: Session; timer: NodeJS.Timeout }[]>()
  const stop = new AbortController()
  // Every open session listens to it.
  setMaxListeners(0, stop.signal)

  function takeIdle(target: Target): Session | undefined {
    const kept = idle.get(keyOf(target))
    for (let entry = kept?.pop(); entry; entry = kept?.pop()) {
      clearTimeout(entry.timer)
      if (kept?.length === 0) idle.delete(keyOf(target))
      if (entry.session.isOpen) return entry.session
    }
    return undefined
  }

  function keep(session: Session): void {
    if (!session.isOpen) return
    if (session.sent >= maxMessages) return session.quit()
    const key = keyOf(session.target)
    const kept = idle.get(key) ?? []
    idle.set(key, kept)
    const timer = setTimeout(() => {
      kept.splice(
        kept.findIndex((entry) => entry.session === session),
        1,
      )
      if (kept.length === 0) idle.delete(key)
      session.quit()
    }, idleMs).unref()
    kept.push({ session, timer })
  }

  /** RFC 7435: TLS that can't be agreed on is worth no more than none, so a failed handshake is followed by one try without. */
  async function open(target: Target): Promise<Session> {
    try {
      return await openSession(target, security, options, stop.signal)
    } catch (error) {
      if (!(error instanceof SessionError) || !error.inHandshake || security.tls !== 'opportunistic') throw error
      return openSession(target, { ...security, tls: 'none' }, options, stop.signal)
    }
  }

  async function use(session: Session, mail: Mail, signal?: AbortSignal) {
    const cut = (): void => session.destroy()
    const timer = setTimeout(cut, attemptMs)
    signal?.addEventListener('abort', cut)
    const result = await session.send(mail)
    clearTimeout(timer)
    signal?.removeEventListener('abort', cut)
    if (result.kind === 'answered' && !stop.signal.aborted) keep(session)
    else session.destroy()
    return result
  }

  /** Among equally good targets the one with an open session first. */
  function inOrder(targets: Target[]): Target[] {
    const best = targets.find((target) => target.preference === targets[0]?.preference && idle.has(keyOf(target)))
    return best ? [best, ...targets.filter((target) => target !== best)] : targets
  }

  return {
    async attempt(targets, mail, signal) {
      let last: Outcome = { kind: 'deferred', smtpCode: null, detail: '4.4.1 no host to deliver to' }
      let host = ''
      let destination: Attempt['destination'] = 'unreachable'
      for (const target of inOrder(targets)) {
        host = target.host
        for (let fresh = false; !fresh;) {
          const reused = takeIdle(target)
          fresh = reused === undefined
          let session: Session
          try {
            session = reused ?? (await open(target))
          } catch (error) {
            if (!(error instanceof SessionError) || stop.signal.aborted) throw error
            last = { kind: 'deferred', smtpCode: error.smtpCode, detail: error.message }
            destination = isBusy(error.smtpCode) ? 'busy' : 'unreachable'
            continue
          }
          const { encrypted } = session
          if (signal?.aborted) session.destroy()
          const result = await use(session, mail, signal)
          if (result.kind === 'answered') return { outcomes: result.outcomes, host, encrypted, destination: 'fine' }
          if (stop.signal.aborted || signal?.aborted) throw new Error('stopped before the other side answered')
          last = { kind: 'deferred', smtpCode: result.smtpCode, detail: result.detail }
          destination = isBusy(result.smtpCode) ? 'busy' : 'fine'
          // The other host might deliver what this one has taken already.
          if (result.dataSent) return { outcomes: sameForAll(mail.recipients, last), host, encrypted, destination }
        }
      }
      return { outcomes: sameForAll(mail.recipients, last), host, encrypted: false, destination }
    },
    destroy() {
      stop.abort()
      for (const kept of idle.values()) for (const { timer } of kept) clearTimeout(timer)
      idle.clear()
    },
  }
}

function isBusy(smtpCode: number | null): boolean {
  return smtpCode === 421 || (smtpCode !== null && smtpCode >= 450 && smtpCode <= 452)
}

function keyOf({ host, address, port }: Target): string {
  return `${host} ${address} ${port}`
}
