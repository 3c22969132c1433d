/** Sets of numbers: reading, finding the messages they mean, writing. */
import t from 'tap'
import {
  countNumbers,
  largestNumber,
  parseNumberSet,
  resolveSequence,
  resolveUids,
  type IndexRange,
  type NumberSet,
} from '../../../src/imap/wire/sequence-set.js'
import { formatSet } from '../../../src/imap/wire/set-text.js'
import { below, randomFrom } from '../../support/random.js'

const SEED = 20_261_127
const MAX = 2 ** 32 - 1

function setOf(text: string): NumberSet {
  const set = parseNumberSet(text)
  if (!set) throw new Error(`not a set: ${text}`)
  return set
}

function positions(ranges: IndexRange[]): number[] {
  return ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i))
}

t.test('sets are sorted and merged as they are read', async (t) => {
  const cases: [string, number[], number?][] = [
    ['1', [1, 1]],
    ['2,4:7,9', [2, 2, 4, 7, 9, 9]],
    ['9,7:4,2', [2, 2, 4, 7, 9, 9]],
    ['1,2,3,2,3:5', [1, 5]],
    ['1:5,3', [1, 5]],
    ['4294967295', [MAX, MAX]],
    ['*', [], MAX],
    ['12,15,*', [12, 12, 15, 15], MAX],
    ['5:*', [], 5],
    ['*:5', [], 5],
    ['*:*', [], MAX],
    ['9:*,5:*,7', [7, 7], 5],
  ]
  for (const [text, runs, starFrom] of cases) t.strictSame(setOf(text), { kind: 'numbers', runs, starFrom }, text)
})

t.test('what is not a set is not read', async (t) => {
  for (const text of [
    '',
    ',',
    '1,',
    ',1',
    '1,,2',
    '0',
    '01',
    '1:',
    ':1',
    '1:2:3',
    '1:2:',
    '4294967296',
    '-1',
    '1-2',
    '**',
    '1:**',
  ])
    t.equal(parseNumberSet(text), undefined, text)
})

t.test('a set of sequence numbers is found by its position', async (t) => {
  const found = (text: string, count: number): number[] => positions(resolveSequence(setOf(text), count))
  t.strictSame(found('2:3,5', 10), [1, 2, 4])
  t.strictSame(found('3:*', 5), [2, 3, 4])
  t.strictSame(found('*', 5), [4])
  t.strictSame(found('9:*', 5), [4], 'n:* is the last one when there are fewer')
  t.strictSame(found('1:*', 0), [])
  t.strictSame(found('*', 0), [])
  t.strictSame(found('1:4,3:*', 5), [0, 1, 2, 3, 4])
  t.strictSame(found('4:9', 5), [3, 4])
  t.strictSame(found('4294967295', 5), [])
})

t.test('the largest number that is named can be compared with the count', async (t) => {
  t.equal(largestNumber(setOf('1:7,3')), 7)
  t.equal(largestNumber(setOf('*')), 0)
  t.equal(largestNumber(setOf('9:*,3')), 9)
})

t.test('a set of UIDs finds the same as looking at each UID', async (t) => {
  const random = randomFrom(SEED)
  const end = (): string => (below(random, 8) === 0 ? '*' : String(1 + below(random, 40)))
  for (let n = 0; n < 3000; n++) {
    const uids = Uint32Array.from({ length: 40 }, (_, i) => i + 1).filter(() => below(random, 3) > 0)
    const parts = Array.from({ length: 1 + below(random, 5) }, () => (below(random, 2) ? end() : `${end()}:${end()}`))
    const largest = uids.at(-1) ?? 0
    const isIn = (uid: number): boolean =>
      parts.some((part) => {
        const [a = 0, b = a] = part.split(':').map((text) => (text === '*' ? largest : Number(text)))
        return uid >= Math.min(a, b) && uid <= Math.max(a, b)
      })
    const expected = [...uids.keys()].filter((i) => isIn(uids[i] ?? 0))
    const ranges = resolveUids(setOf(parts.join(',')), uids)
    t.strictSame(positions(ranges), expected, `${parts.join(',')} of ${formatSet(uids)}`)
    const isApart = ranges.every(({ start }, i) => i === 0 || start > (ranges[i - 1]?.end ?? 0))
    if (!isApart) t.fail(`ranges touch: ${JSON.stringify(ranges)}`)
  }
})

t.test('sets are written as short as they can be, and read back', async (t) => {
  t.equal(formatSet([]), '')
  t.equal(formatSet([7]), '7')
  t.equal(formatSet([1, 2, 3, 5, 7, 8]), '1:3,5,7:8')
  t.equal(formatSet(new Uint32Array([1, MAX - 1, MAX])), '1,4294967294:4294967295')
  const random = randomFrom(SEED)
  for (let n = 0; n < 200; n++) {
    const numbers = Array.from({ length: 60 }, (_, i) => i + 1).filter(() => below(random, 2) > 0)
    if (numbers.length === 0) continue
    const set = setOf(formatSet(numbers))
    t.strictSame(
      positions(resolveSequence(set, 60)).map((i) => i + 1),
      numbers,
    )
    t.equal(countNumbers(set), numbers.length)
  }
})

t.test('ten thousand ranges of a large mailbox take milliseconds', async (t) => {
  const uids = Uint32Array.from({ length: 200_000 }, (_, i) => i * 2 + 1)
  const text = Array.from({ length: 10_000 }, (_, i) => `${(9_999 - i) * 40 + 1}:${(9_999 - i) * 40 + 9}`).join(',')
  const start = process.cpuUsage()
  const ranges = resolveUids(setOf(text), uids)
  t.equal(ranges.length, 10_000)
  t.ok(process.cpuUsage(start).user < 500_000)
})
