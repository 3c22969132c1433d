import t from 'tap'
import { createRowMemory, frozen } from '../../src/store/row-memory.js'

interface Value {
  text: string
}

function counting(maxBytes: number): { valueOf: (row: Uint8Array) => Value; made: () => number } {
  let made = 0
  const valueOf = createRowMemory((row): Value => {
    made++
    return { text: Buffer.from(row).toString('latin1') }
  }, maxBytes)
  return { valueOf, made: () => made }
}

t.test('the same bytes are one value, and one byte more or less is another', (t) => {
  const { valueOf, made } = counting(1_000_000)
  const first = valueOf(Buffer.from([1, 0, 255]))
  t.equal(valueOf(new Uint8Array([1, 0, 255])), first)
  t.equal(made(), 1)
  for (const other of [[1, 0, 254], [1, 0], [1, 0, 255, 0], []]) t.not(valueOf(Buffer.from(other)), first)
  t.equal(made(), 5)
  t.end()
})

t.test('a buffer that is used again for another row gives the value of that row', (t) => {
  const { valueOf } = counting(1_000_000)
  const buffer = Buffer.from('first')
  t.equal(valueOf(buffer).text, 'first')
  buffer.write('other')
  t.equal(valueOf(buffer).text, 'other')
  t.equal(valueOf(Buffer.from('first')).text, 'first')
  t.end()
})

t.test('what is asked for again stays, and what is not goes', (t) => {
  const { valueOf, made } = counting(100_000)
  const often = Buffer.from('often')
  const kept = valueOf(often)
  const once = valueOf(Buffer.from('once'))
  for (let i = 0; i < 1000; i++) {
    valueOf(Buffer.from(`row ${i}`))
    t.equal(valueOf(often), kept)
  }
  t.equal(made(), 1002)
  t.not(valueOf(Buffer.from('once')), once)
  t.end()
})

t.test('a frozen record cannot be changed, at no depth', async (t) => {
  const record = frozen({ name: 'Ada', aliases: [{ address: 'ada@agents.example' }] })
  t.throws(() => (record.name = 'Eve'), TypeError)
  t.throws(() => record.aliases.push({ address: 'eve@agents.example' }), TypeError)
  t.throws(() => record.aliases.forEach((alias) => (alias.address = 'eve@agents.example')), TypeError)
  t.same(record, { name: 'Ada', aliases: [{ address: 'ada@agents.example' }] })
})
