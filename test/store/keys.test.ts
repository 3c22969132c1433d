import fc from 'fast-check'
import t from 'tap'
import {
  MAX_KEY_BYTES,
  checkKey,
  checkPartition,
  decode,
  encode,
  key,
  keyAfter,
  keyParts,
  prefixRange,
} from '../../src/store/keys.js'

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\0', 'a', 'a\0', 'a\0b', 'ab', '\u{10ffff}', '\uffff'),
)
const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const tuple = fc.array(fc.oneof(text, number), { maxLength: 5 })

/** The order that keys promise, said in another way: by code point, by size, strings before numbers, the shorter first. */
function compareTuples(a: (string | bigint)[], b: (string | bigint)[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]
    if (right === undefined) return 1
    if (typeof left !== typeof right) return typeof left === 'string' ? -1 : 1
    if (typeof left === 'string' && typeof right === 'string') {
      const order = Buffer.compare(Buffer.from(left), Buffer.from(right))
      // UTF-8 sorts like code points; a NUL ends no string.
      if (order !== 0) return order
    } else if (left !== right) {
      return left < right ? -1 : 1
    }
  }
  return a.length - b.length
}

t.test('keys sort like their parts', async (t) => {
  fc.assert(
    fc.property(
      tuple,
      tuple,
      (a, b) => Math.sign(Buffer.compare(key(...a), key(...b))) === Math.sign(compareTuples(a, b)),
    ),
  )
  t.ok(Buffer.compare(key('a', 9), key('a', 10)) < 0)
})

t.test('a key gives its parts back', async (t) => {
  fc.assert(
    fc.property(
      tuple,
      (parts) => JSON.stringify(keyParts(key(...parts)).map(String)) === JSON.stringify(parts.map(String)),
    ),
  )
  t.same(keyParts(key('due', 7, 'tsk')), ['due', 7n, 'tsk'])
})

t.test('a prefix range holds what starts with the parts and nothing else', async () => {
  fc.assert(
    fc.property(tuple, tuple, (prefix, other) => {
      const bytes = key(...other)
      const { gte, lt } = prefixRange(...prefix)
      const inRange = Buffer.compare(bytes, gte) >= 0 && Buffer.compare(bytes, lt) < 0
      const startsWith = prefix.length <= other.length && compareTuples(prefix, other.slice(0, prefix.length)) === 0
      return inRange === startsWith
    }),
  )
})

t.test('nothing comes between a key and the one after it', async (t) => {
  t.ok(Buffer.compare(key('a'), keyAfter(key('a'))) < 0)
  t.ok(Buffer.compare(keyAfter(key('a')), key('a', 0)) < 0)
})

t.test('numbers that have no place are refused', async (t) => {
  for (const bad of [-1, 1.5, NaN, Infinity, 2 ** 53, -1n, 2n ** 64n]) t.throws(() => key(bad), RangeError, String(bad))
})

t.test('bytes that are no key are refused', async (t) => {
  for (const bad of ['ff', '02', '0261', '15000000', '026100ff']) {
    t.throws(() => keyParts(Buffer.from(bad, 'hex')), RangeError, bad)
  }
})

t.test('values come back as they were', async (t) => {
  const value = { subject: 'Grüße 👋', n: 1, list: [null, true] }
  t.same(decode(encode(value)), value)
  t.throws(() => encode(undefined), TypeError)
})

t.test('what an engine cannot hold is named', async (t) => {
  checkKey(Buffer.alloc(MAX_KEY_BYTES))
  t.throws(() => checkKey(Buffer.alloc(MAX_KEY_BYTES + 1)), /at most 1500 bytes; this one has 1501/)
  t.throws(() => checkPartition(''), RangeError)
  t.throws(() => checkPartition('a\0b'), RangeError)
  t.throws(() => checkPartition('ä'.repeat(201)), /has 402/)
})
