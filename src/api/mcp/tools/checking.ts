/** The tool check_before_sending: a dry run of a mail, reply or draft. */
import { z } from 'zod'
import { invalidRequest } from '../../../lib/errors.js'
import type { DryRun, SendOptions } from '../../../mailbox/sending/requests.js'
import type { Mailboxes } from '../../../mailbox/composition/mailboxes.js'
import { sendingAs } from '../../v1/approval.js'
import { subjectSchema } from '../../v1/schemas.js'
import { DRY_RUN_SHOWS, requireReading } from '../../v1/shown.js'
import { addresses, words } from './composing.js'
import { plural, reasonName } from '../text/people.js'
import { defineTool, messageId, READS } from '../tool.js'

const MAX_SHOWN = 50

const input = z.strictObject({
  draft_id: z.string().max(64).optional(),
  in_reply_to: messageId.optional(),
  reply_all: z.boolean().default(false),
  to: addresses.optional(),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  subject: subjectSchema.default(''),
  ...words,
})
const output = z.strictObject({
  decision: z.enum(['send', 'hold', 'block']),
  category: z.string(),
  reasons: z.array(z.string()),
  new_recipients_left: z.int(),
  untrusted: z.strictObject({ new_recipients: z.array(z.string()), details: z.array(z.string()) }),
})

export const checkBeforeSending = defineTool({
  name: 'check_before_sending',
  title: 'Check before sending',
  description: 'Checks a draft, an answer (in_reply_to) or a new mail (to) without sending it.',
  input,
  output,
  ...READS,
  scope: 'mail:send',
  async run({ mailboxes }, given, { caller, asker, fence }) {
    if (given.to === undefined) requireReading(caller, DRY_RUN_SHOWS)
    const found = await dryRun(mailboxes, caller.mailboxId, given, { dryRun: true, asker, ...sendingAs(caller) })
    const details = found.reasons.map((reason) => `${reasonName(reason)}: ${fence.inline(reason.detail, 500)}`)
    const people = found.new_recipients.slice(0, MAX_SHOWN).map((address) => fence.inline(address, 254))
    const structured = {
      decision: found.decision,
      category: found.category,
      reasons: found.reasons.map(({ code }) => code),
      new_recipients_left: found.new_recipients_left,
      untrusted: { new_recipients: people, details },
    }
    const cost = `It would count ${plural(found.new_recipients.length, 'new recipient')}; ${found.new_recipients_left} left today.`
    const theirs = [...details, ...people.map((address) => `New recipient: ${address}`)]
    const wait = found.requires_approval ? ' Your human would have to approve it first.' : ''
    const text = `${CONSEQUENCES[found.decision]} (${found.category}).${wait} ${cost}\n${fence.wrap(theirs.join('\n'))}`
    return { text, structured, untrusted: true }
  },
})

const CONSEQUENCES: Record<DryRun['decision'], string> = {
  send: 'It would be sent',
  hold: 'It would be held until staff review it',
  block: 'It would be blocked: change the parts that the reasons name',
}

async function dryRun(
  mailboxes: Mailboxes,
  mailboxId: string,
  given: z.output<typeof input>,
  options: SendOptions,
): Promise<DryRun> {
  const { draft_id: draft, in_reply_to: answered, reply_all: all, to, cc, bcc, subject, text, html = null } = given
  const kinds = { draft_id: draft, in_reply_to: answered, to }
  const named = Object.entries(kinds).filter(([, value]) => value !== undefined)
  if (named.length !== 1) {
    throw invalidRequest(
      'Name one thing to check.',
      'Call check_before_sending again with draft_id, with in_reply_to and text, or with to, subject and text.',
      Object.keys(kinds).map((field) => ({ field, problem: 'Give exactly one of draft_id, in_reply_to, to.' })),
    )
  }
  const answer =
    draft !== undefined
      ? await mailboxes.sending.sendDraft(mailboxId, draft, options)
      : answered !== undefined
        ? await mailboxes.sending.reply(mailboxId, answered, { text, html, attachments: [], all }, options)
        : await mailboxes.sending.send(
            mailboxId,
            {
              to: to ?? [],
              cc: cc ?? [],
              bcc: bcc ?? [],
              replyTo: [],
              subject,
              text,
              html,
              attachments: [],
              labels: [],
            },
            options,
          )
  if ('dry_run' in answer) return answer
  throw new Error('a dry run sent something')
}
