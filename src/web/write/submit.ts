/** Saving, sending and discarding what was written. What was typed is never lost: where something is wrong, the page has all of it again. */
import { ServiceError, type FieldProblem } from '../../lib/errors.js'
import { isId, randomBase62 } from '../../lib/ids.js'
import { DraftChangedError } from '../../mailbox/draft.js'
import type { DraftChange } from '../../mailbox/drafts/change.js'
import type { About, Saved } from '../../mailbox/drafts/writing.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Accepted, SendAttachment } from '../../mailbox/sending/requests.js'
import { inboxMailbox, itemPath, WRITE_PATH, writePath, type InboxDeps, type InboxPage } from '../inbox/deps.js'
import { orGone } from '../inbox/gone.js'
import { listPath } from '../inbox/listing.js'
import { redirect, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import type { FormFile } from '../page/multipart.js'
import type { PageInput, Visitor } from '../page/page.js'
import { plain } from '../page/words.js'
import { begun, blank, compositionOf, writePage } from './compose.js'
import { doubtView, type Composition } from './form.js'
import { changeBy, typedIn, type Typed } from './fields.js'

interface Submitted {
  mailbox: MailboxRecord
  /** Address that it goes from. */
  from: string
  draftId: string
  revision: number
  form: string
  about: About | undefined
  typed: Typed
  /** Ids of files that stay. */
  kept: string[]
  /** Ids of the forwarded message's files. */
  taken: string[]
  files: readonly FormFile[]
}

export const submitPage: InboxPage = {
  method: 'POST',
  path: WRITE_PATH,
  access: 'session',
  filesBytes: ({ limits }) => limits.bodyBytes,
  async answer(input, deps) {
    const sent = await submittedIn(input, deps)
    const { mailbox, draftId, revision } = sent
    const act = input.form.get('do')
    if (act === 'discard') return discarded(sent, input.visitor, deps)
    const { change, problems } = await changeOf(sent, deps)
    if (act === 'auto') return savedByScript(sent, change, problems, deps)
    let saved: Saved
    try {
      saved = await deps.mailboxes.writing.save(mailbox.id, draftId, { ...sent, change })
    } catch (error) {
      return refused(sent, error, input.visitor, deps)
    }
    if ('sent' in saved) return redirect(sentPath(mailbox, saved.sent))
    if (problems.length > 0) {
      const above = trouble('Nothing was sent. The rest is saved as a draft.', problems)
      return again(sent, { above, status: 400 }, input.visitor, deps)
    }
    const draft = `${mailbox.id}/${draftId}`
    if (act !== 'send' && act !== 'anyway') return redirect(writePath({ draft, done: 'saved' }))
    try {
      const how = { revision: saved.draft.revision, isAnyway: act === 'anyway', requestId: input.request.requestId }
      const outcome = await input.noted({ action: 'message.sent', subject: { mailbox_id: mailbox.id } }, (note) =>
        deps.mailboxes.writing.send(mailbox.id, draftId, { ...how, note }),
      )
      if ('sent' in outcome) return redirect(sentPath(mailbox, outcome.sent))
      return again(sent, { above: doubtView(outcome.doubt) }, input.visitor, deps)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const above = trouble(`It was not sent, and is saved as a draft. ${error.message}`, error.fields)
      return again({ ...sent, revision }, { above, status: error.status }, input.visitor, deps)
    }
  },
}

const sentPath = (mailbox: MailboxRecord, { id, thread_id: threadId }: Accepted): string =>
  `${itemPath(mailbox.id, threadId)}?sent=${id}`

async function submittedIn({ form, files, visitor }: PageInput<Visitor>, deps: InboxDeps): Promise<Submitted> {
  const [mailboxId = '', ...alias] = (form.get('mailbox') ?? '').split('/')
  const mailbox = await inboxMailbox(visitor, mailboxId, deps)
  const draftId = form.get('draft') ?? ''
  const revision = Number(form.get('revision') ?? '')
  const name = form.get('form') ?? ''
  if (!isId('drf', draftId) || !Number.isSafeInteger(revision) || revision < 0 || !/^\w{16,64}$/.test(name)) {
    throw new ServiceError(
      'invalid_request',
      'This form is not one of ours.',
      'Go back, reload the page, and try again.',
    )
  }
  return {
    ...{ mailbox, draftId, revision, form: name, files },
    from: alias.length > 0 ? alias.join('/') : mailbox.address,
    about: aboutIn(form),
    typed: typedIn(form),
    kept: [...new Set(form.getAll('keep'))],
    taken: [...new Set(form.getAll('take'))],
  }
}

function aboutIn(form: URLSearchParams): About | undefined {
  const [reply, all, forward] = [form.get('reply'), form.get('all'), form.get('forward')]
  if (forward !== null) return { forward }
  if (all !== null) return { reply: all, isToAll: true }
  return reply === null ? undefined : { reply, isToAll: false }
}

/** The change that the form asks for, with its files. */
async function changeOf(
  { mailbox, revision, about, typed, kept, taken, files }: Submitted,
  { mailboxes, limits }: InboxDeps,
): Promise<{ change: DraftChange; problems: FieldProblem[] }> {
  const { change, problems } = changeBy(typed)
  const count = kept.length + files.length + (revision === 0 ? taken.length : 0)
  if (count > limits.attachmentsPerMessage) {
    problems.push({ field: 'Files', problem: `A message may have at most ${limits.attachmentsPerMessage}.` })
    return { change, problems }
  }
  const recipients = [...(change.to ?? []), ...(change.cc ?? []), ...(change.bcc ?? [])].length
  if (recipients > limits.recipientsPerMessage) {
    problems.push({ field: 'To', problem: `To, Cc and Bcc may have at most ${limits.recipientsPerMessage} together.` })
    return { change: { ...change, to: undefined, cc: undefined, bcc: undefined }, problems }
  }
  const original = about && 'forward' in about && revision === 0 ? about.forward : undefined
  const forwarded: SendAttachment[] = []
  for (const id of original === undefined ? [] : taken) {
    const file = await orGone(() => mailboxes.reading.attachment(mailbox.id, original ?? '', id))
    forwarded.push({ filename: file.filename, contentType: file.contentType, content: file.content })
  }
  return { change: { ...change, attachments: [...kept.map((id) => ({ id })), ...forwarded, ...files] }, problems }
}

async function discarded(
  { mailbox, draftId, revision }: Submitted,
  _visitor: Visitor,
  deps: InboxDeps,
): Promise<Answer> {
  if (revision > 0) await deps.mailboxes.writing.discard(mailbox.id, draftId, revision)
  return redirect(`${listPath({ view: 'drafts', mailbox: mailbox.address })}&done=discarded`)
}

/** The page once more, with what was typed; the draft is stored by now, with the files. */
async function again(
  sent: Submitted,
  how: { above: Html; status?: number },
  visitor: Visitor,
  deps: InboxDeps,
): Promise<Answer> {
  const stored = await compositionOf(
    sent.mailbox,
    await deps.mailboxes.writing.open(sent.mailbox.id, sent.draftId),
    deps,
  )
  const { about = stored.about, typed, from: author } = sent
  return writePage({ ...stored, about, typed, author }, how, visitor, deps)
}

/** Nothing was saved. */
async function refused(sent: Submitted, error: unknown, visitor: Visitor, deps: InboxDeps): Promise<Answer> {
  if (error instanceof DraftChangedError) {
    const other = writePath({ draft: `${sent.mailbox.id}/${sent.draftId}` })
    const above = html`<div class="card notice bad" role="alert">
      <p>
        <strong>Not saved.</strong> This draft was changed in another window. Below is what you have typed here;
        <a href="${other}" target="_blank">the other one</a> opens beside it. Saving or sending this one replaces the
        other.
      </p>
    </div>`
    return again(sent, { above, status: 409 }, visitor, deps)
  }
  if (!(error instanceof ServiceError)) throw error
  const isGone = error.code === 'not_found'
  const above = isGone
    ? trouble('It is not saved: this draft was sent or discarded in another window. Saving makes a new one.')
    : trouble(`It is not saved. ${error.message}`, error.fields)
  return writePage(
    { ...(await unsaved(sent, isGone, deps)), typed: sent.typed, author: sent.from },
    { above, status: error.status },
    visitor,
    deps,
  )
}

/** The form of a draft that could not be stored. */
async function unsaved(sent: Submitted, isGone: boolean, deps: InboxDeps): Promise<Composition> {
  const { mailbox, draftId, revision, about } = sent
  if (!isGone && revision > 0)
    return compositionOf(mailbox, await deps.mailboxes.writing.open(mailbox.id, draftId), deps)
  const fresh = about && !isGone ? await begun(mailbox, about, deps) : await blank(mailbox, deps)
  return isGone ? fresh : { ...fresh, draftId }
}

/** While a human writes: what can be read of the form is saved. */
async function savedByScript(
  sent: Submitted,
  change: DraftChange,
  problems: FieldProblem[],
  { mailboxes }: InboxDeps,
): Promise<Answer> {
  const saved = await mailboxes.writing
    .save(sent.mailbox.id, sent.draftId, { ...sent, change })
    .catch((error: unknown) => {
      if (error instanceof ServiceError) return error
      throw error
    })
  if (saved instanceof DraftChangedError) return json(409, { problem: 'This draft was changed in another window.' })
  if (saved instanceof ServiceError) return json(saved.status, { problem: saved.message })
  if ('sent' in saved) return json(409, { problem: 'This mail was sent in another window.' })
  const { revision, attachments } = saved.draft
  return json(200, {
    ...{ revision, form: randomBase62(22), unread: problems.map(({ field }) => field) },
    files: attachments.map(({ id, filename }) => ({ id, filename: plain(filename) })),
    at: writePath({ draft: `${sent.mailbox.id}/${sent.draftId}` }),
  })
}

function json(status: number, value: unknown): Answer {
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  return { status, headers, body: JSON.stringify(value) }
}

const trouble = (text: string, problems: readonly FieldProblem[] = []): Html =>
  html`<div class="card notice bad" role="alert">
    <p>${plain(text)}</p>
    ${
      problems.length > 0 &&
      html`<ul>
        ${problems.map(({ field, problem }) => html`<li>${field}: <bdi>${plain(problem)}</bdi></li>`)}
      </ul>`
    }
  </div>`
