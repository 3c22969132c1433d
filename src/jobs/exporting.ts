/** The worker of exports: builds up to two archives at a time. */
import type { Exports } from '../lifecycle/export/exports.js'
import { EXPORT_KIND } from '../lifecycle/export/record.js'
import type { ExportTask } from '../lifecycle/export/types.js'
import type { Log } from '../observe/log.js'
import type { Worker, WorkQueue } from '../queue/types.js'

/** Each occupies one thread of the pool that file system calls use. */
const CONCURRENCY = 2

/** `stop` interrupts archives, which the next process builds. */
export function startExporting(deps: { queue: WorkQueue; exports: Exports; log: Pick<Log, 'error'> }): Worker {
  const { queue, exports, log } = deps
  return queue.run<ExportTask>(EXPORT_KIND, (task, signal) => exports.run(task, signal), {
    concurrency: CONCURRENCY,
    onError: (err, { id, attempts }) =>
      log.error({ err, task_id: id, attempts }, 'an export failed; it is tried again'),
    onQueueError: (err) => log.error({ err }, 'the work queue failed; it is tried again'),
  })
}
