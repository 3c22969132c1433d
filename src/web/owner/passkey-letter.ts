/** The letter to an owner about a passkey that was added or removed, in case someone else used their browser. */
import type { Letter, Letters } from '../../accounts/letters.js'
import type { Accounts } from '../../accounts/types.js'
import { type Clock, HOUR, timestamp } from '../../lib/clock.js'
import { randomBase62 } from '../../lib/ids.js'
import { createWindowCounter } from '../../lib/window-counter.js'
import type { PasskeyChange, PasskeyParts } from '../page/passkey-challenge.js'
import { PATHS } from '../page/person-frame.js'

/** Max letters an hour about the passkeys of one account, by one process; the last one says so. */
const MAX_LETTERS = 20

export interface PasskeyLettersDeps {
  accounts: Pick<Accounts, 'get'>
  /** Missing where no letters are sent. */
  letters?: Pick<Letters, 'canReach' | 'compose'> | undefined
  clock: Clock
  /** Of our pages. */
  origin: string
}

export function createPasskeyLetter({ accounts, letters, clock, origin }: PasskeyLettersDeps): PasskeyParts['letter'] {
  const recent = createWindowCounter(HOUR)
  return async (change) => {
    const to = (await accounts.get(change.accountId))?.owner ?? null
    if (!letters || to === null || !letters.canReach(to)) return () => undefined
    const { count } = recent.add(change.accountId, 1)
    if (count > MAX_LETTERS) return () => undefined
    const isLast = count === MAX_LETTERS
    return letters.compose(`passkey:${randomBase62(16)}`, letterOf(change, { to, at: clock.now(), origin, isLast }))
  }
}

function letterOf(
  { what, name, network }: PasskeyChange,
  { to, at, origin, isLast }: { to: string; at: number; origin: string; isLast: boolean },
): Letter {
  const { host } = new URL(origin)
  const text = (words: string) => ({ kind: 'text', text: words }) as const
  return {
    to,
    // Without its name: a subject reads as ours.
    subject: `A passkey was ${what} at ${host}`,
    parts: [
      text(
        what === 'added'
          ? `Someone signed in to your account at ${host} has added a passkey, which signs in to it from now on.`
          : `Someone signed in to your account at ${host} has removed a passkey, which no longer signs in to it.`,
      ),
      { kind: 'quote', by: 'Its name', text: name },
      {
        kind: 'facts',
        rows: [
          [what === 'added' ? 'Added' : 'Removed', `${timestamp(at).slice(0, 16).replace('T', ' ')} UTC`],
          ['From the network', network],
        ],
      },
      text(
        what === 'added'
          ? 'If that was you, there is nothing to do. If it was not, end all sessions that you do not recognize, and remove the passkey.'
          : 'If that was you, there is nothing to do. If it was not, end all sessions and remove all passkeys that you do not recognize, and add yours again.',
      ),
      { kind: 'link', label: 'Your sessions and passkeys', url: `${origin}${PATHS.sessions}` },
      ...(isLast ? [text('Further changes of your passkeys within this hour are not mailed.')] : []),
    ],
  }
}
