/** A thread that never ends with one file, dies with another, and reads the rest. */
import { serveJobs } from '../../../../src/lib/thread-pool.js'
import type { FileJob } from '../../../../src/mime/documents/reader.js'
import type { FileFacts } from '../../../../src/mime/types.js'

serveJobs<FileJob, FileFacts>(async ({ content }) => {
  const text = Buffer.from(content).toString()
  if (text === 'die') process.exit(1)
  if (text === 'never') await new Promise<never>(() => setInterval(() => undefined, 1000))
  return { value: { signs: [], links: [], text } }
})
