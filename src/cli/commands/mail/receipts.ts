/** `restante receipts`: incoming delivery attempts. */
import { z } from 'zod'
import { systemClock, timestamp } from '../../../lib/clock.js'
import { receiptSchema, type Receipt } from '../../../receipts/types.js'
import { askPages } from '../../terminal/admin.js'
import { numberOption, timeOption } from '../../terminal/arguments.js'
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { printList } from '../../terminal/output.js'

const pageSchema = z.object({
  data: z.array(receiptSchema),
  next_cursor: z.string().nullable(),
  not_kept: z.int(),
})

const MAX_LIMIT = 100_000
const PAGE_SIZE = 500

const receipts = defineCommand({
  usage: 'receipts [RECEIPT_ID]',
  options: ['address', 'since', 'until', 'limit', 'json'],
  summary: 'show delivery attempts to this server',
  about:
    'Asks the running daemon; newest first. Every attempt of a client to deliver a message leaves a receipt: accepted, refused, deferred (4xx) or given up by the\nclient. Receipts are kept for retention.receipts_days. --address finds senders, recipients and mailboxes. RECEIPT_ID is the number (rcp_…) in the 250 reply\nand in the Received field. --json prints all details: TLS, the results of SPF, DKIM, DMARC and ARC, virus, spam score, each recipient with its refusal.',
  examples: [
    'restante receipts --address bob@example.org --since 3d',
    'restante receipts rcp_01J9Z6Y2V5C7Q3H8K4M0N1P2R3 --json',
    'restante receipts --since 2026-11-20T08:00:00Z --until 2026-11-20T09:00:00Z',
    `restante receipts --json --limit 1000 | jq -r '.[] | select(.outcome == "refused") | .client.address' | sort | uniq -c`,
  ],
  async run(invocation) {
    const { args, config, note } = invocation
    const [id] = args
    const { limit, query } = id === undefined ? searched(invocation) : { limit: 1, query: oneOf(id, invocation) }
    const pages = await askPages(config(), '/receipts', query, pageSchema, limit, PAGE_SIZE)
    const found = pages.flatMap(({ data }) => data)
    if (id !== undefined && found.length === 0)
      throw new CommandError(
        EXIT.failed,
        `There is no receipt ${id}. A number is such as rcp_01J9Z6Y2V5C7Q3H8K4M0N1P2R3; receipts are kept for retention.receipts_days.`,
      )
    const head = ['TIME', 'REPLY', 'FROM', 'TO', 'CLIENT', 'SPF/DKIM/DMARC', 'ID', 'WHY']
    printList(invocation, found, head, rowOf, 'There is no receipt that fits.')
    const { next_cursor: cursor, not_kept: notKept = 0 } = pages.at(-1) ?? {}
    if (cursor) note(`There are more: --until ${found.at(-1)?.at ?? ''} or a larger --limit shows them.`)
    if (notKept > 0) note(`${notKept} receipts of refused attempts on these days were not kept: there were too many.`)
  },
})

export const commands = [receipts]

/** @throws CommandError (usage) */
function oneOf(id: string, { options, usage }: Invocation) {
  const stray = (['address', 'since', 'until', 'limit'] as const).find((name) => options[name] !== undefined)
  if (stray !== undefined) throw usage(`--${stray} cannot be combined with the number of one receipt`)
  return { id }
}

/** @throws CommandError (usage) */
function searched(invocation: Invocation) {
  const { options, usage } = invocation
  const { address, since } = options
  const now = systemClock.now()
  const from = timeOption(invocation, 'since', now)
  const to = timeOption(invocation, 'until', now)
  if (from !== undefined && from > now) throw usage(`--since ${since} lies in the future`)
  if (from !== undefined && to !== undefined && from >= to) throw usage('--since has to be before --until')
  if (address !== undefined && !/^[^\s@][^\s]*@[^\s@]+$/.test(address))
    throw usage(`--address takes a whole address such as bob@example.org, not "${address}"`)
  const at = (ms: number | undefined) => (ms === undefined ? undefined : timestamp(ms))
  return { query: { address, since: at(from), until: at(to) }, limit: numberOption(invocation, 'limit', MAX_LIMIT) }
}

function rowOf(receipt: Receipt): string[] {
  const { auth, client, recipients, recipients_left_out } = receipt
  const [first] = recipients
  const others = recipients.length - 1 + recipients_left_out
  return [
    receipt.at,
    receipt.reply ? `${receipt.reply.code} ${receipt.reply.enhanced}` : receipt.outcome,
    `<${receipt.from}>`,
    `${first ? `<${first.address}>` : ''}${others > 0 ? ` +${others}` : ''}`,
    client.name === null ? client.address : `${client.name} [${client.address}]`,
    auth ? `${auth.spf}/${auth.dkim}/${auth.dmarc}` : '',
    receipt.id,
    whyOf(receipt),
  ]
}

function whyOf({ outcome, reply, virus, spam, labels, recipients }: Receipt): string {
  const refused = recipients.filter((recipient) => recipient.refusal !== null).length
  const parts = [
    outcome === 'accepted'
      ? labels.map((label) => `labelled ${label}`).join(', ')
      : (reply?.text ?? 'the client went away'),
    refused > 0 && refused < recipients.length ? `${refused} of ${recipients.length} recipients refused` : '',
    virus?.verdict === 'infected' ? (virus.detail ?? '') : '',
    spam && spam.verdict !== 'ham' ? `spam score ${spam.score}: ${spam.reasons.join(', ')}` : '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}
