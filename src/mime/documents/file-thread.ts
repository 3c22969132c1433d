/** The thread that reads PDFs and pictures. Its libraries are loaded by the first file that needs them. */
import { serveJobs } from '../../lib/thread-pool.js'
import type { FileFacts } from '../types.js'
import { boundMemory } from './bounded-memory.js'
import { pdfActions } from './pdf-objects.js'
import type { FileJob } from './reader.js'

const memory = boundMemory()

const STEPS: Record<FileJob['step'], (content: Uint8Array) => Promise<FileFacts>> = {
  picture: async (content) => (await import('./picture.js')).readPicture(content),
  'pdf objects': async (content) => pdfActions(Buffer.from(content.buffer, content.byteOffset, content.length)),
  'pdf pages': async (content) => (await import('./pdf.js')).readPages(content),
  'pdf pictures': async (content) => (await import('./pdf.js')).readPictures(content),
}

serveJobs<FileJob, FileFacts>(async ({ step, content }) => {
  memory.begin()
  const facts = await STEPS[step](content)
  if (!memory.isExceeded) return { value: facts }
  const others = facts.signs.filter(({ code }) => code !== 'not_read')
  return { value: { ...facts, signs: [...others, { code: 'not_read', detail: 'needs too much memory' }] } }
})
