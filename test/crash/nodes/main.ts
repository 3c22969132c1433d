/** `npm run proof:nodes -- --kills 60 --seed 1`: the proof with its counts as a table for docs/reliability.md. SIGINT or SIGTERM ends the breaking early. */
import { parseArgs } from 'node:util'
import { report } from '../report.js'
import { proveNodes } from './run.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    promotions: { type: 'string', default: '5' },
    cuts: { type: 'string', default: '2' },
    stops: { type: 'string', default: '1' },
    rolls: { type: 'string', default: '1' },
    lonely: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ending.abort())
const proof = await proveNodes({
  plan: {
    kills: Number(values.kills),
    promotions: Number(values.promotions),
    cuts: Number(values.cuts),
    cutMs: 30_000,
    stops: Number(values.stops),
    stopMs: 60_000,
    rolls: Number(values.rolls),
    lonely: Number(values.lonely),
  },
  seed,
  refusals: true,
  lines: 6,
  signal: ending.signal,
  onBreak: ({ kind, node, from }, left) =>
    console.log(
      `${new Date(from).toISOString()} ${kind} ${node === undefined ? '' : `of node${node + 1}`}, ${left} left`,
    ),
})
report(proof)
