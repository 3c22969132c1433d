/**
 * Sign-ins that failed, in the audit log. Strangers make them, so of one network there is an entry a minute at most: the first at once, and what follows
 * within its minute as one entry with the count when the minute is over. A crash loses the count of that minute, and no more.
 */
import type { Clock } from '../lib/clock.js'
import { MINUTE } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'
import type { Log } from '../observe/log.js'
import type { Audit, AuditEntry } from './types.js'

export interface FailedSignIn {
  provider: string
  /** `denied`, `forged` and the like. */
  outcome: string
  from: NonNullable<AuditEntry['from']>
}

export interface FailedSignIns {
  note(failed: FailedSignIn): void
  /** Writes what is counted. @returns when it is written */
  stop(): Promise<void>
}

/** Networks that are counted apart in a minute; those beyond are counted together. */
export const MAX_NETWORKS = 100
const OTHERS = 'others'

interface Counted {
  /** The first of them that is not written yet. */
  example: FailedSignIn
  tries: number
  outcomes: Set<string>
}

/** @param every for tests: calls back each minute. @returns what ends it */
export function createFailedSignIns(deps: {
  audit: Pick<Audit, 'record'>
  clock: Clock
  log: Pick<Log, 'error'>
  every?: (work: () => void) => () => void
}): FailedSignIns {
  const { audit, clock, log, every = everyMinute } = deps
  /** By network; undefined tries where all are written and the minute goes on. */
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

  /** @param all also minutes that go on */
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
    note(failed) {
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

    async stop() {
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
