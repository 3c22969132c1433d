/**
 * Messages of an mbox file (RFC 4155 appendix A), one at a time. A message begins with a line `From `, after an empty line or at the start; in its text such lines have a `>`
 * in front, which is taken off (mboxrd). Flags are in the fields Status and X-Status, which belong to the file and not to the message.
 */
import { createReadStream } from 'node:fs'
import { MAX_READ_BYTES, tooLarge, type OldMessage, type UnreadMessage } from './old-message.js'

const LF = 0x0a
const CR = 0x0d
const FROM = Buffer.from('From ')

export async function* readMbox(file: string): AsyncGenerator<OldMessage | UnreadMessage> {
  let count = 0
  let lines: Buffer[] = []
  let bytes = 0
  let line = ''
  const end = (): OldMessage | UnreadMessage | undefined => {
    const where = `${file}, message ${count}`
    if (bytes > MAX_READ_BYTES) return tooLarge(where)
    return isFolderData(lines) ? undefined : messageOf(where, line, lines)
  }
  let isAfterEmpty = true
  for await (const one of linesOf(file)) {
    if (isAfterEmpty && one.subarray(0, FROM.length).equals(FROM)) {
      const message = count > 0 ? end() : undefined
      if (message) yield message
      count++
      ;[lines, bytes, line] = [[], 0, one.toString('latin1')]
    } else if (count === 0) {
      if (!isEmpty(one)) throw new Error(`${file} is no mbox file: its first line does not begin with "From ".`)
    } else {
      bytes += one.length
      if (bytes <= MAX_READ_BYTES) lines.push(one)
      else lines = []
    }
    isAfterEmpty = isEmpty(one)
  }
  const last = count > 0 ? end() : undefined
  if (last) yield last
}

/** With their line ends. Parts of a line longer than any message come as lines of their own. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let held = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      yield Buffer.concat([...pending, chunk.subarray(from, at + 1)])
      ;[pending, held, from] = [[], 0, at + 1]
    }
    if (from < chunk.length) {
      pending.push(chunk.subarray(from))
      held += chunk.length - from
    }
    if (held <= MAX_READ_BYTES) continue
    yield Buffer.concat(pending)
    ;[pending, held] = [[], 0]
  }
  if (held > 0) yield Buffer.concat(pending)
}

const isEmpty = (line: Buffer): boolean =>
  (line.length === 1 && line[0] === LF) || (line.length === 2 && line[0] === CR && line[1] === LF)

/** Some programs keep their own data in a first message. */
const isFolderData = (lines: readonly Buffer[]): boolean =>
  lines
    .slice(0, 30)
    .some((line) => /^Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA/.test(line.toString('latin1')))

/** Fields that belong to the file. */
const OF_FILE = /^(Status|X-Status|X-Keywords|X-UID|X-IMAPbase|X-IMAP):(.*)$/is

function messageOf(where: string, fromLine: string, lines: readonly Buffer[]): OldMessage {
  const kept: Buffer[] = []
  const fields = new Map<string, string>()
  let isHeader = true
  let isOfFile = false
  for (const line of lines) {
    if (isHeader) {
      isHeader = !isEmpty(line)
      const isContinued = line[0] === 0x20 || line[0] === 0x09
      const [, name, value] = isContinued ? [] : (OF_FILE.exec(line.toString('latin1')) ?? [])
      isOfFile = isHeader && (isContinued ? isOfFile : name !== undefined)
      if (name !== undefined && value !== undefined) fields.set(name.toLowerCase(), value.trim())
      if (!isOfFile) kept.push(line)
    } else kept.push(unquoted(line))
  }
  // The empty line before the next message.
  const last = kept.at(-1)
  if (last && isEmpty(last) && kept.length > 1) kept.pop()
  const status = `${fields.get('status') ?? ''}${fields.get('x-status') ?? ''}`
  return {
    where,
    raw: Buffer.concat(kept),
    flags: [
      ...(status.includes('R') ? (['seen'] as const) : []),
      ...(status.includes('F') ? (['flagged'] as const) : []),
      ...(status.includes('A') ? (['answered'] as const) : []),
      ...(status.includes('D') ? (['deleted'] as const) : []),
    ],
    keywords: (fields.get('x-keywords') ?? '').split(/[\s,]+/).filter((word) => /^[!-~]{1,60}$/.test(word)),
    receivedAt: dateOf(fromLine),
  }
}

/** A line `>From `, with one `>` less. */
function unquoted(line: Buffer): Buffer {
  let marks = 0
  while (line[marks] === 0x3e) marks++
  return marks > 0 && line.subarray(marks, marks + FROM.length).equals(FROM) ? line.subarray(1) : line
}

const DATE =
  /(\w{3}) +(\d{1,2}) +(\d{1,2}:\d{2}(?::\d{2})?) +(?:([+-]\d{4}|[A-Z]{3,5}) +)?(\d{4})(?: +([+-]\d{4}))?\s*$/

/** The time in a line such as `From ada@example.org Tue Mar  5 10:00:00 2019`: UTC, unless it says otherwise. */
function dateOf(line: string): number | undefined {
  const [, month, day, time, zone, year, zoneAfter] = DATE.exec(line) ?? []
  if (month === undefined) return undefined
  const offset = [zone, zoneAfter].find((each) => each !== undefined && /^[+-]/.test(each)) ?? '+0000'
  const at = Date.parse(`${day} ${month} ${year} ${time} ${offset}`)
  return Number.isNaN(at) ? undefined : at
}
