/** `restante top` as a program: once on paper, and on a terminal that is given back as it was. */
import { join } from 'node:path'
import t from 'tap'
import { main } from '../../../src/cli/main.js'
import { inTerminal, terminalPeer } from '../../support/terminal.js'
import { standIn } from '../stand-in.js'
import { aMoment } from './a-moment.js'

const BIN = join(process.cwd(), 'bin/restante')

async function restante(words: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(words, { env: {}, print: (text) => out.push(text), note: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

t.test('where there is no terminal it is printed once, plain', async (t) => {
  const there = await standIn(t, { 'GET /now': aMoment() })
  const { code, out } = await restante(['top', ...there])
  t.equal(code, 0)
  t.match(out, /in {3}accepted +5\.0 +50 +1,200/)
  t.notMatch(out, '\u001b')
  t.equal((await restante(['top', '--once', ...there])).out, out)
  t.same(JSON.parse((await restante(['top', '--json', ...there])).out), aMoment())
})

t.test('an interval that is none, and a daemon that is not there', async (t) => {
  t.match(await restante(['top', '--interval', '0']), { code: 64, err: /--interval takes seconds, 1 to 3600/ })
  t.match(await restante(['top', '--interval', 'soon']), { code: 64 })
  t.match(await restante(['top', '--set', `server.data_dir=${t.testdir({})}`]), { code: 69, err: /No daemon/ })
})

/** The frames, without the colours. */
const frames = (text: string): string[][] =>
  text
    .replaceAll(/\u001b\[\d*m/g, '')
    .split('\u001b[H')
    .slice(1)
    .map((frame) => (frame.split('\u001b[J')[0] ?? '').split(/\r+\n/).map((line) => line.replace('\u001b[K', '')))

t.test('on a terminal: drawn again and again, in its size, until q', terminalPeer(), async (t) => {
  const answers: Record<string, unknown> = { 'GET /now': aMoment() }
  let asked = 0
  const there = await standIn(t, answers, () => asked++)
  const command = [process.execPath, BIN, 'top', '--interval', '1', ...there]
  const run = inTerminal(t, { rows: 24, columns: 80 }, command, {})
  await run.seen((text) => frames(text).length > 0 && text.endsWith('\u001b[J'))
  t.match(run.text, /^\u001b\[\?1049h/, 'the other screen, so what was there is kept')
  t.match(run.text, '\u001b[31m', 'in colours')
  t.ok((frames(run.text)[0] ?? []).length <= 24)

  run.order('size 8 40')
  await run.seen((text) => (frames(text).at(-1)?.length ?? 99) <= 8 && text.endsWith('\u001b[J'))
  for (const line of frames(run.text).at(-1) ?? []) t.ok([...line].length <= 40, line)

  answers['GET /now'] = aMoment({
    at: '2026-01-01T12:00:01.000Z',
    totals: { ...aMoment().totals, mail_accepted: 1201 },
  })
  await run.seen((text) => frames(text).some((lines) => lines.some((line) => /accepted +60/.test(line))))
  answers['GET /now'] = { error: { message: 'It is busy.', hint: 'Wait.' } }
  await run.seen((text) => frames(text).at(-1)?.[1]?.startsWith('It is busy. Wait.') === true)

  run.order('key q')
  t.same(await run.ended, { code: 0, restored: true })
  t.match(run.text, /\u001b\[\?7h\u001b\[\?25h\u001b\[\?1049l$/, 'the cursor and the screen of before')
  t.ok(asked >= 3 && asked < 30, `asked ${asked} times: once an interval`)
})

t.test('a signal gives the terminal back too; NO_COLOR is kept to', terminalPeer(), async (t) => {
  const there = await standIn(t, { 'GET /now': aMoment() })
  const run = inTerminal(t, { rows: 24, columns: 80 }, [process.execPath, BIN, 'top', ...there], { NO_COLOR: '1' })
  await run.seen((text) => frames(text).length > 0 && text.endsWith('\u001b[J'))
  run.order('signal 15')
  t.same(await run.ended, { code: 0, restored: true })
  t.match(run.text, /\u001b\[\?1049l$/)
  t.notMatch(run.text, /\u001b\[\d*m/)
})
