/** What FETCH says of every message of the public suites, here and in Dovecot. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { prependFields } from '../../../src/mime/headers.js'
import { allPeers } from '../../support/peers/peers.js'
import { dovecotPeer, startDovecot } from '../../support/peers/dovecot.js'
import { SAMPLE, inSample } from '../../support/sample.js'
import { filesIn } from '../../suites/mime/mime-cost.js'
import { suiteDir } from '../../suites/suite.js'
import { compare, type Difference } from './comparison.js'
import { ENDED_SESSIONS, KINDS, pairsOf } from './known-differences.js'

const SUITES = inSample(
  [
    'mime-cassandane',
    'mime-cpython',
    'mime-enmime',
    'mime-mailparser',
    'mime-mime4j',
    'mime-postal-mime',
    'mime-ruby-mail',
    'mime-wildduck',
    'bounce-flufl',
    'bounce-sisimai',
    'dkim-chasquid',
    'dkim-dkimpy',
    'arc-valimail',
    'reply-crisp',
    'reply-github',
    'reply-talon',
    'thread-mail-thread',
  ],
  (name) => /cassandane|mailparser|enmime|wildduck/.test(name),
)
/** Messages there are: fewer that were compared means that the suites were not read whole. */
const SIZE = SAMPLE ? 100 : 1500

/** As reception stores it: with CRLF, and a field in front. */
function stored(file: string): Buffer {
  const text = readFileSync(file, 'latin1').replace(/\r\n|\r|\n/g, '\r\n')
  return prependFields(Buffer.from(text, 'latin1'), ['Return-Path: <>'])
}

const folders = SUITES.map((folder) => suiteDir({ folder }))
const missing = folders.find((folder) => !existsSync(folder))
const suites: { skip: string | false } = { skip: missing === undefined ? false : `${missing} is not there` }

t.test(
  'FETCH is as in Dovecot, but for the known differences',
  { timeout: 600_000, ...allPeers(suites, dovecotPeer()) },
  async (t) => {
    const counts = new Map(KINDS.map(({ name }) => [name, 0]))
    const unexplained: string[] = []
    let compared = 0
    let ended = 0
    let dovecot = await startDovecot()
    t.teardown(() => dovecot.stop())
    for (const file of folders.flatMap(filesIn)) {
      const raw = stored(file)
      // Reception refuses it.
      if (raw.includes(0)) continue
      compared++
      let differences: Difference[] = []
      try {
        differences = await compare(dovecot, raw)
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('Dovecot has ended'))) throw error
        ended++
        await dovecot.stop()
        dovecot = await startDovecot()
      }
      const text = raw.toString('latin1')
      for (const pair of differences.flatMap((difference) => [...pairsOf(difference)])) {
        const kind = KINDS.find(({ explains }) => explains(pair, text))
        if (kind) counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1)
        else unexplained.push(`${file}: ${JSON.stringify(pair).slice(0, 500)}`)
      }
    }
    t.comment(`${compared} messages`)
    t.ok(compared >= SIZE, `${compared} messages were compared`)
    t.same(unexplained, [])
    for (const { name, count } of KINDS) {
      const found = counts.get(name) ?? 0
      t.ok(SAMPLE ? found <= count : found === count, `${name}: ${found} of ${count}`)
    }
    t.ok(SAMPLE ? ended <= ENDED_SESSIONS : ended === ENDED_SESSIONS, `${ended} of ${ENDED_SESSIONS} sessions ended`)
  },
)
