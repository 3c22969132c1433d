/** The line that says how far long work is. */
import { Writable } from 'node:stream'
import t from 'tap'
import { bar, createProgress } from '../../../src/cli/terminal/progress.js'

function stream(isTTY: boolean) {
  const written: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  return { written, sink: Object.assign(sink, { isTTY }) }
}

t.test('on a terminal one line is written over, not at each step, and leaves nothing', (t) => {
  const { written, sink } = stream(true)
  const progress = createProgress(sink)
  for (let done = 0; done < 100; done++) progress.show(bar(done, 100))
  t.ok(written.length < 100, 'the terminal is not flooded')
  t.match(written[0], /^\r\u001b\[K\[-{20}\] 0% {2}0 of 100$/)
  progress.end()
  t.equal(written.at(-1), '\r\u001b[K')
  const { length } = written
  progress.end()
  t.equal(written.length, length)
  t.end()
})

t.test('elsewhere nothing is written', (t) => {
  const { written, sink } = stream(false)
  const progress = createProgress(sink)
  progress.show('half')
  progress.end()
  t.same(written, [])
  t.end()
})

t.test('a bar says share and sizes; nothing to do is all of it', (t) => {
  t.equal(bar(512, 1024), '[##########----------] 50%  512 of 1.0K')
  t.equal(bar(0, 0), '[####################] 100%  0 of 0')
  t.equal(bar(9, 4).slice(0, 27), '[####################] 100%')
  t.end()
})
