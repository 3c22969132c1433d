/** Drafts that an agent wants to send: the list of those that wait, and the human's decisions: send, discard, return. */
import { ServiceError } from '../../lib/errors.js'
import { downloadHeaders } from '../../http/answers/disposition.js'
import { DraftChangedError } from '../../mailbox/draft.js'
import type { ShownDraft } from '../../mailbox/drafts/shown.js'
import type { Draft } from '../../mailbox/objects/draft-object.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { redirect, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import type { PageInput, Visitor } from '../page/page.js'
import {
  notice,
  ownerAction,
  ownerPage,
  ownerView,
  ownMailbox,
  PATHS,
  waitingDrafts,
  type OwnerDeps,
  type OwnerPage,
} from '../page/person-frame.js'
import { moment, plain } from '../page/words.js'
import { draftPath, draftView, GUARD, MAX_EDITED_BYTES } from './draft-view.js'

const PATH = `${PATHS.drafts}/{mailbox_id}/{id}`
/** A form's encoding of the text takes up to six bytes for one: a line end is `%0D%0A`. */
const FORM_BYTES = 6 * MAX_EDITED_BYTES + 64 * 1024

const listPage = ownerView(PATHS.drafts, 'Drafts to decide', async ({ query, visitor }, deps) => {
  const drafts = await waitingDrafts(visitor.session.accountId, deps)
  const now = deps.clock.now()
  const addresses = new Map<string, string>()
  for (const { mailbox_id: id } of drafts) addresses.set(id, (await deps.mailboxes.directory.get(id))?.address ?? id)
  return html`${notice(query, DONE)}
  ${
    drafts.length === 0
      ? html`<p class="empty">
          No draft waits for you. When an agent sends mail that needs your approval, it is here until you decide. A
          mailbox or a key asks you once you say so on the page of <a href="${PATHS.mailboxes}">the mailbox</a>.
        </p>`
      : html`<ul>
          ${drafts.map(
            (draft) =>
              html`<li class="card">
                <a href="${draftPath(draft.mailbox_id, draft.id)}"><strong>${subjectOf(draft)}</strong></a>
                <div class="small">
                  From ${addresses.get(draft.mailbox_id)} to ${peopleOf([...draft.to, ...draft.cc, ...draft.bcc])}.
                  ${draft.review && html`Asked ${moment(Date.parse(draft.review.asked_at), now)}`}${
                    draft.review?.expires_at && html`, returned ${moment(Date.parse(draft.review.expires_at), now)}`
                  }.
                  ${draft.guard && draft.guard.decision !== 'send' && html`<span class="bad">${GUARD[draft.guard.decision]}</span>`}
                </div>
                <p>${plain(draft.preview)}</p>
              </li>`,
          )}
        </ul>`
  }`
})

const viewDraft: OwnerPage = {
  method: 'GET',
  path: PATH,
  access: 'session',
  async answer({ params, query, visitor }, deps) {
    const found = await mustFindDraft(params, visitor, deps)
    const above = query.get('done') === 'changed' ? trouble(CHANGED) : undefined
    return draftPage(found, { above }, visitor, deps)
  },
}

const viewFile: OwnerPage = {
  method: 'GET',
  path: `${PATH}/files/{file_id}`,
  access: 'session',
  async answer({ params, visitor }, deps) {
    const { mailbox, draft } = await mustFindDraft(params, visitor, deps)
    const { file, content } = await deps.mailboxes.deciding.file(mailbox.id, draft.id, params['file_id'] ?? '')
    const headers = { ...downloadHeaders(file.filename, file.contentType), 'Cache-Control': 'no-store' }
    return { status: 200, headers, body: content }
  },
}

const sendDraft: OwnerPage = {
  method: 'POST',
  path: `${PATH}/send`,
  access: 'session',
  formBytes: FORM_BYTES,
  async answer({ params, form: sent, visitor, audit, request }, deps) {
    const found = await findDraft(params, visitor, deps)
    if (!found) return GONE
    const { mailbox, draft } = found
    const seen = sent.get('form') ?? ''
    if (found.form !== seen) return redirect(`${draftPath(mailbox.id, draft.id)}?done=changed`)
    const change = changeBy(sent, draft)
    const subject = { mailbox_id: mailbox.id, draft_id: draft.id }
    const approve = () =>
      deps.mailboxes.deciding.approve(mailbox.id, draft.id, { form: seen, change, requestId: request.requestId })
    try {
      const { status } = await audit({ action: 'draft.approved', subject }, approve, ({ id }) => ({
        subject: { message_id: id },
      }))
      const outcome = status === 'held' || status === 'blocked' || status === 'scheduled' ? status : 'sent'
      return redirect(`${PATHS.drafts}?done=${outcome}`)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // The draft has the changes by now, so the form that is open is an old one.
      const now = await findDraft(params, visitor, deps)
      if (!now) return GONE
      const above = trouble(`It was not sent. ${error.message}`)
      return draftPage(now, { above, status: error.status }, visitor, deps)
    }
  },
}

const discardDraft = ownerAction(`${PATH}/discard`, (input, deps) =>
  refuse(input, deps, 'discarded', ({ id, mailbox_id: mailboxId }, refusal) =>
    deps.mailboxes.deciding.discard(mailboxId, id, refusal),
  ),
)

const returnDraft = ownerAction(`${PATH}/return`, (input, deps) =>
  refuse(input, deps, 'returned', ({ id, mailbox_id: mailboxId }, refusal) =>
    deps.mailboxes.deciding.sendBack(mailboxId, id, refusal),
  ),
)

export const draftPages: readonly OwnerPage[] = [listPage, viewDraft, viewFile, sendDraft, discardDraft, returnDraft]

/** @returns the path to go on to */
async function refuse(
  { params, visitor, form: sent, audit }: PageInput<Visitor>,
  deps: OwnerDeps,
  done: 'discarded' | 'returned',
  decide: (draft: Draft, refusal: { revision: number; note: string }) => Promise<void>,
): Promise<string> {
  const found = await findDraft(params, visitor, deps)
  if (!found) return `${PATHS.drafts}?done=gone`
  const { draft, mailbox } = found
  const refusal = { revision: Number(sent.get('revision') ?? ''), note: sent.get('note') ?? '' }
  const subject = { mailbox_id: mailbox.id, draft_id: draft.id }
  try {
    await audit({ action: `draft.${done}`, subject }, () => decide(draft, refusal))
  } catch (error) {
    if (!(error instanceof DraftChangedError)) throw error
    return `${draftPath(mailbox.id, draft.id)}?done=changed`
  }
  return `${PATHS.drafts}?done=${done}`
}

const DONE = {
  sent: 'The message is on its way. Your agent is told.',
  scheduled: 'The message is scheduled. Your agent is told.',
  held: "You approved the message. The guard holds it until the operator's staff has looked at it; your agent is told.",
  blocked: 'You approved the message, and the guard blocked it: it is not sent. Your agent is told why.',
  discarded: 'The draft is discarded. Your agent is told.',
  returned: 'The draft went back to your agent, with your note.',
  gone: 'That draft is not there any more: it was sent or discarded, or its agent has withdrawn it.',
}
const GONE = redirect(`${PATHS.drafts}?done=gone`)
const CHANGED = 'The draft has changed since you opened it, and nothing was done. Read it again.'

const trouble = (text: string): Html => html`<p class="card bad" role="alert">${text}</p>`

interface Found extends ShownDraft {
  mailbox: MailboxRecord
}

/** @returns undefined if it is gone @throws ServiceError `not_found` for a mailbox of somebody else */
async function findDraft(
  params: Record<string, string>,
  visitor: Visitor,
  { mailboxes }: OwnerDeps,
): Promise<Found | undefined> {
  const mailbox = await ownMailbox(visitor, params['mailbox_id'] ?? '', { mailboxes })
  try {
    return { mailbox, ...(await mailboxes.deciding.shown(mailbox.id, params['id'] ?? '')) }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    return undefined
  }
}

async function mustFindDraft(...asked: Parameters<typeof findDraft>): Promise<Found> {
  const found = await findDraft(...asked)
  if (found) return found
  throw new ServiceError('not_found', DONE.gone, `Drafts that wait for you are listed at ${PATHS.drafts}.`)
}

async function draftPage(
  found: Found,
  { above, status }: { above: Html | undefined; status?: number },
  visitor: Visitor,
  deps: OwnerDeps,
): Promise<Answer> {
  const title = found.draft.review?.status === 'waiting' ? 'Send this message?' : 'Draft'
  const body = html`${above} ${await draftView(found, visitor, deps)}`
  return ownerPage({ place: PATHS.drafts, title, body, ...(status !== undefined && { status }) }, visitor, deps)
}

/** The human's changes. Browsers send line ends as CR LF. */
function changeBy(sent: URLSearchParams, draft: Draft) {
  const subject = sent.get('subject')?.trim() ?? draft.subject
  const given = sent.get('text')?.replace(/\r\n?/g, '\n') ?? draft.text
  const isSame = given.trimEnd() === draft.text.replace(/\r\n?/g, '\n').trimEnd()
  if (isSame && subject === draft.subject.trim()) return undefined
  return { subject, ...(!isSame && { text: given, html: null }) }
}

function peopleOf(all: readonly Draft['to'][number][]): string {
  const shown = all.slice(0, 5).map(({ address }) => address)
  return shown.join(', ') + (all.length > 5 ? ` and ${all.length - 5} more` : '')
}

const subjectOf = ({ subject }: Pick<Draft, 'subject'>): string => (subject === '' ? '(no subject)' : plain(subject))
