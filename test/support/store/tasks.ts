import type { QueuedTask, WorkQueue } from '../../../src/queue/types.js'

/** The tasks of a kind, the earliest first; all of them when no limit is given. */
export async function tasksIn<P = unknown>(
  queue: Pick<WorkQueue, 'all'>,
  kind: string,
  limit = Infinity,
): Promise<QueuedTask<P>[]> {
  const tasks: QueuedTask<P>[] = []
  for await (const task of queue.all<P>(kind)) tasks.push(task)
  return tasks.sort((a, b) => a.due - b.due).slice(0, limit)
}
