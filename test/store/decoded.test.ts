/** Rows that are decoded once for the same bytes: nothing but the bytes counts, and nobody can change what others were given. */
import t from 'tap'
import { decodedOnce } from '../../src/store/decoded.js'
import { decode, encode } from '../../src/store/keys.js'

interface Row {
  name: string
  aliases?: { address: string }[]
}

function counting() {
  let decoded = 0
  const read = decodedOnce<Row>((row) => {
    decoded++
    return decode<Row>(row)
  })
  return { read, times: () => decoded }
}

t.test('the same bytes are decoded once, other bytes always anew', async (t) => {
  const { read, times } = counting()
  t.same(read(encode({ name: 'Ada' })), { name: 'Ada' })
  t.equal(read(encode({ name: 'Ada' })), read(encode({ name: 'Ada' })))
  t.equal(times(), 1)
  t.same(read(encode({ name: 'Bob' })), { name: 'Bob' })
  t.same(read(encode({ name: 'Ada' })), { name: 'Ada' })
  t.equal(times(), 2)
})

t.test('a shared value cannot be changed, at no depth', async (t) => {
  const row = encode({ name: 'Ada', aliases: [{ address: 'ada@agents.example' }] })
  const { read } = counting()
  const value = read(row)
  t.throws(() => (value.name = 'Eve'), TypeError)
  t.throws(() => value.aliases?.push({ address: 'eve@agents.example' }), TypeError)
  t.throws(() => value.aliases?.forEach((alias) => (alias.address = 'eve@agents.example')), TypeError)
  t.same(read(row), { name: 'Ada', aliases: [{ address: 'ada@agents.example' }] })
})

t.test('a large row is not kept, and many rows push out the oldest', async (t) => {
  const { read, times } = counting()
  const large = encode({ name: 'x'.repeat(3000) })
  read(large)
  read(large)
  t.equal(times(), 2)
  const first = encode({ name: 'first' })
  read(first)
  for (let i = 0; i < 5000; i++) read(encode({ name: `row ${i}` }))
  read(first)
  t.equal(times(), 2 + 1 + 5000 + 1)
})

t.test('a row that cannot be read fails each time', async (t) => {
  const { read } = counting()
  const broken = Buffer.from('{"name":')
  t.throws(() => read(broken), SyntaxError)
  t.throws(() => read(broken), SyntaxError)
})
