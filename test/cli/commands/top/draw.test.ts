import t from 'tap'
import { draw, sparkline } from '../../../../src/cli/commands/top/draw.js'
import { aMoment } from '../../top/a-moment.js'

const LOOK = { columns: 80, rows: 24, colours: false, unicode: true }
const shown = { now: aMoment(), before: undefined, where: '127.0.0.1:8081' }

t.test('on 80 by 24 everything is there', async (t) => {
  const lines = draw(shown, LOOK)
  t.ok(lines.length <= 24, `${lines.length} lines`)
  for (const line of lines) t.ok([...line].length <= 80, line)
  const text = lines.join('\n')
  t.match(text, /^Restante 1\.2\.3 {2}127\.0\.0\.1:8081 {2}up 3h {2}2026-01-01 12:00:00 UTC/)
  t.match(text, /in {3}accepted +5\.0 +50 +1,200 .*▅█/)
  t.match(text, /bounced +0\.2 +2 +0/)
  t.match(text, /waiting 17 {2}ready 1/)
  t.match(text, /API 1 \(waiting -\)/)
  t.match(text, /memory 200M/)
  t.match(text, /DATA to reply +12 ms +1\.5 s +- {2}of 3/)
  t.match(text, /slow\.example +12 +1 +2\.5 s +30\.0 s/)
  t.match(text, /dead\.example +in 5m {2}4\.4\.1 connection timed out/)
})

t.test('the rate is what came since the last look; a daemon that was started again is not compared', async (t) => {
  const totals = { ...shown.now.totals, mail_accepted: 1190 }
  const before = aMoment({ at: '2026-01-01T11:59:58.000Z', totals })
  t.match(draw({ ...shown, before }, LOOK).join('\n'), /accepted +300 +50/)
  const again = aMoment({ at: '2026-01-01T11:59:58.000Z', totals, started_at: '2026-01-01T08:00:00.000Z' })
  t.match(draw({ ...shown, before: again }, LOOK).join('\n'), /accepted +5\.0 +50/)
})

t.test('a small screen has less, and nothing that does not fit', async (t) => {
  for (const [columns, rows] of [
    [40, 10],
    [20, 5],
    [1, 1],
  ] as const) {
    const lines = draw(shown, { ...LOOK, columns, rows })
    t.ok(lines.length <= rows)
    t.ok(lines.every((line) => [...line].length <= columns))
  }
})

t.test('a long list of one kind leaves room for the other', async (t) => {
  const many = Array.from({ length: 20 }, (_, i) => ({ name: `d${i}.example`, until: shown.now.at, answer: '' }))
  const text = draw({ ...shown, now: aMoment({ paused: many }) }, LOOK).join('\n')
  t.match(text, 'slow.example')
  t.match(text, 'd0.example')
})

t.test('what strangers wrote cannot steer the terminal', async (t) => {
  const evil = 'a\u001b[2J\u0007\r\n\u202eb.example'
  const now = aMoment({
    slowest: [{ name: evil, attempts: 1, at_work: 0, mean_seconds: 1, p95_seconds: 1 }],
    paused: [{ name: evil, until: shown.now.at, answer: evil }],
  })
  const text = draw({ ...shown, now, problem: evil }, LOOK).join('')
  t.notMatch(text, /[\p{Cc}\p{Cf}]/u)
  t.match(text, 'b.example')
})

t.test('colours are there when they are wanted, and after the width is counted', async (t) => {
  const coloured = draw(shown, { ...LOOK, colours: true }).join('\n')
  t.match(coloured, '\u001b[31m')
  t.equal(coloured.replaceAll(/\u001b\[\d*m/g, ''), draw(shown, LOOK).join('\n'))
})

t.test('a row of numbers as bars', async (t) => {
  t.equal(sparkline([0, 1, 4, 8, null], true), ' ▂▅█·')
  t.equal(sparkline([0, 1, 4, 8, null], false), ' :+#_')
  t.equal(sparkline([0, 0], true), '  ')
  t.equal(sparkline([], true), '')
})
