/**
 * Floods cost no more than their length. What is counted is work, not time: how often functions and blocks of the parser and the libraries
 * under it have run, as V8 counts them. (Expressions are not counted; test/fuzz/linear.test.ts has them by processor time.)
 */
import { Session, type Profiler } from 'node:inspector'
import t from 'tap'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { MessageFormatError, type ParsedMessage } from '../../src/mime/types.js'
import { FLOODS } from './floods.js'
import { limits } from './support.js'

const FEW = 500
const TIMES = 4
/** The dearest is a list of addresses, which is looked at character by character. */
const MAX_BLOCKS_PER_BYTE = 50
/** What a message costs whatever its length, and what grows in steps. */
const SLACK = 20_000

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
t.teardown(() => session.disconnect())

/** Blocks that have run since the last call. */
function counted(): number {
  let scripts: Profiler.ScriptCoverage[] = []
  // The session is in this process, so the answer comes before `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error
    scripts = answer.result
  })
  let count = 0
  for (const { url, functions } of scripts) {
    if (!/\/src\/mime\/|node_modules\/(?!@?tap)/.test(url)) continue
    for (const { ranges } of functions) for (const range of ranges) count += range.count
  }
  return count
}

async function parseOrReason(raw: Buffer): Promise<ParsedMessage | string> {
  try {
    return await parseMessage(raw, limits)
  } catch (error) {
    if (error instanceof MessageFormatError) return error.reason
    throw error
  }
}

async function work(raw: Buffer): Promise<{ blocks: number; result: ParsedMessage | string }> {
  counted()
  const result = await parseOrReason(raw)
  return { blocks: counted(), result }
}

for (const [name, flood] of Object.entries(FLOODS)) {
  t.test(`a flood of ${name} costs what its length does, and is read or refused`, async (t) => {
    const [few, many] = [flood(FEW), flood(FEW * TIMES)]
    // Code that runs for the first time counts blocks that it does not count again.
    await work(few)
    const [first, second] = [await work(few), await work(many)]
    t.ok(second.blocks <= MAX_BLOCKS_PER_BYTE * many.length, `${second.blocks} blocks for ${many.length} bytes`)
    t.ok(second.blocks <= 1.3 * TIMES * first.blocks + SLACK, `${second.blocks} blocks, ${first.blocks} for a quarter`)
    if (typeof second.result === 'string') return
    const { text, html, attachments, headers, to, references } = second.result
    t.ok(attachments.length <= limits.maxParts && to.length <= 500 && references.length <= 100)
    t.ok(text.length + (html?.length ?? 0) <= 4 * many.length + 1000)
    t.ok(JSON.stringify(headers).length <= 4 * limits.maxHeaderBytes)
  })
}

t.test('floods as large as a message may be are refused with the limit they break', async (t) => {
  const reason = async (name: string, times: number): Promise<string> => {
    const flood = FLOODS[name]
    const result = flood ? await parseOrReason(flood(times)) : 'no such flood'
    return typeof result === 'string' ? result : 'read'
  }
  const header = 'message header is longer than 262144 bytes'
  t.equal(await reason('header fields', 100_000), header)
  t.equal(await reason('Received fields', 2500), 'read', 'a chain of a quarter of a megabyte')
  t.equal(await reason('Received fields', 10_000), header)
  t.equal(await reason('RFC 2231 continuations', 10_000), header)
  t.equal(await reason('encoded words', 10_000), header)
  t.equal(await reason('parts', 10_000), 'message has more than 1000 parts')
  t.equal(await reason('attached parts', 10_000), 'message has more than 1000 parts')
  t.equal(await reason('parts in parts', 10_000), 'message parts are nested more than 30 deep')
  t.equal(await reason('headers of parts', 8 * 900), 'read')
  t.equal(await reason('nested HTML', 34_000), 'read', 'a hundred thousand tags')
})

t.test('others get their turn while a large file is decoded, and while many small ones are', async (t) => {
  const turns = async (raw: Buffer): Promise<number> => {
    let count = 0
    let running = true
    const turn = (): void => {
      count++
      if (running) setImmediate(turn)
    }
    setImmediate(turn)
    await parseOrReason(raw)
    running = false
    return count
  }
  const header = 'Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n'
  const line = `${'QUJD'.repeat(19)}\r\n`
  const large = Buffer.from(header + line.repeat(16 * 13_443))
  t.ok((await turns(large)) >= large.length / (512 * 1024), 'a turn for each half megabyte')
  t.ok((await turns(FLOODS['attached parts']?.(900) ?? Buffer.alloc(0))) >= 900, 'a turn for each file')
})
