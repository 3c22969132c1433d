/** Notices about a deletion to the owner and the mailboxes of an account. A crash may repeat them. */
import type { Letter, LetterPart, Letters } from '../../accounts/letters.js'
import type { AccountRecord, Accounts } from '../../accounts/types.js'
import { type Clock, utcDay } from '../../lib/clock.js'
import { appendDeletionCancelled, appendDeletionScheduled } from '../../mailbox/settings/deletion-events.js'
import { readMailbox } from '../../mailbox/record.js'
import type { Store } from '../../store/types.js'
import { GRACE_DAYS, type DeletionRecord } from './record.js'

export interface DeletionNoticesDeps {
  store: Store
  clock: Clock
  accounts: Pick<Accounts, 'mailboxes'>
  /** Undefined if no mail can be sent to humans. */
  letters: Pick<Letters, 'post'> | undefined
  /** Without a slash at its end. */
  baseUrl: string
}

/** Max mailboxes listed in a mail; the others are counted. */
const NAMED_MAILBOXES = 20

export type DeletionNotices = ReturnType<typeof createDeletionNotices>

export function createDeletionNotices({ store, clock, accounts, letters, baseUrl }: DeletionNoticesDeps) {
  const host = new URL(baseUrl).host

  async function post(id: string, { owner }: AccountRecord, letter: Omit<Letter, 'to'>): Promise<void> {
    if (owner !== null) await letters?.post(id, { to: owner, ...letter })
  }

  async function mailboxFacts(mailboxIds: string[]): Promise<LetterPart> {
    const named = await Promise.all(mailboxIds.slice(0, NAMED_MAILBOXES).map((id) => readMailbox(store, id)))
    const rows = named.filter((mailbox) => mailbox !== undefined).map(({ address }) => ['Mailbox', address] as const)
    const others = mailboxIds.length - named.length
    return { kind: 'facts', rows: others > 0 ? [...rows, ['And', `${others} more`] as const] : rows }
  }

  return {
    async scheduled(account: AccountRecord, { startedAt, endsAt, by }: DeletionRecord): Promise<void> {
      const mailboxIds = await accounts.mailboxes(account.id)
      for (const id of mailboxIds)
        await appendDeletionScheduled(store, id, { accountId: account.id, startedAt, endsAt }, clock.now())
      const day = utcDay(endsAt)
      await post(`deletion-scheduled:${account.id}:${startedAt}`, account, {
        subject: `Your account at ${host} will be deleted on ${day}`,
        parts: [
          { kind: 'text', text: `${WHO[by.kind]} requested the deletion of your account at ${host}.` },
          await mailboxFacts(mailboxIds),
          {
            kind: 'text',
            text: `Sending has stopped and API keys no longer work. Mail still arrives until ${day}, ${GRACE_DAYS} days after the request. Then the mailboxes with all mail, the keys and the account itself are removed for good, and nobody can bring them back.`,
          },
          { kind: 'text', text: 'If that is not what you want, sign in and cancel it before then.' },
          { kind: 'link', label: 'Open your account', url: `${baseUrl}/account` },
        ],
      })
    },

    async cancelled(account: AccountRecord, startedAt: number, { withLetter }: { withLetter: boolean }): Promise<void> {
      for (const id of await accounts.mailboxes(account.id))
        await appendDeletionCancelled(store, id, { accountId: account.id, startedAt }, clock.now())
      if (!withLetter) return
      await post(`deletion-cancelled:${account.id}:${startedAt}`, account, {
        subject: `Your account at ${host} stays`,
        parts: [
          { kind: 'text', text: `The deletion of your account at ${host} was cancelled. API keys work again.` },
          {
            kind: 'text',
            text: 'Mail that was waiting when the deletion was requested was not sent; its messages have the status.',
          },
          { kind: 'link', label: 'Open your account', url: `${baseUrl}/account` },
        ],
      })
    },

    async deleted(account: AccountRecord, startedAt: number): Promise<void> {
      await post(`deleted:${account.id}:${startedAt}`, account, {
        subject: `Your account at ${host} has been deleted`,
        parts: [
          {
            kind: 'text',
            text: `The ${GRACE_DAYS} days are over. Your account at ${host} was removed with its mailboxes, all mail and attachments, keys and sign-ins. Files that were deleted leave the disk within 7 days; copies in backups disappear when the backups expire.`,
          },
          { kind: 'text', text: 'This is the last message about it; your address is removed once it is sent.' },
        ],
      })
    },
  }
}

const WHO = {
  key: 'An agent with a key of your account',
  session: 'Somebody who was signed in',
  operator: 'The operator of the server',
}
