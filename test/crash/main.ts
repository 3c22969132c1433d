/** `npm run crash -- --rounds 200 --seed 1`: the crash run, with its counts as a table for docs/reliability.md. SIGINT or SIGTERM ends the rounds early: nothing is left behind. */
import { parseArgs } from 'node:util'
import { report } from './report.js'
import { crashRun } from './run.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
})
const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
console.log(`${rounds} rounds from seed ${seed}`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
const proof = await crashRun({
  rounds,
  seed,
  untilEmpty: true,
  signal: stop.signal,
  onRound: (round, wanted) => {
    if (round % 10 === 0) console.log(`round ${round}: ${wanted} messages asked for so far`)
  },
})
report(proof)
