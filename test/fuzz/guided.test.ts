/** The coverage-guided fuzzer, for as many runs as a test may take; `npm run fuzz` goes on for longer. */
import t from 'tap'
import { fuzz } from './fuzz.js'
import { TARGETS } from './targets.js'

/** Enough to reach what the seeds don't, in a few seconds for all. */
const RUNS = 600
const SEED = 20_260_101

for (const [name, target] of Object.entries(TARGETS)) {
  t.test(`whatever the bytes, ${name} keeps what it promises`, async (t) => {
    const { runs, corpus, finding } = await fuzz(target, { seed: SEED, goOn: (done) => done < RUNS })
    if (finding) {
      t.comment(`input: ${JSON.stringify(finding.input.toString('latin1'))}`)
      throw finding.error
    }
    t.ok(runs >= RUNS, `${runs} runs`)
    t.ok(corpus.length > target.seeds.length, `${corpus.length} inputs reached something new`)
  })
}
