/** The human pauses an agent, and lets it go on. */
import { invalidRequest } from '../../lib/errors.js'
import { localPath } from '../page/local-path.js'
import { pausePath, resumePath, withdrawnQuery, WITHDRAWN_QUERY } from '../page/pause-form.js'
import { ownerAction, ownMailbox, PATHS } from '../page/person-frame.js'
import { mailboxPath } from './mailboxes.js'

const pause = ownerAction(pausePath('{id}'), async ({ params, form: sent, visitor, audit, noted }, deps) => {
  const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
  const what = sent.get('what')
  if (what !== 'sending' && what !== 'all')
    throw invalidRequest('This form is not one of ours.', 'Go back, reload the page, and press one of its buttons.', [
      { field: 'what', problem: 'not one of the buttons' },
    ])
  await noted({ action: 'mailbox.paused' }, (note) =>
    deps.mailboxes.pausing.pause(mailbox.id, { what, by: 'human' }, note),
  )
  const done = { done: what === 'all' ? 'stopped' : 'paused' }
  if (sent.get('withdraw') !== 'yes') return backTo(sent.get('back'), mailbox.id, done)
  const entry = { action: 'mailbox.mail_withdrawn', subject: { mailbox_id: mailbox.id } } as const
  const left = await audit(
    entry,
    () => deps.mailboxes.pausing.withdraw(mailbox.id),
    ({ withdrawn, on_their_way: late }) => ({ reason: `${withdrawn} withdrawn, ${late} on their way` }),
  )
  return backTo(sent.get('back'), mailbox.id, { ...done, ...withdrawnQuery(left) })
})

const resume = ownerAction(resumePath('{id}'), async ({ params, form: sent, visitor, noted }, deps) => {
  const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
  await noted({ action: 'mailbox.resumed' }, (note) => deps.mailboxes.pausing.resume(mailbox.id, 'human', note))
  return backTo(sent.get('back'), mailbox.id, { done: 'resumed' })
})

export const pausePages = [pause, resume]

/** The page of the inbox or the mailbox that had the form. */
function backTo(given: string | null, mailboxId: string, says: Record<string, string>): string {
  const own = mailboxPath(mailboxId)
  const origin = 'http://pages.invalid'
  const path = localPath(given, origin)
  const isOurs = path !== undefined && (path.startsWith(own) || new RegExp(`^${PATHS.inbox}(?:[/?]|$)`).test(path))
  const url = new URL(isOurs ? path : own, origin)
  for (const name of ['done', ...WITHDRAWN_QUERY]) url.searchParams.delete(name)
  for (const [name, value] of Object.entries(says)) url.searchParams.set(name, value)
  return url.pathname + url.search
}
