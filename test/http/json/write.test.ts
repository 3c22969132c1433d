import t from 'tap'
import { jsonText } from '../../../src/http/json/write.js'

const ENTRY = { id: 'msg_1', labels: ['a"b', 'ü\u2028'], none: undefined, nested: { at: null, n: 1.5 } }

t.test('it is what JSON.stringify writes', (t) => {
  const frozen = Object.freeze({ ...ENTRY })
  for (const value of [
    null,
    'text',
    [],
    {},
    ENTRY,
    { data: [] },
    { data: ENTRY },
    { data: [frozen, ENTRY, frozen, undefined, null, 7], has_more: true, next_cursor: null, left: undefined },
    { object: 'list', data: [frozen], also: [frozen] },
  ]) {
    t.equal(jsonText(value), JSON.stringify(value))
    t.equal(jsonText(value), JSON.stringify(value), 'again')
  }
  t.end()
})

t.test('a frozen entry is written once, and others each time', (t) => {
  let reads = 0
  const entry = {
    get id() {
      return `read ${++reads}`
    },
  }
  jsonText({ data: [entry] })
  t.equal(jsonText({ data: [entry] }), '{"data":[{"id":"read 2"}]}')
  Object.freeze(entry)
  jsonText({ data: [entry] })
  t.equal(jsonText({ data: [entry], has_more: false }), '{"data":[{"id":"read 3"}],"has_more":false}')
  t.end()
})
