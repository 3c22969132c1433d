/** Keeps a valid certificate for each name: orders missing and expiring ones, one after the other, and stores the results. */
import { setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '../lib/thrown.js'
import { type Clock, MINUTE, timestamp } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import { createSerial } from '../lib/serial.js'
import { newKey } from './account.js'
import { AcmeError } from './errors.js'
import type { HeldCertificates } from './certificates.js'
import type { OrderState, CertFiles } from './cert-files.js'
import { orderAt, waitAfter } from './renewal-times.js'

export interface KeeperDeps {
  held: HeldCertificates
  files: CertFiles
  /** URL of the authority's directory. */
  directory: string
  /** @returns the chain for this key, PEM @throws AcmeError, or the signal's reason */
  order: (name: string, key: string, signal: AbortSignal) => Promise<string>
  clock: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
  onOrder?: (outcome: 'ok' | 'failed') => void
  /** Called for each failed order. Must not throw. */
  onFailed?: (name: string, problem: string, hasOne: boolean) => void
  /** Called for each certificate obtained, with its expiry. Must not throw. */
  onIssued?: (name: string, notAfter: number) => void
  /** For one order. */
  limitMs?: number
}

export interface NameState {
  name: string
  /** Error of the last order; null if there was none. */
  error: string | null
  triedAt: number | null
  /** Time of the next order, which starts at the next check after it. */
  nextTryAt: number
  /** Running or waiting. */
  ordering: boolean
}

export interface Renewed {
  renewed: string[]
  failed: string[]
}

export type Keeper = ReturnType<typeof createKeeper>

const LIMIT_MS = 15 * MINUTE

export function createKeeper(deps: KeeperDeps) {
  const { held, files, directory, clock, log } = deps
  const stopped = new AbortController()
  const inTurn = createSerial().run
  /** Names whose order is running or waiting. */
  const ordering = new Set<string>()

  async function isDue(name: string): Promise<boolean> {
    return orderAt(held.had(name), await files.state(name), directory) <= clock.now()
  }

  async function orderAll(names: readonly string[], isWanted: (name: string) => Promise<boolean>): Promise<Renewed> {
    const done: Renewed = { renewed: [], failed: [] }
    for (const name of names) {
      if (stopped.signal.aborted) break
      if (!(await isWanted(name))) continue
      ordering.add(name)
      const ok = await orderOne(name).finally(() => ordering.delete(name))
      if (!stopped.signal.aborted) (ok ? done.renewed : done.failed).push(name)
    }
    return done
  }

  async function orderOne(name: string): Promise<boolean> {
    const before = held.had(name)
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(deps.limitMs ?? LIMIT_MS)])
    let known: OrderState | undefined
    try {
      known = await files.state(name)
      // The same key again: TLSA records of it (RFC 6698) stay right.
      const key = before?.key ?? newKey()
      const pair = await files.write(name, key, await deps.order(name, key, signal))
      await files.setState(name, {
        directory,
        issued_by: directory,
        tried_at: clock.now(),
        failures: 0,
        error: null,
        next_try_at: null,
      })
      held.put(name, pair)
      log.info({ name, issuer: pair.issuer, until: timestamp(pair.notAfter) }, 'certificate obtained')
      deps.onOrder?.('ok')
      deps.onIssued?.(name, pair.notAfter)
      return true
    } catch (err) {
      // Shutdown is no failure of the authority.
      if (stopped.signal.aborted) return false
      deps.onOrder?.('failed')
      await noteFailure(
        name,
        known,
        signal.aborted ? new AcmeError('timeout', 'the order did not finish in time') : err,
        before !== undefined,
      )
      return false
    }
  }

  async function noteFailure(
    name: string,
    known: OrderState | undefined,
    err: unknown,
    hasOne: boolean,
  ): Promise<void> {
    const failures = (known?.directory === directory ? known.failures : 0) + 1
    const nextTryAt = clock.now() + waitAfter(failures, err instanceof AcmeError ? err.retryAfterMs : undefined)
    const advice = err instanceof AcmeError ? err.advice : undefined
    const error = [messageOf(err), advice].filter((words) => words !== undefined).join('. ')
    deps.onFailed?.(name, error, hasOne)
    log[hasOne ? 'warn' : 'error'](
      {
        name,
        problem: messageOf(err),
        advice,
        failures,
        next_try_at: timestamp(nextTryAt),
        // Unexpected errors are logged with their stack.
        ...(!(err instanceof AcmeError) && { err }),
      },
      hasOne ? 'a certificate could not be renewed; the old one stays in use' : 'a certificate could not be obtained',
    )
    const state = {
      directory,
      issued_by: known?.issued_by ?? null,
      tried_at: clock.now(),
      failures,
      error,
      next_try_at: nextTryAt,
    }
    // On a full disk the log has it.
    await files
      .setState(name, state)
      .catch((failure: unknown) => log.error({ err: failure, name }, 'the result of an order could not be stored'))
  }

  /** Nobody waits for it. */
  function begin(names: readonly string[], isWanted: (name: string) => Promise<boolean>): void {
    inTurn('orders', () => orderAll(names, isWanted)).catch((err: unknown) => {
      for (const name of names) ordering.delete(name)
      log.error({ err }, 'certificates could not be checked')
    })
  }

  return {
    /** Starts the first check, and returns at once. */
    begin: (): void => begin(held.wanted(), isDue),
    /** Orders what is due. */
    look: (): Promise<Renewed> => inTurn('orders', () => orderAll(held.wanted(), isDue)),
    /** Starts orders for these, due or not, and returns at once. */
    beginRenewal(names: readonly string[]): void {
      const fresh = names.filter((name) => !ordering.has(name))
      for (const name of fresh) ordering.add(name)
      begin(fresh, async () => true)
    },
    /** Resolves when no order is running, or after `ms`. */
    async idle(ms: number): Promise<void> {
      const enough = new AbortController()
      const isOver = wait(ms, undefined, { signal: enough.signal, ref: false }).catch(() => undefined)
      await Promise.race([inTurn('orders', async () => undefined), isOver])
      enough.abort()
    },
    states: (): Promise<NameState[]> =>
      Promise.all(
        held.wanted().map(async (name) => {
          const state = await files.state(name)
          return {
            name,
            error: state?.error ?? null,
            triedAt: state?.tried_at ?? null,
            nextTryAt: orderAt(held.had(name), state, directory),
            ordering: ordering.has(name),
          }
        }),
      ),
    /** Ends the running order. */
    async stop(): Promise<void> {
      stopped.abort()
      await inTurn('orders', async () => undefined)
    },
  }
}
