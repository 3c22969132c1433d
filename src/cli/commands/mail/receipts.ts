/** `restante receipts`: incoming delivery attempts. */
import { z } from 'zod'
import { systemClock, timestamp } from '../../../lib/clock.js'
import { receiptSchema, type Receipt } from '../../../receipts/types.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT, type Command, type Invocation } from '../../terminal/command.js'
import { json, table } from '../../terminal/output.js'
import { parseWhen } from '../../terminal/when.js'

const pageSchema = z.object({
  data: z.array(receiptSchema),
  next_cursor: z.string().nullable(),
  not_kept: z.int(),
})

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 100_000
const MAX_PAGE = 500

export const receipts: Command = {
  name: 'receipts',
  args: ['[RECEIPT_ID]'],
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
  async run({ args: [id], options, flags, config, print, note }) {
    const { limit, filter } = id === undefined ? queryOf(options) : { limit: 1, filter: oneOf(id, options) }
    const settings = config()
    const found: Receipt[] = []
    let cursor: string | null = null
    let notKept = 0
    do {
      const query = new URLSearchParams(filter)
      query.set('limit', String(Math.min(MAX_PAGE, limit - found.length)))
      if (cursor !== null) query.set('cursor', cursor)
      const page: z.infer<typeof pageSchema> = await askDaemon(settings, 'GET', `/receipts?${query}`, pageSchema)
      found.push(...page.data)
      cursor = page.next_cursor
      notKept = page.not_kept
    } while (cursor !== null && found.length < limit)
    if (id !== undefined && found.length === 0) throw noSuchReceipt(id)
    if (flags.json) print(json(found))
    else if (found.length === 0) note('There is no receipt that fits.')
    else print(table(['TIME', 'REPLY', 'FROM', 'TO', 'CLIENT', 'SPF/DKIM/DMARC', 'ID', 'WHY'], found.map(rowOf)))
    if (cursor !== null) note(`There are more: --until ${found.at(-1)?.at ?? ''} or a larger --limit shows them.`)
    if (notKept > 0)
      note(`Of these days ${notKept} receipts of attempts that were not accepted were not kept: too many came.`)
    return EXIT.ok
  },
}

/** @throws CommandError (usage) */
function oneOf(id: string, options: Invocation['options']): { id: string } {
  const stray = (['address', 'since', 'until', 'limit'] as const).find((name) => options[name] !== undefined)
  if (stray !== undefined) throw usage(`--${stray} has no use with the number of one receipt`)
  return { id }
}

function noSuchReceipt(id: string): CommandError {
  return new CommandError(
    EXIT.failed,
    `There is no receipt ${id}. A number is such as rcp_01J9Z6Y2V5C7Q3H8K4M0N1P2R3; receipts are kept for retention.receipts_days.`,
  )
}

/** @throws CommandError (usage) */
function queryOf({ address, since, until, limit }: Invocation['options']): {
  filter: Record<string, string>
  limit: number
} {
  const now = systemClock.now()
  const from = when('since', since, now)
  const to = when('until', until, now)
  if (from !== undefined && from > now) throw usage(`--since ${since} lies in the future`)
  if (from !== undefined && to !== undefined && from >= to) throw usage('--since has to be before --until')
  if (address !== undefined && !/^[^\s@][^\s]*@[^\s@]+$/.test(address))
    throw usage(`--address takes a whole address such as bob@example.org, not "${address}"`)
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit)
  if (limit?.trim() === '' || !Number.isInteger(count) || count < 1 || count > MAX_LIMIT)
    throw usage(`--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${limit}"`)
  return {
    filter: {
      ...(address === undefined ? {} : { address }),
      ...(from === undefined ? {} : { since: timestamp(from) }),
      ...(to === undefined ? {} : { until: timestamp(to) }),
    },
    limit: count,
  }
}

function when(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const at = parseWhen(text, now)
  if (at !== undefined && at >= 0) return at
  throw usage(`--${option} takes a time such as 2026-11-20T08:00:00Z or an age such as 30m, 2h or 3d, not "${text}"`)
}

function usage(problem: string): CommandError {
  return new CommandError(EXIT.usage, `${problem}\nSee: restante receipts -h`)
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
