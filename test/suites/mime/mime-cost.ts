/**
 * What every message of a suite has to stand: it is parsed or refused, its parts are as large as they are said to be, and nobody pays
 * more than half a second of processor time or 64 MiB of memory for it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { readPart } from '../../../src/mime/part.js'
import { sanitiseHtml } from '../../../src/mime/html/sanitise.js'
import { MessageFormatError } from '../../../src/mime/types.js'
import { limits } from '../../mime/support.js'
import type { Difference, Suite } from '../suite.js'

const MAX_CPU_MS = 500
const MAX_HEAP_BYTES = 64 * 1024 * 1024

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:SOURCE|UPSTREAM-LICENCE)\.txt$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** A suite of messages without expectations of their own: all files are read as messages, whatever they are. */
export function costSuite(folder: string, title: string, size: number): Suite {
  return {
    folder,
    title,
    rule: 'RFC 2045',
    size,
    explanations: {},
    async run(dir) {
      const files = filesIn(dir)
      const differences: Difference[] = []
      for (const file of files) differences.push(...(await examine(relative(dir, file), readFileSync(file))))
      return { total: files.length, differences }
    },
  }
}

/** One case: what is wrong with it, if anything. */
export async function examine(name: string, raw: Buffer): Promise<Difference[]> {
  const first = await measure(name, raw)
  // A compiler at work or a collector's round may fall on any case: only what is dear each time is dear.
  return first.some(({ wanted }) => wanted.startsWith('at most')) ? measure(name, raw) : first
}

async function measure(name: string, raw: Buffer): Promise<Difference[]> {
  const differences: Difference[] = []
  const heap = process.memoryUsage().heapUsed
  const cpu = process.cpuUsage()
  const problem = await read(raw)
  const { user, system } = process.cpuUsage(cpu)
  const cpuMs = (user + system) / 1000
  const heapBytes = process.memoryUsage().heapUsed - heap
  if (problem !== undefined) differences.push({ case: name, got: problem, wanted: 'a message, or a refusal' })
  if (cpuMs > MAX_CPU_MS)
    differences.push({ case: name, got: `${cpuMs} ms of processor time`, wanted: `at most ${MAX_CPU_MS}` })
  if (heapBytes > MAX_HEAP_BYTES)
    differences.push({ case: name, got: `${heapBytes} bytes of heap`, wanted: `at most ${MAX_HEAP_BYTES}` })
  return differences
}

async function read(raw: Buffer): Promise<string | undefined> {
  try {
    const message = await parseMessage(raw, limits)
    const characters = message.text.length + (message.html?.length ?? 0) + message.extractedText.length
    // Decoding can't make text longer than the bytes it came from, but for tags and marks that stand for line breaks.
    if (characters > 4 * raw.length + 1000) return `${characters} characters from ${raw.length} bytes`
    if (message.html !== null) sanitiseHtml(message.html)
    for (const { part, sizeBytes } of message.attachments) {
      if ((await readPart(raw, part, limits)).length !== sizeBytes) return `part ${part} is not ${sizeBytes} bytes long`
    }
    return undefined
  } catch (error) {
    return error instanceof MessageFormatError ? undefined : String(error)
  }
}
