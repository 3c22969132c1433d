import { serveJobs } from '../../lib/thread-pool.js'
import { MessageFormatError } from '../../mime/types.js'
import { runMailJob, type MailJob } from './mail-jobs.js'
import type { Done } from './mail-work.js'

serveJobs<MailJob, Done>(async (job) => {
  try {
    const { value, transfer = [] } = await runMailJob(job)
    return { value: { value }, transfer }
  } catch (error) {
    if (!(error instanceof MessageFormatError)) throw error
    return { value: { refused: error.reason } }
  }
})
