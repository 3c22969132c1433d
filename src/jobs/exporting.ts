/** The worker of exports: archives are built one or two at a time, beside all other work. */
import type { ExportWork } from '../lifecycle/export/exports.js'
import { EXPORT_KIND } from '../lifecycle/export/record.js'
import type { ExportTask } from '../lifecycle/export/types.js'
import type { Log } from '../observe/log.js'
import type { WorkQueue } from '../queue/types.js'

/** Each keeps one thread of the pool busy that the file system shares. */
const CONCURRENCY = 2

export interface Exporting {
  /** Takes on nothing new; what is being built is cut off, and built by the next process. */
  stop(): Promise<void>
}

/** Resolves when what a dead process left is gone. */
export async function startExporting(deps: {
  queue: WorkQueue
  exports: ExportWork
  log: Pick<Log, 'error'>
}): Promise<Exporting> {
  const { queue, exports, log } = deps
  await exports.tidy()
  return queue.run<ExportTask>(EXPORT_KIND, (task, signal) => exports.run(task, signal), {
    concurrency: CONCURRENCY,
    onError: (err, { id, attempts }) =>
      log.error({ err, task_id: id, attempts }, 'an export failed; it is tried again'),
    onQueueError: (err) => log.error({ err }, 'the work queue failed; it is tried again'),
  })
}
