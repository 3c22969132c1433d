/** Reviewing over the mailbox domain of `test/mailbox/world.ts`, with fakes for what lies outside of it. */
import { createAccounts } from '../../../src/accounts/accounts.js'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { DAY } from '../../../src/lib/clock.js'
import { createReviewing, type Reviewing } from '../../../src/mailbox/review/review.js'
import type { Reviewed } from '../../../src/mailbox/review/decided.js'
import { addressKey } from '../../../src/mime/address.js'
import { SEND, USAGE_LIMITS, type World } from '../world.js'

export const BY = { by: 'amy@staff.example' }
export const BOB = { by: 'bob@staff.example' }
export const HELD_BY_GUARD = {
  ...SEND,
  category: 'scam' as const,
  decision: 'hold' as const,
  scores: { scam: 0.7 },
  reasons: [{ code: 'urgent_words', detail: 'It presses for time' }],
}

export interface Review {
  reviewing: Reviewing
  /** What the hook was told, in order; it throws while `fails` is set. */
  told: Reviewed[]
  hook: { fails: boolean }
  suspended: string[]
  rules: Map<string, string>
}

export function reviewIn(world: World, before?: Review): Review {
  const told = before?.told ?? []
  const hook = before?.hook ?? { fails: false }
  const suspended = before?.suspended ?? []
  const rules = before?.rules ?? new Map<string, string>()
  const accounts = createAccounts({ ...world, limits: USAGE_LIMITS, mailbox: async () => undefined })
  const reviewing = createReviewing({
    ...world,
    accounts: {
      get: async (id) => (id === world.account.id ? world.account : undefined),
      async suspend(id, reason) {
        suspended.push(reason)
        world.account.status = 'suspended'
        return { ...world.account, id }
      },
      countWithin: accounts.countWithin,
    },
    suppressions: {
      among: async (_account, addresses) =>
        addresses.map(addressKey).filter((each) => world.suppressed.some(({ address }) => address === each)),
    },
    subjectOf: world.mailboxes.outbound.subjectOf,
    explain: (subject) => ({ findings: findingsOf(subject) }),
    isLocalDomain: (domain) => domain === 'agents.example',
    heldBy: async ({ mailboxId }) => rules.get(mailboxId),
    async onReviewed(review) {
      if (hook.fails) throw new Error('The guard is busy')
      told.push(review)
    },
    logMs: 90 * DAY,
    log: { info: () => undefined, error: () => undefined },
  })
  return { reviewing, told, hook, suspended, rules }
}
