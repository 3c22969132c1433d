/**
 * Failed sign-ins in the audit log. Strangers cause them, so each network gets at most one entry per minute: the first at once, and the others of its minute
 * as one entry with their count when the minute is over. A crash loses the count of that minute only.
 */
import { type Clock, MINUTE } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'
import type { Log } from '../observe/log.js'
import type { Audit, AuditEntry } from './types.js'

export interface FailedSignIn {
  provider: string
  /** `denied`, `forged` and the like. */
  outcome: string
  from: NonNullable<AuditEntry['from']>
}

/** Networks that are counted separately in a minute; further ones are counted together. */
export const MAX_NETWORKS = 100
const OTHERS = 'others'

interface Counted {
  /** The first unwritten one. */
  example: FailedSignIn
  tries: number
  outcomes: Set<string>
}

/** @param every for tests: calls back each minute, and returns a function that stops it */
export function createFailedSignIns(deps: {
  audit: Pick<Audit, 'record'>
  clock: Clock
  log: Pick<Log, 'error'>
  every?: (work: () => void) => () => void
}) {
  const { audit, clock, log, every = everyMinute } = deps
  /** By network; `counted` is undefined if all are written and the minute goes on. */
  const minutes = new Map<string, { endsAt: number; counted: Counted | undefined }>()
  const writing = new Set<Promise<void>>()

  function write({ example, tries, outcomes }: Counted, isOfOthers: boolean): void {
    const what = [...outcomes].join(', ')
    const entry = audit
      .record({
        action: 'sign_in.failed',
        actor: { type: 'anonymous', id: null, name: null },
        from: isOfOthers ? null : example.from,
        subject: { name: example.provider },
        reason: tries === 1 ? what : `${tries} within a minute: ${what}`,
      })
      .catch((err: unknown) => log.error({ err }, 'failed sign-ins are missing in the audit log'))
      .finally(() => writing.delete(entry))
    writing.add(entry)
  }

  /** @param all includes minutes that are not over */
  function flush(all: boolean): void {
    for (const [network, { endsAt, counted }] of minutes) {
      if (!all && clock.now() < endsAt) continue
      if (counted) {
        write(counted, network === OTHERS)
        minutes.set(network, { endsAt: clock.now() + MINUTE, counted: undefined })
      } else minutes.delete(network)
    }
  }

  const end = every(() => flush(false))

  return {
    note(failed: FailedSignIn): void {
      flush(false)
      const own = clientNetwork(failed.from.address)
      const network = minutes.has(own) || minutes.size < MAX_NETWORKS ? own : OTHERS
      const minute = minutes.get(network)
      const first = { example: failed, tries: 1, outcomes: new Set([failed.outcome]) }
      if (!minute) {
        minutes.set(network, { endsAt: clock.now() + MINUTE, counted: undefined })
        write(first, network === OTHERS)
      } else if (minute.counted) {
        minute.counted.tries++
        minute.counted.outcomes.add(failed.outcome)
      } else minute.counted = first
    },

    /** Resolves when the counts are written. */
    async stop(): Promise<void> {
      end()
      flush(true)
      await Promise.all(writing)
    },
  }
}

function everyMinute(work: () => void): () => void {
  const timer = setInterval(work, MINUTE).unref()
  return () => clearInterval(timer)
}
