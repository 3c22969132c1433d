/** A thread that never ends with one file or with the pictures of another, dies with a third, and reads the rest. */
import { serveJobs } from '../../../../src/lib/thread-pool.js'
import type { FileJob } from '../../../../src/mime/documents/reader.js'
import type { FileFacts } from '../../../../src/mime/types.js'

serveJobs<FileJob, FileFacts>(async ({ step, content }) => {
  const text = Buffer.from(content).toString()
  if (text === 'die') process.exit(1)
  if (text === 'never' || (text === 'slow pictures' && step === 'pdf pictures'))
    await new Promise<never>(() => setInterval(() => undefined, 1000))
  return { value: { signs: [], links: [], text } }
})
