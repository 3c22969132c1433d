/** Claiming an address: challenge, claim, status. */
import { z } from 'zod'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { ok } from '../../../http/routing/route.js'
import { defineAccountRoute } from '../parts.js'

const challengeSchema = z
  .object({
    challenge: z.string().describe('Opaque; hash it and send it back as it is'),
    difficulty: z.int().describe('Leading zero bits that SHA-256 of `<challenge>:<nonce>` must have'),
    expires_at: timeSchema,
    domains: z.array(z.string()).describe('Domains on which addresses can be claimed; the first is the default'),
    algorithm: z.literal('sha256'),
  })
  .meta({ id: 'Challenge' })

const claimResultSchema = z
  .object({
    address: z.string(),
    api_key: z.string().describe('Shown this once; keep it. It gains full access when the mailbox is approved'),
    claim_url: z.string().describe('Hand it to your human'),
    expires_at: timeSchema.describe('A mailbox that nobody has approved by then is removed'),
    next_steps: z.array(z.string()),
  })
  .meta({ id: 'ClaimResult' })

const claimStatusSchema = z
  .object({
    status: z.enum(['pending', 'claimed', 'declined', 'expired']),
    address: z.string(),
    expires_at: timeSchema.nullable(),
    next_steps: z.array(z.string()),
  })
  .meta({ id: 'ClaimStatus' })

const inviteSchema = z
  .object({
    id: z.string(),
    object: z.literal('invite'),
    to: z.string(),
    note: z.string().nullable(),
    sent_at: timeSchema,
    expires_at: timeSchema.describe('When the link in it expires'),
    invites_left: z.int().describe('How many more this claim may send'),
    next_steps: z.array(z.string()),
  })
  .meta({ id: 'ClaimInvite' })

const CHALLENGE = 'AaOzhKZ_12W-BOiyeHxVUCYBogLWr9UBogLf15UI-hB8YFkPOpivKOGRHjXr5LAawxdBTnJk4W8iKxUlliE'
const ADDRESS = 'weather.agent@agents.example'
const EXPIRES = '2026-11-23T10:39:14.019Z'
const NEXT_STEPS = [
  'Give claim_url to the human who shall own the mailbox, or have it mailed to them with POST /v1/claim/notify.',
  'Poll GET /v1/claim/status again in a minute or two, until status is "claimed".',
]

export const claimRoutes = [
  defineAccountRoute({
    method: 'GET',
    path: '/v1/claim/challenge',
    operationId: 'getClaimChallenge',
    summary: 'Get a proof-of-work challenge',
    description:
      'Find a decimal counter `nonce` such that the SHA-256 digest of the text `<challenge>:<nonce>` begins with `difficulty` zero bits, then send both to POST /v1/claim. A challenge works once, for ten minutes.',
    tag: 'Claims',
    auth: 'none',
    responses: {
      200: {
        description: 'A fresh challenge',
        schema: challengeSchema,
        example: {
          challenge: CHALLENGE,
          difficulty: 22,
          expires_at: '2026-11-22T10:49:13.877Z',
          domains: ['agents.example'],
          algorithm: 'sha256',
        },
      },
    },
    handler: ({ request }, { claims }) => ok(claims.challenge(request.remoteAddress)),
  }),
  defineAccountRoute({
    method: 'POST',
    path: '/v1/claim',
    operationId: 'claimMailbox',
    summary: 'Claim a mailbox address',
    description: 'The challenge is spent unless the request is malformed.',
    tag: 'Claims',
    auth: 'none',
    body: z
      .strictObject({
        name: z.string().max(200).describe('5 to 32 characters of a-z, 0-9, and single `.`, `-` or `_` between them'),
        domain: z.string().max(255).optional().describe("One of the challenge's `domains`; the first when left out"),
        challenge: z.string().max(2000),
        nonce: z
          .union([z.string().max(200), z.int().min(0)])
          .describe('Decimal counter, as text; a number is accepted up to 2^53 − 1'),
        agent_name: z.string().max(1000).optional().describe('Who you are, shown to the human who approves'),
      })
      .meta({ id: 'ClaimRequest' }),
    example: {
      body: { name: 'weather.agent', challenge: CHALLENGE, nonce: '2718281', agent_name: 'Weather helper' },
    },
    responses: {
      201: {
        description: 'The address is reserved for 24 hours, until a human approves it',
        schema: claimResultSchema,
        example: {
          address: ADDRESS,
          api_key: 'rst_pending_wtbAFVn4S02ZX0PRiHz5soQp5QRcbdJ4DHo7AjtDefw',
          claim_url: 'https://mail.agents.example/claim/VfxZtMshjbjjfxMpC9x4HYuJXO36ybVWeAN0RnjlGp5',
          expires_at: EXPIRES,
          next_steps: NEXT_STEPS,
        },
      },
    },
    errors: [
      'proof_invalid',
      'name_taken',
      'name_reserved',
      'challenge_expired',
      'challenge_used',
      'difficulty_raised',
    ],
    async handler({ body, request }, { claims }) {
      const { name, domain, challenge, nonce, agent_name: agentName } = body
      return {
        status: 201,
        json: await claims.claim({ name, domain, challenge, nonce: String(nonce), agentName }, request.remoteAddress),
      }
    },
  }),
  defineAccountRoute({
    method: 'POST',
    path: '/v1/claim/notify',
    operationId: 'inviteApprover',
    summary: 'Send the claim link to a human by mail',
    description:
      'At most two invites per claim. The mail comes from this server and quotes your agent_name and note; both are checked like outgoing mail of the highest trust level, and what would be held is refused. Refused invites do not count.',
    tag: 'Claims',
    auth: 'pending',
    idempotent: 'own',
    body: z
      .strictObject({
        to: z.string().max(320).describe('Where your human reads mail; one plain address'),
        note: z.string().max(4000).optional().describe('Who you are and why you ask; plain text, 1,000 characters'),
      })
      .meta({ id: 'InviteRequest' }),
    example: { body: { to: 'grace@example.org', note: 'I am the helper you set up today.' } },
    responses: {
      202: {
        description: 'Accepted for delivery',
        schema: inviteSchema,
        example: {
          id: 'inv_01K7E8GQ5M1T9Q4Y7RZV3B2XNG',
          object: 'invite',
          to: 'grace@example.org',
          note: 'I am the helper you set up today.',
          sent_at: '2026-11-22T10:39:14.049Z',
          expires_at: EXPIRES,
          invites_left: 1,
          next_steps: [
            `Tell your human to look for a mail about ${ADDRESS}, and to approve it by ${EXPIRES}.`,
            'Poll GET /v1/claim/status every minute or two, until status is "claimed".',
          ],
        },
      },
    },
    errors: ['invite_limit', 'recipient_suppressed', 'rate_limited'],
    async handler({ body, caller, request, idempotencyKey }, { claims }) {
      const asked = { to: body.to, note: body.note, idempotencyKey }
      const { id, ...invite } = await claims.notify(caller.mailboxId, asked, request.remoteAddress)
      return { status: 202, json: { id, object: 'invite' as const, ...invite } }
    },
  }),
  defineAccountRoute({
    method: 'GET',
    path: '/v1/claim/status',
    operationId: 'getClaimStatus',
    summary: 'Get the status of the claim',
    description: 'Poll every minute or two until `status` is `claimed`.',
    tag: 'Claims',
    auth: 'pending',
    responses: {
      200: {
        description: 'The state of the claim',
        schema: claimStatusSchema,
        example: { status: 'pending', address: ADDRESS, expires_at: EXPIRES, next_steps: NEXT_STEPS },
      },
    },
    handler: ({ caller }, { claims }) => ok(claims.status(caller.mailboxId, caller.scopes)),
  }),
]
