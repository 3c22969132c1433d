/** Workers that delete accounts and mailboxes. */
import type { Removal, RemovalTask } from '../lifecycle/deletion/mailbox-removal.js'
import type { DeletionTask, DeletionWebhookTask } from '../lifecycle/deletion/types.js'
import type { RunDeletion } from '../lifecycle/deletion/task.js'
import type { Log } from '../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../queue/types.js'

/** `stop` starts nothing new, and resolves when running tasks have ended. */
export function startDeleting(deps: {
  queue: Pick<WorkQueue, 'run'>
  runDeletion: RunDeletion
  tellWebhook: (task: Task<DeletionWebhookTask>) => Promise<TaskOutcome<DeletionWebhookTask>>
  runRemoval: Removal['run']
  log: Pick<Log, 'error'>
}): { stop(): Promise<void> } {
  const { queue, runDeletion, tellWebhook, runRemoval, log } = deps
  const options = {
    onError: (err: unknown, { id, attempts }: Task<unknown>) =>
      log.error({ err, task_id: id, attempts }, 'a step of the deletion of an account failed; it is tried again'),
    onQueueError: (err: unknown) => log.error({ err }, 'the queue of deletions failed; it is tried again'),
  }
  const workers = [
    queue.run<DeletionTask>('deletion', runDeletion, { ...options, concurrency: 2 }),
    queue.run<RemovalTask>('mailbox-removal', runRemoval, { ...options, concurrency: 2 }),
    queue.run<DeletionWebhookTask>('deletion-webhook', tellWebhook, { ...options, concurrency: 2 }),
  ]
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}
