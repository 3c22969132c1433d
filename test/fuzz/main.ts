/**
 * `npm run fuzz -- [target] [--seconds N] [--seed S]`: the coverage-guided fuzzer for as long as one likes. It prints its seed, and where it
 * has put an input that breaks a promise.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.js'
import { TARGETS } from './targets.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const unknown = positionals.filter((name) => TARGETS[name] === undefined)
if (unknown.length > 0 || !(seconds > 0) || !Number.isInteger(seed)) {
  console.error(`usage: npm run fuzz -- [${Object.keys(TARGETS).join('|')}] [--seconds N] [--seed S]`)
  process.exit(2)
}
const chosen = Object.entries(TARGETS).filter(([name]) => positionals.length === 0 || positionals.includes(name))
for (const [name, target] of chosen) {
  const end = performance.now() + (seconds * 1000) / chosen.length
  const { runs, reached, corpus, finding } = await fuzz(target, { seed, goOn: () => performance.now() < end })
  console.log(
    `${name}: ${runs} runs, ${reached} functions and blocks reached, ${corpus.length} inputs kept, seed ${seed}`,
  )
  if (!finding) continue
  const folder = join('test', 'output', 'fuzz')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}-${seed}`)
  writeFileSync(file, finding.input)
  console.error(`${name}: ${file} (${finding.input.length} bytes)`, finding.error)
  process.exitCode = 1
}
