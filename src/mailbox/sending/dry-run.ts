/** A dry run: all checks and the verdict, without storing anything. */
import { isDoubtful, OTHERS_ASKED, THREAD_RATE } from '../decisions/guard-check.js'
import { mailboxPartition } from '../keys.js'
import { othersIn } from '../message.js'
import { requireMailbox } from '../record.js'
import { readThread } from '../threads/thread-rows.js'
import { sendsTooOften } from '../threads/thread.js'
import { findThread } from '../threads/threading.js'
import { judged } from './fate.js'
import type { Prepared } from './prepare.js'
import type { DryRun } from './requests.js'
import { MAX_SCHEDULED, tooManyScheduled } from './scheduled.js'
import type { SendDeps } from './send-deps.js'

/** @param requiresApproval it would wait for the human */
export async function dryRun(deps: SendDeps, prepared: Prepared, requiresApproval: boolean): Promise<DryRun> {
  const { mailbox, mail, content, seen, now } = prepared
  if (mail.sendAt !== undefined && (mailbox.scheduledCount ?? 0) >= MAX_SCHEDULED) throw tooManyScheduled()
  const thread = await deps.store.read(mailboxPartition(mailbox.id), async (view) => {
    await requireMailbox(view)
    if (mail.threadId !== undefined) return readThread(view, mail.threadId)
    return (await findThread(view, content, othersIn(content, mailbox), now)).thread
  })
  const verdict = await judged(deps, prepared, seen, thread && sendsTooOften(thread, now) ? [THREAD_RATE] : [])
  return {
    dry_run: true,
    decision: verdict.decision,
    category: verdict.category,
    scores: { ...verdict.scores },
    reasons: isDoubtful(deps.guard, verdict) ? [...verdict.reasons, OTHERS_ASKED] : verdict.reasons,
    new_recipients: seen.fresh,
    new_recipients_left: seen.left,
    require_tls: mail.requireTls,
    requires_approval: requiresApproval,
  }
}
