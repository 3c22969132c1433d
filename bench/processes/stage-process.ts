/** One stage in a process of its own: `node .tests/bench/processes/stage-process.js STAGE MAIL-FILE WARM-UP MESSAGES ROUNDS`. */
import { createCal } from '../stages/cal.js'
import { STAGES } from '../stages/all.js'
import { readMail } from '../stages/sources.js'
import type { Stage } from '../stages/stage.js'
import { median } from '../support/table.js'

export interface StageCost {
  /** CPU time of all threads for one message, in cal: of the first messages, and the median of the rounds after many. */
  cold: number
  warm: number
  /** CPU time of one cal, in microseconds. */
  calUs: number
}

/** Messages of a process that has done nothing before. */
const COLD = 300
const STEP = 500

async function costUs(stage: Stage, from: number, to: number): Promise<number> {
  await stage.prepare?.(from, to)
  const before = process.cpuUsage()
  await stage.run(from, to)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (to - from)
}

async function main(name: string, path: string, warmUp: number, messages: number, rounds: number): Promise<StageCost> {
  const start = STAGES.find((each) => each.id === name)?.start
  if (!start) throw new Error(`no such stage: ${name}`)
  const stage = await start(readMail(path))
  const cal = createCal()
  const cold = await costUs(stage, 0, COLD)
  let done = COLD
  for (; done < warmUp; done += STEP) await costUs(stage, done, done + STEP)
  // Each round has the cal of its own time: a shared machine is now faster, now slower.
  const [inCal, cals]: [number[], number[]] = [[], [cal.measure()]]
  for (let round = 0; round < rounds; round++, done += messages) {
    const cost = await costUs(stage, done, done + messages)
    const [before = 0, after] = [cals.at(-1), cal.measure()]
    cals.push(after)
    inCal.push((2 * cost) / (before + after))
  }
  await stage.close()
  const calUs = Math.min(...cals)
  return { cold: cold / calUs, warm: median(inCal), calUs }
}

const [name = '', path = '', ...numbers] = process.argv.slice(2)
const [warmUp = 5000, messages = 1000, rounds = 5] = numbers.map(Number)
const cost = await main(name, path, warmUp, messages, rounds)
if (process.send) process.send(cost, () => process.exit())
else console.log(JSON.stringify(cost))
