/** A coverage-guided fuzzer in one loop: change an input, run it, keep it when it went where none had gone before. */
import { below, randomFrom, type Random } from '../support/random.js'
import { startCoverage } from './coverage.js'
import { mutate } from './mutate.js'

export interface Target {
  /** Inputs to begin with. */
  seeds: Buffer[]
  /** Pieces that are inserted whole. */
  dictionary: readonly string[]
  /** The scripts whose blocks count. */
  files: RegExp
  /** Throws when the input breaks what the code promises. */
  check(input: Buffer): Promise<void> | void
}

export interface Fuzzed {
  runs: number
  /** Functions and blocks of the code that were reached. */
  reached: number
  /** The inputs that were kept, the seeds first. */
  corpus: Buffer[]
  finding?: { input: Buffer; error: unknown }
}

export interface FuzzOptions {
  seed: number
  /** Asked every few runs. */
  goOn: (runs: number) => boolean
}

const MAX_INPUT_BYTES = 16 * 1024
/** Asking for the counts takes far longer than a run. */
const BATCH = 20

export async function fuzz(target: Target, { seed, goOn }: FuzzOptions): Promise<Fuzzed> {
  const random = randomFrom(seed)
  const coverage = startCoverage(target.files)
  const corpus: Buffer[] = []
  let runs = 0
  /** Runs inputs one after the other; the first that fails. */
  const failing = async (inputs: Buffer[]): Promise<Fuzzed['finding']> => {
    for (const input of inputs) {
      runs++
      try {
        await target.check(input)
      } catch (error) {
        return { input: await shorter(target, input), error }
      }
    }
    return undefined
  }
  try {
    let finding = await failing(target.seeds)
    coverage.take()
    corpus.push(...target.seeds)
    while (!finding && goOn(runs)) {
      const inputs = Array.from({ length: BATCH }, () => changed(random, corpus, target.dictionary))
      finding = await failing(inputs)
      if (finding || !coverage.peek()) continue
      // Once more, one by one, to see which of them it was.
      for (const input of inputs) {
        await failing([input])
        if (coverage.take()) corpus.push(input)
      }
    }
    return { runs, reached: coverage.reached(), corpus, ...(finding && { finding }) }
  } finally {
    coverage.stop()
  }
}

function changed(random: Random, corpus: Buffer[], dictionary: readonly string[]): Buffer {
  const at = (index: number): Buffer => corpus[index] ?? Buffer.alloc(0)
  // Half of the time one of the newest: nobody has looked behind them yet.
  const newest = corpus.length - 1 - Math.floor(random() ** 3 * corpus.length)
  const base = at(random() < 0.5 ? newest : below(random, corpus.length))
  return mutate(random, base, at(below(random, corpus.length)), dictionary).subarray(0, MAX_INPUT_BYTES)
}

/** Leaves out what the failure does not need, in ever smaller pieces. */
async function shorter(target: Target, input: Buffer): Promise<Buffer> {
  let shortest = input
  for (let piece = Math.ceil(input.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let at = 0; at < shortest.length;) {
      const candidate = Buffer.concat([shortest.subarray(0, at), shortest.subarray(at + piece)])
      if (await fails(target, candidate)) shortest = candidate
      else at += piece
    }
  }
  return shortest
}

async function fails(target: Target, input: Buffer): Promise<boolean> {
  try {
    await target.check(input)
    return false
  } catch (error) {
    return error !== undefined
  }
}
