/** Removes hold rules of deleted mailboxes, from store and memory. */
import { isId } from '../../lib/ids.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { HoldRule, Holds } from '../queue/holds.js'

/** @returns removes the rules about an account, its mailboxes and their messages; call it while these can still be looked up */
export function createForgetHolds({
  holds,
  mailboxes,
}: {
  holds: Pick<Holds, 'list' | 'released' | 'release' | 'forget'>
  mailboxes: { outbound: Pick<OutboundMail, 'envelope'> }
}): (accountId: string, mailboxIds: ReadonlySet<string>) => Promise<void> {
  const isOfAny = async (mailboxIds: ReadonlySet<string>, messageId: string): Promise<boolean> => {
    for (const id of mailboxIds) if (await mailboxes.outbound.envelope(id, messageId)) return true
    return false
  }

  const isAbout = async (
    { kind, value }: HoldRule,
    accountId: string,
    mailboxIds: ReadonlySet<string>,
  ): Promise<boolean> => {
    if (kind === 'account') return value === accountId
    if (kind === 'mailbox') return mailboxIds.has(value)
    const messageId = value.split(':')[0] ?? ''
    return kind === 'message' && isId('msg', messageId) && isOfAny(mailboxIds, messageId)
  }

  return async (accountId, mailboxIds) => {
    for (const rule of [...holds.list(), ...holds.released()]) {
      if (!(await isAbout(rule, accountId, mailboxIds))) continue
      await holds.release(rule.kind, rule.value)
      await holds.forget(rule)
    }
  }
}
