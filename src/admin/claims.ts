/** Claims over the admin listener. */
import { z } from 'zod'
import { ok } from '../http/routing/route.js'
import { adminRoutesWith } from './define.js'
import { timestamp } from '../lib/clock.js'
import type { Claims } from '../lifecycle/claims/types.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import { address } from './fields.js'

export interface ClaimParts {
  claims: Pick<Claims, 'list' | 'approve' | 'decline'>
}

const defineRoute = adminRoutesWith<ClaimParts>()

export const claimRoutes = [
  defineRoute({
    method: 'GET',
    path: '/claims',
    operationId: 'listClaims',
    summary: 'Addresses that wait for approval, oldest first',
    responses: {
      200: {
        description: 'Pending claims',
        schema: z.object({
          data: z.array(
            z.object({ address, agent_name: z.string().nullable(), created_at: timeSchema, expires_at: timeSchema }),
          ),
        }),
      },
    },
    async handler(_input, { claims }) {
      const data = (await claims.list()).map((claim) => ({
        address: claim.address,
        agent_name: claim.agentName,
        created_at: timestamp(claim.createdAt),
        expires_at: timestamp(claim.expiresAt),
      }))
      return { status: 200, json: { data } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/claims/approve',
    operationId: 'approveClaim',
    summary: 'Approve a claimed address',
    body: z.strictObject({ address, owner: z.string().min(1).max(320).optional() }),
    responses: {
      200: {
        description: 'It is approved',
        schema: z.object({ address, account_id: z.string(), already_approved: z.boolean() }),
      },
    },
    async handler({ body, note }, { claims }) {
      const { address, accountId, alreadyApproved } = await claims.approve(body.address, body.owner, note)
      return ok({ address, account_id: accountId, already_approved: alreadyApproved })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/claims/decline',
    operationId: 'declineClaim',
    summary: 'Decline a claimed address: its name is free again',
    body: z.strictObject({ address }),
    responses: {
      200: {
        description: 'It is declined',
        schema: z.object({ address, outcome: z.enum(['declined', 'already_declined', 'taken', 'expired']) }),
      },
    },
    async handler({ body, note }, { claims }) {
      const { address, outcome } = await claims.decline({ address: body.address }, note)
      return ok({ address, outcome })
    },
  }),
]
