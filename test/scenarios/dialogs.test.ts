/** The transcripts of dialogs/, held with the receiver. */
import { readdirSync, readFileSync } from 'node:fs'
import builtIn from 'smtp-server/lib/tls-options'
import t from 'tap'
import { NO_SESSION_LIMITS } from '../../src/smtp/server/session-limits.js'
import { startReceiver } from '../mx/receiver.js'
import { readTranscript, replay } from '../support/peers/transcript.js'

const FOLDER = 'test/scenarios/dialogs'
// Any certificate does; the library's own is at hand.
const { key, cert } = builtIn()
const certificate = { key: String(key), cert: String(cert) }

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
t.ok(files.length >= 25, 'the dialogs are there')

for (const file of files) {
  const { title, needs, steps } = readTranscript(readFileSync(`${FOLDER}/${file}`, 'utf8'))
  t.test(`${file}: ${title}`, async (t) => {
    for (const bytewise of needs.includes('whole') ? [false] : [false, true]) {
      const mx = await startReceiver({
        tls: needs.includes('tls') ? certificate : undefined,
        sessionLimits: { ...NO_SESSION_LIMITS, commandErrors: 20 },
        notices: needs.includes('dsn') ? { delivered: async () => undefined } : undefined,
      })
      t.teardown(() => mx.close())
      const delivered = (): Buffer[] => mx.world.delivered.map(({ raw }) => raw)
      const { mismatches } = await replay(steps, { port: mx.port, bytewise, delivered })
      t.same(mismatches, [], bytewise ? 'byte by byte' : 'as written')
    }
  })
}
