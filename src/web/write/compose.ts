/** The page on which a human writes: a new mail, a reply, a forward, or a draft of theirs. Opening it stores nothing. */
import { newId, randomBase62 } from '../../lib/ids.js'
import type { About } from '../../mailbox/drafts/writing.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Draft } from '../../mailbox/objects/draft-object.js'
import { redirect, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { notice, ownerPage, PATHS } from '../page/person-frame.js'
import { exactly, plain } from '../page/words.js'
import { ServiceError } from '../../lib/errors.js'
import { cut } from '../../lib/text.js'
import {
  inboxMailbox,
  mailboxesOf,
  requireActiveAccount,
  WRITE_PATH,
  type InboxDeps,
  type InboxPage,
} from '../inbox/deps.js'
import { orGone } from '../inbox/gone.js'
import { listPath } from '../inbox/listing.js'
import { writeForm, type Composition } from './form.js'
import { typedList, typedTime, type Typed } from './fields.js'
import { usedAddresses } from './people.js'
import { WRITE_SCRIPT_PATH } from './script.js'

/** Characters shown of what is answered. */
const SHOWN_CHARS = 20_000

const DONE = {
  saved: 'Saved. It is in “Drafts” until you send it.',
  undone: 'It was not sent, and is a draft again. Its signature is part of the text by now.',
}

export const composePage: InboxPage = {
  method: 'GET',
  path: WRITE_PATH,
  access: 'session',
  async answer({ query, visitor }, deps) {
    const above = notice(query, DONE)
    const draft = await itemOf(query.get('draft'), visitor, deps)
    if (draft) {
      const opened = await orGone(() => deps.mailboxes.writing.open(draft.mailbox.id, draft.id))
      const { draft: stored } = opened
      // A draft of an agent, or one with HTML, is decided on rather than written.
      if (stored.composed_by !== 'human' || stored.review !== null || stored.html !== null) {
        return redirect(`${PATHS.drafts}/${draft.mailbox.id}/${draft.id}`)
      }
      return writePage(await compositionOf(draft.mailbox, opened, deps), { above }, visitor, deps)
    }
    for (const [name, aboutOf] of ABOUT) {
      const item = await itemOf(query.get(name), visitor, deps)
      if (item) return writePage(await begun(item.mailbox, aboutOf(item.id), deps), { above }, visitor, deps)
    }
    await requireActiveAccount(visitor.session.accountId, deps)
    const { offered } = await mailboxesOf(visitor.session.accountId, deps)
    const mailbox = offered.find(({ address }) => address === query.get('mailbox')) ?? offered[0]
    if (mailbox) return writePage({ ...(await blank(mailbox, deps)), choice: offered }, { above }, visitor, deps)
    throw new ServiceError('not_found', 'You have no mailbox to write from.', 'An agent of yours claims one first.')
  },
}

const ABOUT: readonly (readonly [string, (id: string) => About])[] = [
  ['reply', (reply) => ({ reply, isToAll: false })],
  ['all', (reply) => ({ reply, isToAll: true })],
  ['forward', (forward) => ({ forward })],
]

/** @param item `mbx_…/drf_…` or `mbx_…/msg_…` */
async function itemOf(item: string | null, visitor: Visitor, deps: InboxDeps) {
  if (item === null) return undefined
  const [mailboxId = '', id = ''] = item.split('/')
  return { mailbox: await inboxMailbox(visitor, mailboxId, deps), id }
}

const NOTHING: Typed = { to: '', cc: '', bcc: '', subject: '', text: '', sendAt: '' }

/** An empty form. Its draft has an id already, so that two saves of it make one draft. */
export async function blank(mailbox: MailboxRecord, deps: InboxDeps): Promise<Composition> {
  const [people, { signature }] = await Promise.all([
    usedAddresses(mailbox.id, deps),
    deps.mailboxes.settings.get(mailbox.id),
  ])
  return {
    ...{ mailbox, choice: [], draftId: newId('drf', deps.clock.now()), revision: 0, form: randomBase62(22) },
    ...{ about: undefined, typed: NOTHING, files: [], taken: [], people, signature: signature?.text },
  }
}

export async function begun(mailbox: MailboxRecord, about: About, deps: InboxDeps): Promise<Composition> {
  const start = await orGone(() => deps.mailboxes.writing.start(mailbox.id, about))
  const { to, cc, subject, text, author, files } = start
  return {
    ...(await blank(mailbox, deps)),
    about,
    author: author?.address,
    typed: { ...NOTHING, to: typedList(to), cc: typedList(cc), subject, text: text === '' ? '' : `\n\n${text}` },
    taken: files,
  }
}

export async function compositionOf(
  mailbox: MailboxRecord,
  { draft, isSigned }: { draft: Draft; isSigned: boolean },
  deps: InboxDeps,
): Promise<Composition> {
  const { id, revision, to, cc, bcc, subject, text, from, send_at: sendAt, in_reply_to: answered } = draft
  const { signature, ...empty } = await blank(mailbox, deps)
  return {
    ...empty,
    ...{ draftId: id, revision, files: draft.attachments },
    about: answered === null ? undefined : { reply: answered, isToAll: false },
    author: from?.address,
    signature: isSigned ? undefined : signature,
    typed: {
      ...{ to: typedList(to), cc: typedList(cc), bcc: typedList(bcc), subject, text },
      sendAt: typedTime(sendAt),
    },
  }
}

/** @param above what has to be said first */
export async function writePage(
  composition: Composition,
  { above, status }: { above: Html | undefined; status?: number },
  visitor: Visitor,
  deps: InboxDeps,
): Promise<Answer> {
  const { mailbox, about } = composition
  const title = about === undefined ? 'Write' : 'forward' in about ? 'Forward' : 'Answer'
  return ownerPage(
    {
      place: PATHS.inbox,
      title,
      isWide: true,
      script: WRITE_SCRIPT_PATH,
      ...(status !== undefined && { status }),
      body: html`${above}
        <p class="small">
          <a href="${listPath({ mailbox: mailbox.address })}" data-key="u">Inbox of ${mailbox.address}</a>
        </p>
        ${writeForm(composition, visitor)} ${about && 'reply' in about && (await answered(mailbox, about.reply, deps))}`,
    },
    visitor,
    deps,
  )
}

async function answered(mailbox: MailboxRecord, messageId: string, { mailboxes }: InboxDeps): Promise<Html> {
  try {
    const { from, text, created_at: at } = await mailboxes.reading.message(mailbox.id, messageId)
    return html`<details>
      <summary>What it answers</summary>
      <p class="small">
        From <bdi>${from ? plain(from.name || from.address) : 'somebody unknown'}</bdi>, ${exactly(Date.parse(at))}. It
        is not quoted: who gets the answer has it.
      </p>
      <blockquote dir="auto">${plain(cut(text.trim(), SHOWN_CHARS))}</blockquote>
      ${text.length > SHOWN_CHARS && html`<p class="small">It goes on.</p>`}
    </details>`
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    return html`<p class="small">The message that it answers is deleted.</p>`
  }
}
