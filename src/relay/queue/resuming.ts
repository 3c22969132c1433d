/** Sends on what waited while its mailbox was paused. Steps may be repeated after a crash; a task that a worker has just then is looked at again. */
import { SECOND, type Clock } from '../../lib/clock.js'
import { RESUME_KIND, type ResumeTask } from '../../mailbox/pausing/pausing.js'
import type { ParkedTask } from '../../mailbox/pausing/waiting-mail.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { Log } from '../../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { withoutTimeHeld } from './holds.js'

export interface ResumingDeps {
  queue: Pick<WorkQueue, 'run' | 'reschedule' | 'get'>
  mailboxes: { outbound: Pick<OutboundMail, 'parked' | 'unpark'> }
  clock: Clock
  log: Pick<Log, 'error'>
}

/** Tasks of one commit. */
const STEP = 100
const LOOK_AGAIN_MS = SECOND

export function startResuming(deps: ResumingDeps): { stop(): Promise<void> } {
  const { queue, log } = deps
  return queue.run<ResumeTask>(RESUME_KIND, (task, signal) => resume(deps, task, signal), {
    concurrency: 4,
    onError: (err: unknown, { id, attempts }) =>
      log.error({ err, task_id: id, attempts }, 'mail of a resumed mailbox still waits; it is tried again'),
    onQueueError: (err: unknown) => log.error({ err }, 'the work queue failed; it is tried again'),
  })
}

async function resume(
  { queue, mailboxes: { outbound }, clock }: Omit<ResumingDeps, 'log'>,
  { payload: { mailbox_id: mailboxId } }: Task<ResumeTask>,
  signal: AbortSignal,
): Promise<TaskOutcome<ResumeTask>> {
  for (;;) {
    signal.throwIfAborted()
    const parked = await outbound.parked(mailboxId, STEP)
    if (parked.length === 0) return { done: true }
    const gone: ParkedTask[] = []
    for (const task of parked) if (await goesOn(task)) gone.push(task)
    await outbound.unpark(mailboxId, gone)
    if (gone.length < parked.length) return { done: false, retryAt: clock.now() + LOOK_AGAIN_MS }
  }

  /** @returns false while a worker has it: it may be about to hold it */
  async function goesOn({ id, at }: ParkedTask): Promise<boolean> {
    const now = clock.now()
    const change = (payload: RelayTask): RelayTask => withoutTimeHeld(payload, at, now)
    return (await queue.reschedule('relay', id, now, change)) || (await queue.get('relay', id)) === undefined
  }
}
