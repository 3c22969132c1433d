/** The coverage-guided fuzzer, for as many runs as a test may take; `npm run fuzz` goes on for longer. */
import t from 'tap'
import { fuzz } from './fuzz.js'
import { TARGETS } from './targets.js'

/** Enough to reach what the seeds don't, in a few seconds for all. */
const RUNS = 600
const SEED = 20_260_101
let fresh = 0

for (const [name, target] of Object.entries(TARGETS)) {
  t.test(`whatever the bytes, ${name} keeps what it promises`, async (t) => {
    const { runs, corpus, finding } = await fuzz(target, { seed: SEED, goOn: (done) => done < RUNS })
    if (finding) {
      t.comment(`input: ${JSON.stringify(finding.input.toString('latin1'))}`)
      throw finding.error
    }
    t.ok(runs >= RUNS, `${runs} runs`)
    fresh += corpus.length - target.seeds.length
  })
}

t.test('what it makes up reaches code that the seeds do not', async (t) => {
  t.ok(fresh > 20, `${fresh} inputs`)
})
