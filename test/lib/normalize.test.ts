import t from 'tap'
import { nfkc } from '../../src/lib/normalize.js'

t.test('text is brought into one form', async (t) => {
  t.equal(nfkc('ﬁnd ｆｕｌｌ １２３ ²'), 'find full 123 2')
  t.equal(nfkc('e\u0301'), 'é')
  t.equal(nfkc('ｶﾞ'), 'ガ')
  t.equal(nfkc('q\u0307\u0323'), 'q\u0323\u0307')
  t.equal(nfkc('Việt tiếng'), 'Việt tiếng')
})

t.test('marks piled up on one letter hold nobody up: those past the 30th are left out', async (t) => {
  for (const piled of ['\u0315\u0300', '\u0315\uff9e', '\u{1d165}\u0315']) {
    const pile = piled.repeat(200_000)
    t.equal(nfkc(`a${pile}b`), `a${[...pile].slice(0, 30).join('')}b`.normalize('NFKC'))
  }
  const usual = `z${'\u0315\u0300'.repeat(15)}`
  t.equal(nfkc(usual), usual.normalize('NFKC'))
})
