/** `restante claim …`: approving addresses. */
import { z } from 'zod'
import { askDaemon } from '../../terminal/admin.js'
import { EXIT, type Command } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'

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

const list: Command = {
  name: 'claim list',
  args: [],
  options: ['json'],
  summary: 'list the addresses that wait for approval',
  about: 'Asks the running daemon. A claim that nobody approves within 24 hours is removed.',
  examples: ['restante claim list', "restante claim list --json | jq -r '.[].address'"],
  async run({ config, flags, print, note }) {
    const { data } = await askDaemon(config(), 'GET', '/claims', claimsSchema)
    if (flags.json) {
      print(json(data))
    } else if (data.length === 0) {
      note('No claim waits for approval.')
    } else {
      const rows = data.map((claim) => [claim.address, claim.agent_name ?? '', claim.created_at, claim.expires_at])
      print(table(['ADDRESS', 'AGENT', 'CLAIMED', 'EXPIRES'], rows))
    }
    return EXIT.ok
  },
}

const approve: Command = {
  name: 'claim approve',
  args: ['ADDRESS'],
  options: ['owner', 'json'],
  summary: 'approve a claimed address',
  about:
    "The mailbox joins the account of its owner (made when missing), and the agent's key gains full access at once. Approving again changes nothing.",
  examples: [
    'restante claim approve ada@agents.example.com',
    'restante claim approve ada@agents.example.com --owner bob@example.com',
  ],
  async run({ args: [address], options: { owner }, config, flags, print }) {
    const approved = await askDaemon(config(), 'POST', '/claims/approve', approvedSchema, { address, owner })
    if (flags.json) print(json(approved))
    else if (approved.already_approved)
      print(`${printable(approved.address)} was approved before (account ${approved.account_id}).`)
    else
      print(`${printable(approved.address)} is approved (account ${approved.account_id}). The agent's key works now.`)
    return EXIT.ok
  },
}

const declinedSchema = z.object({
  address: z.string(),
  outcome: z.enum(['declined', 'already_declined', 'taken', 'expired']),
})

const decline: Command = {
  name: 'claim decline',
  args: ['ADDRESS'],
  options: ['json'],
  summary: 'decline a claimed address',
  about:
    'The name is free again at once, mail to it is refused, and the agent sees it in its status. An approved claim cannot be declined.',
  examples: ['restante claim decline ada@agents.example.com'],
  async run({ args: [address], config, flags, print, note }) {
    const answer = await askDaemon(config(), 'POST', '/claims/decline', declinedSchema, { address })
    const isDone = answer.outcome === 'declined' || answer.outcome === 'already_declined'
    if (flags.json) print(json(answer))
    else (isDone ? print : note)(`${printable(answer.address)} ${DECLINED[answer.outcome]}`)
    return isDone ? EXIT.ok : EXIT.failed
  },
}

const DECLINED: Record<z.infer<typeof declinedSchema>['outcome'], string> = {
  declined: 'is declined; its name is free again.',
  already_declined: 'was declined before.',
  taken: 'is approved and belongs to an account; see "restante account show".',
  expired: 'is not waiting any more: nobody approved it within 24 hours.',
}

export const claimCommands: readonly Command[] = [list, approve, decline]
