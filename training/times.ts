/**
 * How long a verdict takes, in time of the processor: `npm run train:times`, or `npm run train:times -- FOLDER` beside another build (its `dist`), the
 * two by turns on the same messages, so that what else the machine does falls on both alike. Last, what takes longest, by size.
 */
import { existsSync } from 'node:fs'
import type { GuardSubject } from '../src/guard/types.js'
import { readCorpora } from './corpora.js'
import { subjectOf } from './examples.js'
import { generated } from './generated/index.js'
import { createRandom } from './generated/template.js'
import { longTexts } from './examine.js'
import { startTimed, type Took } from './timed.js'
import { SHAPES, searchWorst, subjectOfShape, type Shape } from './worst.js'

const ROUNDS = 4
/** KiB. */
const SIZES = [8, 16, 32, 64, 128, 256]
const SHOWN = 20
const SEARCH = { tried: 400, chars: 32 * 1024 }

const other = process.argv[2]
if (other !== undefined && !existsSync(other)) throw new Error(`there is no build in ${other}`)
const now = await startTimed('now', 'dist')
const builds = [...(other === undefined ? [] : [await startTimed('before', other)]), now]

function summary(took: Took[]): string {
  const at = (values: number[], share: number): string => {
    const sorted = [...values].sort((a, b) => a - b)
    return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)
  }
  const [wall, cpu] = [took.map((one) => one.wall), took.map((one) => one.cpu)]
  return `clock p50 ${at(wall, 0.5)}  p99 ${at(wall, 0.99)}   processor p50 ${at(cpu, 0.5)}  p99 ${at(cpu, 0.99)}`
}

async function compare(name: string, subjects: GuardSubject[]): Promise<void> {
  const took = builds.map((): Took[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) {
      for (const [i, build] of builds.entries()) {
        const one = await build.judge(subject)
        // The first round runs before the code is compiled.
        if (round > 0) took[i]?.push(one)
      }
    }
  }
  for (const [i, build] of builds.entries())
    console.log(`${name}, ${subjects.length} messages, ${build.name}: ${summary(took[i] ?? [])} ms`)
}

/** The least of some runs: what else runs only adds. */
async function leastOf(subject: GuardSubject, runs: number): Promise<number> {
  let least = Infinity
  for (let i = 0; i < runs; i++) least = Math.min(least, (await now.judge(subject)).cpu)
  return least
}

async function bySize(shape: Shape): Promise<number[]> {
  const took: number[] = []
  for (const size of SIZES) took.push(await leastOf(subjectOfShape(shape, size * 1024), 3))
  return took
}

const row = (name: string, cells: string[]): string => name.padEnd(36) + cells.map((cell) => cell.padStart(9)).join('')

const corpora = readCorpora().flatMap(({ samples }) => samples)
await compare('corpora, 10 kB', longTexts(corpora, 1500).map(subjectOf))
await compare('templates, 10 kB', longTexts(generated('held-out', 12), 200).map(subjectOf))

const rows: [name: string, took: number[]][] = []
for (const [name, shape] of Object.entries(SHAPES)) rows.push([name, await bySize(shape)])
const found = await searchWorst((subject) => leastOf(subject, 1), createRandom('worst'), SEARCH)
rows.push([`found: ${JSON.stringify(found.pieces.map((piece) => piece.slice(0, 12)))}`, await bySize(found.shape)])
rows.sort(([, a], [, b]) => Math.max(...b) - Math.max(...a))
console.log(`\n${row('ms of the processor, by KiB', SIZES.map(String))}`)
for (const [name, took] of rows.slice(0, SHOWN)) console.log(row(name, took.map((ms) => ms.toFixed(1)))) // prettier-ignore
for (const build of builds) build.end()
