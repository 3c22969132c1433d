/** `restante review …`: held messages and decisions. */
import { systemClock } from '../../../lib/clock.js'
import { markEvidence } from '../../../mailbox/review/evidence-marks.js'
import {
  reviewDetailsSchema,
  reviewLogSchema,
  reviewOutcomeSchema,
  reviewPageSchema,
  type ReviewDetails,
  type ReviewLogEntry,
  type ReviewOutcome,
} from '../../../mailbox/review/objects.js'
import { askDaemon, operatingUser, queryOf } from '../../terminal/admin.js'
import { numberOption } from '../../terminal/arguments.js'
import { defineCommand, EXIT, type ExitCode, type Invocation } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { facts, json, optionalTable, printable, printableLines, printList, type Cell } from '../../terminal/output.js'
import { ago } from '../../terminal/words.js'

const EXAMPLE_ID = 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'
const MAX_LIMIT = 500

const list = defineCommand({
  usage: 'review list',
  options: ['blocked', 'limit', 'json'],
  summary: 'list the messages held for review',
  about:
    'Asks the running daemon: outbound messages of all mailboxes that the guard was not sure about, oldest first. With --blocked: messages it blocked within the\nlast 7 days, newest first. Mail held by "restante queue hold" is not listed here.',
  examples: ['restante review list', 'restante review list --blocked --limit 20'],
  async run(invocation) {
    const { options, config, note } = invocation
    const limit = String(numberOption(invocation, 'limit', MAX_LIMIT))
    const query = queryOf({ status: options.blocked ? 'blocked' : 'held', limit })
    const page = await askDaemon(config(), 'GET', `/review?${query}`, reviewPageSchema)
    const now = systemClock.now()
    printList(
      invocation,
      page.data,
      ['ID', 'AGE', 'FROM', 'TO', 'RCPT', 'CATEGORY', 'WHY', 'APPEAL', 'SUBJECT'],
      ({ id, at, sender, to, recipient_count: count, category, reasons, appeal, subject }) => [
        id,
        ago(at, now),
        `<${sender.address}>`,
        `<${to[0] ?? ''}>`,
        count,
        category,
        reasons[0]?.code,
        appeal === null ? '' : 'yes',
        subject.slice(0, 60),
      ],
      options.blocked ? 'Nothing was blocked in the last 7 days.' : 'Nothing waits for review.',
    )
    if (page.has_more)
      note(`There are more: ${page.counts.held} held, ${page.counts.blocked} blocked in the last 7 days.`)
  },
})

const show = defineCommand({
  usage: 'review show MESSAGE_ID',
  options: ['json'],
  summary: 'show one message with the evidence in it',
  about:
    'Asks the running daemon: the message as text, the findings of the guard, and its sender. Evidence is marked »like this«. Nothing is fetched, HTML is not\nrendered, and control characters become U+FFFD.',
  examples: [`restante review show ${EXAMPLE_ID}`],
  async run({ args: [id], options, config, print }) {
    const details = await askDaemon(config(), 'GET', `/review/message?${queryOf({ id })}`, reviewDetailsSchema)
    print(options.json ? json(details) : describe(details, systemClock.now()))
  },
})

const approve = defineCommand({
  usage: 'review approve MESSAGE_ID',
  options: ['json'],
  summary: 'send a message',
  about:
    'The message is delivered like any other, and its sender gets the events. A blocked message can be approved for 7 days. Recipients that were suppressed\nmeanwhile are left out. A message that was already decided stays as it is.',
  examples: [`restante review approve ${EXAMPLE_ID}`],
  run: (invocation) => decide(invocation, 'approve', {}),
})

const reject = defineCommand({
  usage: 'review reject MESSAGE_ID',
  options: ['reason', 'json'],
  summary: 'do not send a message',
  about: 'It stays in the mailbox of its sender, blocked for good. The reason is for the sender to read.',
  examples: [`restante review reject ${EXAMPLE_ID} --reason "Write only to people who expect it."`],
  run: (invocation) => decide(invocation, 'reject', { note: invocation.options.reason }),
})

const suspend = defineCommand({
  usage: 'review suspend MESSAGE_ID',
  options: ['reason', 'yes', 'json'],
  summary: 'do not send a message, and suspend its account',
  about:
    'Does what "review reject" and, for the account of the sender, "account suspend" do; the owner gets a letter with the reason. Asks first; in a script, give\n--yes.',
  examples: [`restante review suspend ${EXAMPLE_ID} --reason "Phishing; please write to us."`],
  async run(invocation) {
    const { args, options, usage } = invocation
    const { reason } = options
    if (reason === undefined) throw usage('"review suspend" needs --reason TEXT; the owner of the account reads it')
    const agreed = await isAgreed(
      invocation,
      () =>
        `This would reject ${printable(args[0] ?? '')} for good, and suspend its account, whose owner gets a letter.`,
    )
    return agreed ? decide(invocation, 'suspend', { reason }) : EXIT.failed
  },
})

const log = defineCommand({
  usage: 'review log',
  options: ['limit', 'json'],
  summary: 'list who decided what, the newest first',
  about: 'Asks the running daemon. Entries are kept for retention.review_log_days and have no content of messages.',
  examples: ['restante review log --limit 20'],
  async run(invocation) {
    const { config, note } = invocation
    const query = queryOf({ limit: String(numberOption(invocation, 'limit', MAX_LIMIT)) })
    const { data, has_more: hasMore } = await askDaemon(config(), 'GET', `/review/log?${query}`, reviewLogSchema)
    const head = ['WHEN', 'DECISION', 'BY', 'MESSAGE', 'ACCOUNT', 'CHECK SAID', 'CODES', 'NOTE']
    printList(invocation, data, head, rowOf, 'The log has no decisions.')
    if (hasMore) note('There are more; --limit N shows more.')
  },
})

export const commands = [list, show, approve, reject, suspend, log]

const DONE = { approve: 'approved', reject: 'rejected', suspend: 'rejected, and its account suspended' } as const

async function decide(
  { args: [id], options, config, print, note }: Invocation,
  action: 'approve' | 'reject' | 'suspend',
  more: Record<string, string | undefined>,
): Promise<ExitCode> {
  const by = `cli:${operatingUser()}`.slice(0, 64)
  const body = { id, by, ...more }
  const outcome = await askDaemon(config(), 'POST', `/review/${action}`, reviewOutcomeSchema, body)
  if (options.json) print(json(outcome))
  else printOutcome(outcome, print, note)
  // An earlier decision differs from the requested one.
  const isAsWanted = action === 'approve' ? outcome.decision === 'approve' : outcome.decision !== 'approve'
  return isAsWanted ? EXIT.ok : EXIT.failed
}

function printOutcome(outcome: ReviewOutcome, print: (text: string) => void, note: (text: string) => void): void {
  const { message_id: id, is_first: isFirst, decision, by, at, left_out: leftOut, held_by: heldBy } = outcome
  if (isFirst) print(`${id} is ${DONE[decision]}.`)
  else note(`${printable(by)} was first: ${id} was ${DONE[decision]} at ${at}. It stays so.`)
  if (!isFirst && decision === 'reject' && outcome.account_suspended) print('Its account is suspended now.')
  for (const { address, why } of leftOut) note(printable(`Left out: <${address}> (${why})`))
  if (heldBy !== null)
    note(printable(`It stays in the queue for now: the rule on ${heldBy} holds it (restante queue holds).`))
}

function rowOf(entry: ReviewLogEntry): Cell[] {
  return [
    entry.at,
    entry.decision,
    entry.by,
    entry.message_id,
    entry.account_id,
    `${entry.guard_decision} (${entry.category})`,
    entry.codes.join(' '),
    entry.note,
  ]
}

function describe(details: ReviewDetails, now: number): string {
  const { sender, recipients, reasons, links, attachments, decided } = details
  const excerpts = reasons.flatMap((reason) => reason.excerpts)
  const shown = (text: string): string => printableLines(marked(text, excerpts))
  const scores = Object.entries(details.scores)
    .sort(([, a], [, b]) => b - a)
    .map(([name, score]) => `${name} ${score}`)
  const head: [string, Cell][] = [
    ['Message', `${details.id} (${details.status})`],
    ['Since', `${details.at} (${ago(details.at, now)})`],
    ['Decided', decided && `${decided.decision} by ${decided.by} at ${decided.at}`],
    ['Obstacle', decided === null ? details.obstacle : null],
    ['Check', `${details.guard_decision}: ${details.category} (${scores.join(', ')})`],
    [
      'Mailbox',
      `${sender.address}, since ${sender.since.slice(0, 10)}, ${sender.sent} sent (${sender.sent_today} today), ${sender.received} received`,
    ],
    [
      'Account',
      `${sender.account_id ?? '(none)'} ${sender.owner ?? ''} (${sender.status}, trust level ${sender.trust_level ?? '-'})`,
    ],
    ['From', named(details.from)],
    ['Reply-To', details.reply_to.map(named).join(', ')],
    ...recipients.map(({ address, status, is_blind_copy: isBlind }): [string, Cell] => [
      'To',
      `<${address}>${isBlind ? ' (Bcc)' : ''} ${status}`,
    ]),
    ['Subject', marked(details.subject, excerpts)],
    ['Appeal', details.appeal],
  ]
  const evidence = reasons.map(({ code, detail, class: of }) => [code, of ?? '', detail])
  const targets = links.map(({ text, target }) => [marked(text, excerpts), marked(target, excerpts)])
  const files = attachments.map((one) => [one.filename, one.content_type, one.size_bytes, one.risk.join('; ')])
  return [
    facts(head, 10),
    ...optionalTable(['WHY', 'CLASS', 'EVIDENCE'], evidence),
    ...optionalTable(['LINK SAYS', 'GOES TO'], targets),
    ...optionalTable(['ATTACHMENT', 'TYPE', 'BYTES', 'RISK'], files),
    `--- text\n${shown(details.text)}`,
    ...(details.html_text === null ? [] : [`--- words of its HTML\n${shown(details.html_text)}`]),
    details.is_cut ? '--- (cut: it is longer than this)' : '---',
  ].join('\n\n')
}

function marked(text: string, excerpts: string[]): string {
  return markEvidence(text, excerpts)
    .map((piece) => (piece.isMarked ? `»${piece.text}«` : piece.text))
    .join('')
}

function named(address: { address: string; name: string | null } | null): string {
  if (address === null) return ''
  return address.name === null ? `<${address.address}>` : `"${address.name}" <${address.address}>`
}
