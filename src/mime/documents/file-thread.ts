/** The thread that reads PDFs and pictures. Its libraries are loaded by the first file that needs them. */
import { serveJobs } from '../../lib/thread-pool.js'
import type { FileFacts } from '../types.js'
import { boundMemory } from './bounded-memory.js'
import type { FileJob } from './reader.js'

const memory = boundMemory()

serveJobs<FileJob, FileFacts>(async ({ kind, content }) => {
  memory.begin()
  const facts =
    kind === 'pdf'
      ? await (await import('./pdf.js')).readPdf(content)
      : await (await import('./picture.js')).readPicture(content)
  const isTold = facts.signs.some(({ code }) => code === 'not_read')
  if (!memory.isExceeded || isTold) return { value: facts }
  return { value: { ...facts, signs: [...facts.signs, { code: 'not_read', detail: 'needs too much memory' }] } }
})
