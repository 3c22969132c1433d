import t from 'tap'
import { markEvidence } from '../../../src/mailbox/review/evidence-marks.js'

const shown = (text: string, ...excerpts: string[]): string =>
  markEvidence(text, excerpts)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('')

t.test('words are marked as they stand, however they were written', async (t) => {
  t.equal(shown('Please act now, or else.', 'act now'), 'Please [act now,] or else.')
  t.equal(shown('ACT\n  now', 'act now'), '[ACT\n  now]', 'over line ends')
  t.equal(shown('a\u200Bct no\u00ADw', 'act now'), '[a\u200Bct no\u00ADw]', 'with invisible characters')
  t.equal(shown('your p\u0430ypal', 'paypal'), 'your [p\u0430ypal]', 'with letters that look alike')
  t.equal(shown('ＦＲＥＥ money', 'free money'), '[ＦＲＥＥ money]', 'in full width')
  t.equal(shown('请立即验证您的账户。谢谢', '验证您的账户'), '请立即[验证您的账户]。谢谢', 'without spaces')
})

t.test('marks do not overlap, and all of the text is there once', async (t) => {
  t.equal(shown('one two three four', 'two three', 'one two', 'three'), '[one two][ three] four')
  t.equal(shown('a b a b', 'a b'), '[a b] [a b]')
  t.equal(shown('nothing of it', 'else', '', ' ', 'x'), 'nothing of it')
  t.equal(shown('', 'x'), '')
  const long = 'free '.repeat(20_000)
  t.equal(
    markEvidence(long, ['free'])
      .map(({ text }) => text)
      .join(''),
    long,
  )
  t.ok(markEvidence(long, ['free']).length <= 101)
})
