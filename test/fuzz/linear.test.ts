/**
 * Work that grows with the length of the input and no faster: the same pieces, sixteen times as often, cost about sixteen times as much. A
 * quadratic step costs 256 times as much. CPU time is what counts, so a busy machine changes nothing, and a few milliseconds count as nothing.
 */
import t from 'tap'
import { pick, randomFrom, type Random } from '../support/random.js'
import { ADDRESS_WORDS, MIME_WORDS, TEXT_WORDS } from './dictionary.js'
import { IMAP_WORDS, readImap } from './imap.js'
import { parseOrRefuse, READERS } from './targets.js'
import { countField } from '../../src/mime/headers.js'
import { readAddresses } from '../../src/mime/addresses.js'

const SEED = 20_260_103
const SHORT_BYTES = 12 * 1024
const TIMES = 16
const MAX_GROWTH = 5 * TIMES
const NOTHING_MS = 60
const UNITS = 40

type Work = (text: string) => unknown

function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / unit.length))
}

/** The least of two tries: the first may have met the garbage collector or code that was not compiled yet. */
async function cpuMs(work: Work, text: string): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 2; tries++) {
    const before = process.cpuUsage()
    await work(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
    if (least < NOTHING_MS) break
  }
  return least
}

async function growth(work: Work, [before, unit, after]: [string, string, string]): Promise<number> {
  const long = await cpuMs(work, before + repeated(unit, SHORT_BYTES * TIMES) + after)
  if (long < NOTHING_MS) return 1
  return long / Math.max(1, await cpuMs(work, before + repeated(unit, SHORT_BYTES) + after))
}

/** What a pathological input looks like: something, then one to four pieces again and again, then something that fits or doesn't. */
function shape(random: Random, words: readonly string[]): [string, string, string] {
  const some = (count: number): string => Array.from({ length: count }, () => pick(random, words)).join('')
  return [some(Math.floor(random() * 3)), some(1 + Math.floor(random() * 4)) || 'a', some(Math.floor(random() * 3))]
}

const HEADER = 'From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n'
const cases: Record<string, { work: Work; words: readonly string[] }> = {
  'parsing a body': {
    work: (text) => parseOrRefuse(Buffer.from(`${HEADER}\r\n--b\r\n\r\n${text}`)),
    words: MIME_WORDS,
  },
  'parsing HTML': {
    work: (text) => parseOrRefuse(Buffer.from(`Content-Type: text/html\r\n\r\n${text}`)),
    words: TEXT_WORDS,
  },
  'parsing text': { work: (text) => parseOrRefuse(Buffer.from(`From: a@b.example\r\n\r\n${text}`)), words: TEXT_WORDS },
  'finding fields in a header of lines without a colon': {
    work: (text) =>
      countField(Buffer.from(`From: a\r\n${text.replaceAll(/.{8}/g, '$&\r\n')}\r\n\r\n${text}`), 'received'),
    words: ['x', 'no colon', 'y '],
  },
  'reading an IMAP command': { work: readImap, words: IMAP_WORDS },
  'reading addresses': { work: (text) => readAddresses([text]), words: ADDRESS_WORDS },
  ...Object.fromEntries(Object.entries(READERS).map(([name, work]) => [name, { work, words: TEXT_WORDS }])),
}

for (const [name, { work, words }] of Object.entries(cases)) {
  t.test(`${name} takes time in proportion to the length`, async (t) => {
    const random = randomFrom(SEED)
    let worst = 0
    for (let n = 0; n < UNITS; n++) {
      const parts = shape(random, words)
      const grown = await growth(work, parts)
      if (grown > MAX_GROWTH) t.fail(`${grown.toFixed(0)} times the work for ${TIMES} times ${JSON.stringify(parts)}`)
      worst = Math.max(worst, grown)
    }
    t.ok(worst <= MAX_GROWTH, `at most ${worst.toFixed(0)} times the work`)
  })
}
