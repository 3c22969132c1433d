/**
 * Responses to HTTP challenges (RFC 8555 §8.3), in the store: the authority may reach another daemon than the one that orders. They are public by
 * nature, and not sealed.
 */
import { HOUR, type Clock } from '../lib/clock.js'
import { decode, encode, key, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import type { HttpChallenges } from './types.js'

const PARTITION = 'acme-challenges'
/** More than an order takes. What is left of a daemon that was killed is removed by the next order. */
const LIFETIME_MS = HOUR

interface Challenge {
  answer: string
  endsAt: number
}

export interface OpenChallenges extends HttpChallenges {
  /** @returns a function that removes it */
  open(token: string, answer: string): Promise<() => Promise<void>>
}

export function createHttpChallenges({ store, clock }: { store: Store; clock: Clock }): OpenChallenges {
  let running: Promise<Map<string, Challenge>> | undefined
  let next: Promise<Map<string, Challenge>> | undefined

  async function load(): Promise<Map<string, Challenge>> {
    const rows = await store.read(PARTITION, (view) => view.range(prefixRange('challenge')))
    return new Map(rows.map(([row, value]) => [Buffer.from(row).toString('latin1'), decode<Challenge>(value)]))
  }

  /** The current challenges. Requests that come during a read share the next one, so strangers cause one read at a time at most. */
  function current(): Promise<Map<string, Challenge>> {
    if (!running) {
      running = load().finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => 'whoever waited for it gets the error')
      .then(() => {
        next = undefined
        return current()
      })
    return next
  }

  return {
    async answerOf(token) {
      const found = (await current()).get(Buffer.from(rowOf(token)).toString('latin1'))
      return found && found.endsAt > clock.now() ? found.answer : undefined
    },
    async open(token, answer) {
      const endsAt = clock.now() + LIFETIME_MS
      await store.write(PARTITION, async (tx) => {
        for (const [row, value] of await tx.range(prefixRange('challenge')))
          if (decode<Challenge>(value).endsAt <= clock.now()) tx.delete(row)
        tx.put(rowOf(token), encode({ answer, endsAt } satisfies Challenge))
      })
      return () => store.write(PARTITION, (tx) => tx.delete(rowOf(token)))
    },
  }
}

function rowOf(token: string): Uint8Array {
  return key('challenge', token)
}
