/** `restante claim …`: approving addresses. */
import { z } from 'zod'
import { askDaemon } from '../../terminal/admin.js'
import { defineCommand, EXIT } from '../../terminal/command.js'
import { json, printable, printList } from '../../terminal/output.js'

const claimsSchema = z.object({
  data: z.array(
    z.object({
      address: z.string(),
      agent_name: z.string().nullable(),
      created_at: z.string(),
      expires_at: z.string(),
    }),
  ),
})

const approvedSchema = z.object({ address: z.string(), account_id: z.string(), already_approved: z.boolean() })

const list = defineCommand({
  usage: 'claim list',
  options: ['json'],
  summary: 'list the addresses that wait for approval',
  about: 'Asks the running daemon. A claim that nobody approves within 24 hours is removed.',
  examples: ['restante claim list', "restante claim list --json | jq -r '.[].address'"],
  async run(invocation) {
    const { data } = await askDaemon(invocation.config(), 'GET', '/claims', claimsSchema)
    printList(
      invocation,
      data,
      ['ADDRESS', 'AGENT', 'CLAIMED', 'EXPIRES'],
      (claim) => [claim.address, claim.agent_name, claim.created_at, claim.expires_at],
      'No claim waits for approval.',
    )
  },
})

const approve = defineCommand({
  usage: 'claim approve ADDRESS',
  options: ['owner', 'json'],
  summary: 'approve a claimed address',
  about:
    "The mailbox joins the account of its owner (made when missing), and the agent's key gains full access at once. Approving again changes nothing.",
  examples: [
    'restante claim approve ada@agents.example.com',
    'restante claim approve ada@agents.example.com --owner bob@example.com',
  ],
  async run({ args: [address], options: { owner, json: asJson }, config, print }) {
    const approved = await askDaemon(config(), 'POST', '/claims/approve', approvedSchema, { address, owner })
    if (asJson) print(json(approved))
    else if (approved.already_approved)
      print(`${printable(approved.address)} was approved before (account ${approved.account_id}).`)
    else
      print(`${printable(approved.address)} is approved (account ${approved.account_id}). The agent's key works now.`)
  },
})

const declinedSchema = z.object({
  address: z.string(),
  outcome: z.enum(['declined', 'already_declined', 'taken', 'expired']),
})

const decline = defineCommand({
  usage: 'claim decline ADDRESS',
  options: ['json'],
  summary: 'decline a claimed address',
  about:
    'The name is free again at once, mail to it is refused, and the agent sees it in its status. An approved claim cannot be declined.',
  examples: ['restante claim decline ada@agents.example.com'],
  async run({ args: [address], config, options, print, note }) {
    const answer = await askDaemon(config(), 'POST', '/claims/decline', declinedSchema, { address })
    const isDone = answer.outcome === 'declined' || answer.outcome === 'already_declined'
    if (options.json) print(json(answer))
    else (isDone ? print : note)(`${printable(answer.address)} ${DECLINED[answer.outcome]}`)
    return isDone ? EXIT.ok : EXIT.failed
  },
})

const DECLINED: Record<z.infer<typeof declinedSchema>['outcome'], string> = {
  declined: 'is declined; its name is free again.',
  already_declined: 'was declined before.',
  taken: 'is approved and belongs to an account; see "restante account show".',
  expired: 'is not waiting any more: nobody approved it within 24 hours.',
}

export const commands = [list, approve, decline]
