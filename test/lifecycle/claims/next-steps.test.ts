/** What an agent is told to do next, in every state of its claim, its account and its key. */
import t from 'tap'
import { claimStateOf } from '../../../src/accounts/claim-status.js'
import { notApproved } from '../../../src/accounts/refusals.js'
import { SCOPES, type Scope } from '../../../src/accounts/types.js'
import { nextSteps } from '../../../src/lifecycle/claims/next-steps.js'
import { DAY } from '../../../src/lib/clock.js'

type Account = Parameters<typeof nextSteps>[1]

const ACTIVE: Account = { status: 'active', suspension: null }
const SUSPENDED: Account = { status: 'suspended', suspension: { at: 0, reason: 'Too many bounces.' } }
const LEAVING: Account = { status: 'deletion_pending', suspension: null }

t.test('next steps by claim, account and scopes', async (t) => {
  const cases: [Parameters<typeof nextSteps>[0], Account, readonly Scope[], RegExp, RegExp][] = [
    ['pending', undefined, SCOPES, /claim_url/, /\/v1\/threads|\/v1\/send/],
    ['declined', undefined, SCOPES, /claim\/challenge/, /claim_url|\/v1\/threads/],
    ['expired', undefined, SCOPES, /claim\/challenge/, /status again|\/v1\/threads/],
    ['claimed', ACTIVE, SCOPES, /GET \/v1\/threads.*POST \/v1\/send/, /claim|suspended/],
    ['claimed', ACTIVE, ['mail:read'], /GET \/v1\/threads/, /\/v1\/send/],
    ['claimed', ACTIVE, ['mail:send'], /POST \/v1\/send/, /\/v1\/threads|usage/],
    ['claimed', ACTIVE, ['mail:write'], /PATCH \/v1\/messages/, /\/v1\/threads|\/v1\/send/],
    ['claimed', ACTIVE, ['account:manage'], /\/v1\/keys/, /\/v1\/threads|\/v1\/send/],
    ['claimed', SUSPENDED, SCOPES, /suspended.*Too many bounces\..*operator/, /\/v1\/threads|POST \/v1\/send/],
    ['claimed', LEAVING, SCOPES, /is being deleted/, /\/v1\/threads|POST \/v1\/send/],
  ]
  for (const [status, account, scopes, has, lacks] of cases) {
    const steps = nextSteps(status, account, scopes).join(' ')
    const what = `${status} ${account?.status ?? 'no account'} ${scopes.join()}`
    t.match(steps, has, what)
    t.notMatch(steps, lacks, what)
  }
})

t.test('other calls are refused by how the claim stands', async (t) => {
  const cases = [
    [{ status: 'pending', createdAt: 0 }, DAY - 1, 'claim_pending', /claim_url/],
    [{ status: 'pending', createdAt: 0, declinedAt: 5 }, DAY - 1, 'claim_declined', /Ask your human if/],
    [{ status: 'pending', createdAt: 0 }, DAY, 'claim_expired', /Claim an address again/],
  ] as const
  for (const [mailbox, now, code, hint] of cases) {
    const claimState = claimStateOf(mailbox, now)
    if (claimState === 'claimed') throw new Error('it is not approved')
    t.match(notApproved(claimState), { code, hint })
  }
  t.equal(claimStateOf({ status: 'claimed', createdAt: 0, declinedAt: 5 }, DAY), 'claimed')
})
