/** The human pauses an agent, and lets it go on. */
import { invalidRequest } from '../../lib/errors.js'
import { localPath } from '../page/local-path.js'
import { pausePath, resumePath } from '../page/pause-form.js'
import { ownerAction, ownMailbox, PATHS } from '../page/person-frame.js'
import { mailboxPath } from './mailboxes.js'

const pause = ownerAction(pausePath('{id}'), async ({ params, form: sent, visitor, noted }, deps) => {
  const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
  const what = sent.get('what')
  if (what !== 'sending' && what !== 'all')
    throw invalidRequest('This form is not one of ours.', 'Go back, reload the page, and press one of its buttons.', [
      { field: 'what', problem: 'not one of the buttons' },
    ])
  await noted({ action: 'mailbox.paused' }, (note) =>
    deps.mailboxes.pausing.pause(mailbox.id, { what, by: 'human' }, note),
  )
  return backTo(sent.get('back'), mailbox.id, what === 'all' ? 'stopped' : 'paused')
})

const resume = ownerAction(resumePath('{id}'), async ({ params, form: sent, visitor, noted }, deps) => {
  const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
  await noted({ action: 'mailbox.resumed' }, (note) => deps.mailboxes.pausing.resume(mailbox.id, 'human', note))
  return backTo(sent.get('back'), mailbox.id, 'resumed')
})

export const pausePages = [pause, resume]

/** The page of the inbox or the mailbox that had the form. */
function backTo(given: string | null, mailboxId: string, done: 'paused' | 'stopped' | 'resumed'): string {
  const own = mailboxPath(mailboxId)
  const origin = 'http://pages.invalid'
  const path = localPath(given, origin)
  const isOurs = path !== undefined && (path.startsWith(own) || new RegExp(`^${PATHS.inbox}(?:[/?]|$)`).test(path))
  const url = new URL(isOurs ? path : own, origin)
  url.searchParams.set('done', done)
  return url.pathname + url.search
}
