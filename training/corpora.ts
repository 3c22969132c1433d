/** The labelled mail of public corpora, which lies beside the project; its README tells of each. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { readAddresses } from '../src/mime/addresses.js'
import type { Sample } from './sample.js'

export const FOLDER = '../shared/corpora'
const FILES = ['spamassassin', 'enron2', 'enron3', 'enron4', 'enron5', 'enron6', 'nazario', 'mailing-lists']

const lineSchema = z.object({
  label: z.enum(['legit', 'spam', 'phishing']),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  from: z.string().nullish(),
  reply_to: z.string().nullish(),
  n_rcpt: z.number().nullish(),
  links: z.array(z.tuple([z.string(), z.string()])).nullish(),
})

export interface CorpusFile {
  name: string
  sha256: string
  samples: Sample[]
}

/** @throws Error when the folder or a file is missing, or a line is not what its README says */
export function readCorpora(folder = FOLDER): CorpusFile[] {
  if (!existsSync(folder)) throw new Error(`there are no corpora in ${folder}`)
  return FILES.map((name) => {
    const packed = readFileSync(`${folder}/${name}.jsonl.gz`)
    const samples = gunzipSync(packed)
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => sampleOf(name, lineSchema.parse(JSON.parse(line))))
    return { name, sha256: createHash('sha256').update(packed).digest('hex'), samples }
  })
}

function sampleOf(source: string, line: z.infer<typeof lineSchema>): Sample {
  return {
    label: line.label === 'legit' ? 'legitimate' : line.label,
    source,
    subject: line.subject ?? '',
    text: line.text ?? '',
    html: null,
    from: readAddresses([line.from ?? '']).addresses[0] ?? null,
    replyTo: readAddresses([line.reply_to ?? '']).addresses,
    links: (line.links ?? []).map(([target, text]) => ({ target, text })),
    recipientCount: line.n_rcpt ?? 1,
    attachments: [],
  }
}
