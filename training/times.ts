/**
 * How long a verdict takes: `npm run train:times`, or `npm run train:times -- FOLDER` beside another build (its `dist`), the two by turns on the
 * same messages in one process, so that what else the machine does falls on both alike.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as GuardModule from '../src/guard/verdict/guard.js'
import type * as ModelModule from '../src/guard/model/model.js'
import type { GuardSubject } from '../src/guard/types.js'
import { readCorpora } from './corpora.js'
import { subjectOf } from './examples.js'
import { generated } from './generated/index.js'
import { longTexts } from './examine.js'
import { worstCases } from './worst.js'

interface Judge {
  name: string
  judge(subject: GuardSubject): void
}

const ROUNDS = 4

async function judgeOf(name: string, folder: string): Promise<Judge> {
  const at = (path: string): string => pathToFileURL(resolve(folder, path)).href
  const { createGuard } = (await import(at('guard/verdict/guard.js'))) as typeof GuardModule
  const { loadModel } = (await import(at('guard/model/model.js'))) as typeof ModelModule
  const guard = createGuard({ model: loadModel() })
  return { name, judge: (subject) => void guard.evidence(subject) }
}

/** Milliseconds on the clock and of the processor, this process's other threads included. */
interface Took {
  wall: number
  cpu: number
}

function timed({ judge }: Judge, subject: GuardSubject): Took {
  // Its own, since a reading is kept with the subject it was made of.
  const own = { ...subject }
  const [from, before] = [performance.now(), process.cpuUsage()]
  judge(own)
  const wall = performance.now() - from
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: (user + system) / 1000 }
}

function summary(took: Took[]): string {
  const at = (values: number[], share: number): string => {
    const sorted = [...values].sort((a, b) => a - b)
    return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)
  }
  const [wall, cpu] = [took.map((one) => one.wall), took.map((one) => one.cpu)]
  return `clock p50 ${at(wall, 0.5)}  p99 ${at(wall, 0.99)}   processor p50 ${at(cpu, 0.5)}  p99 ${at(cpu, 0.99)}`
}

const other = process.argv[2]
if (other !== undefined && !existsSync(other)) throw new Error(`there is no build in ${other}`)
const judges = [...(other === undefined ? [] : [await judgeOf('before', other)]), await judgeOf('now', 'dist')]

const corpora = readCorpora().flatMap(({ samples }) => samples)
const groups: [name: string, subjects: GuardSubject[]][] = [
  ['corpora, 10 kB', longTexts(corpora, 1500).map(subjectOf)],
  ['templates, 10 kB', longTexts(generated('held-out', 12), 200).map(subjectOf)],
]

for (const [name, subjects] of groups) {
  const took = judges.map((): Took[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) {
      for (const [i, judge] of judges.entries()) {
        const one = timed(judge, subject)
        // The first round runs before the code is compiled.
        if (round > 0) took[i]?.push(one)
      }
    }
  }
  for (const [i, judge] of judges.entries())
    console.log(`${name}, ${subjects.length} messages, ${judge.name}: ${summary(took[i] ?? [])} ms`)
}

for (const [name, subject] of worstCases()) {
  const took = judges.map((): Took[] => [])
  for (let round = 0; round < 12; round++)
    for (const [i, judge] of judges.entries()) {
      const one = timed(judge, subject)
      if (round >= 4) took[i]?.push(one)
    }
  const of = judges.map(
    (judge, i) => `${judge.name} ${Math.min(...(took[i] ?? []).map(({ wall }) => wall)).toFixed(1)}`,
  )
  console.log(`worst, 32 kB, ${name}: ${of.join(', ')} ms`)
}
