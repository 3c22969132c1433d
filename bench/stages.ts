/**
 * What each stage of a message costs by itself, in cal (stages/cal.ts), cold and after 5,000 messages, with the bench's mail and that of public corpora;
 * and whether it keeps to its budget (budgets.json). Each stage has a process of its own. Names behind `stages` choose some.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StageCost } from './processes/stage-process.js'
import { STAGES, type NamedStage } from './stages/all.js'
import { budgetOf, pastBudget, readBudgets } from './stages/budgets.js'
import { mailOf, packMail, sources, type Source } from './stages/sources.js'
import { lengthOf } from './support/length.js'
import { makeSigningKey } from './support/messages.js'
import { missingPrograms, SMTP_SINK } from './support/programs.js'

const WARM_UP = lengthOf(5000, 1500)
const MESSAGES = lengthOf(1000, 300)
const ROUNDS = lengthOf(5, 5)
/** Measurements of a stage that is past what is allowed. */
const TRIES = 5
/** Warm-up, messages and rounds; and of a stage that is measured again, which is as warm as the budgets mean. */
const LENGTHS = [WARM_UP, MESSAGES, ROUNDS]
const LENGTHS_AGAIN = [5000, 1000, 5]
/** Different messages of a source. */
const DISTINCT = lengthOf(2000, 300)
const CHOSEN = new RegExp(process.env['BENCH_STAGES'] ?? '')
const BUDGETS = process.env['BENCH_BUDGETS'] ?? fileURLToPath(new URL('../../bench/budgets.json', import.meta.url))
const budgets = readBudgets(readFileSync(BUDGETS, 'utf8'))

interface Measured {
  source: Source
  meanBytes: number
  costs: Map<string, StageCost>
}

export async function stages(): Promise<string> {
  const chosen = STAGES.filter(({ id }) => CHOSEN.test(id))
  const missing = missingPrograms([SMTP_SINK])
  const present = chosen.filter(({ needs }) => needs === undefined || missing.length === 0)
  const measured: Measured[] = []
  // In the short form only what the budgets are for.
  // The budgets are those of the bench's mail, the first source.
  for (const [n, source] of sources(DISTINCT).slice(0, lengthOf(Infinity, 1)).entries())
    measured.push(await measure(source, present, n === 0 ? TRIES : 1))
  const text = report(chosen, measured)
  const over = pastBudget(
    budgets,
    present.map(({ id }) => ({ id, cal: measured[0]?.costs.get(id)?.warm })),
  )
  if (over.length > 0) throw new Error(`${text}\nPast what is allowed: ${over.join('; ')}`)
  return text
}

async function measure(source: Source, present: readonly NamedStage[], tries: number): Promise<Measured> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  try {
    const key = makeSigningKey()
    const mails = await mailOf(source, key)
    const path = join(dir, 'mail')
    await writeFile(path, packMail({ mails, record: key.record }))
    const costs = new Map<string, StageCost>()
    for (const { id } of present) costs.set(id, await leastCostOf(source, id, path, tries))
    return { source, meanBytes: mails.reduce((sum, { raw }) => sum + raw.length, 0) / mails.length, costs }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/**
 * What goes on beside a stage only adds to its cost: one that is past what is allowed is measured again, `most` times in all,
 * and the least counts. What has truly grown is past it each time.
 */
async function leastCostOf(source: Source, id: string, path: string, most: number): Promise<StageCost> {
  let least: StageCost | undefined
  for (let tries = 0; tries < most; tries++) {
    const cost = await costOf(id, path, tries === 0 ? LENGTHS : LENGTHS_AGAIN)
    process.stderr.write(`${source.name}, ${id}: ${JSON.stringify(cost)}\n`)
    if (!least || cost.warm < least.warm) least = cost
    if (pastBudget(budgets, [{ id, cal: least.warm }]).length === 0) break
  }
  if (!least) throw new Error(`${id} was not measured`)
  return least
}

async function costOf(id: string, path: string, lengths: readonly number[]): Promise<StageCost> {
  const program = fileURLToPath(new URL('./processes/stage-process.js', import.meta.url))
  const child = fork(program, [id, path, ...lengths.map(String)])
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process of ${id} ended without a result`)
  })
  const [cost] = (await Promise.race([once(child, 'message'), ended])) as [StageCost]
  await ended.catch(() => undefined)
  return cost
}

function report(chosen: readonly NamedStage[], measured: readonly Measured[]): string {
  const heads = measured.map(({ source, meanBytes }) => `${source.name}, ${(meanBytes / 1024).toFixed(1)} KB`)
  const row = (cells: string[]): string => `| ${cells.join(' | ')} |`
  const shown = (cost: StageCost | undefined): string =>
    cost ? `${cost.warm.toFixed(1)} (${cost.cold.toFixed(0)})` : 'smtp-sink missing'
  const rows = (direction: NamedStage['direction']): string[] =>
    chosen
      .filter((stage) => stage.direction === direction)
      .map(({ id, name }) =>
        row([
          `${direction}: ${name}`,
          `${budgetOf(budgets, id).budget}`,
          ...measured.map(({ costs }) => shown(costs.get(id))),
        ]),
      )
  const sum = (direction: NamedStage['direction']): string => {
    // A message is read once: the bench's mail is plain.
    const ids = chosen
      .filter((stage) => stage.direction === direction && stage.id !== 'in.readingAlternative')
      .map(({ id }) => id)
    const totals = measured.map(({ costs }) =>
      ids.reduce((total, id) => total + (costs.get(id)?.warm ?? Number.NaN), 0),
    )
    const budget = ids.reduce((total, id) => total + budgetOf(budgets, id).budget, 0)
    return row([`${direction}: all`, `${budget}`, ...totals.map((total) => total.toFixed(1))])
  }
  const calUs = measured.flatMap(({ costs }) => [...costs.values()].map((cost) => cost.calUs))
  return [
    `## Stages of a message, in cal, after ${WARM_UP.toLocaleString('en')} messages (in brackets: the first 300)`,
    '',
    row(['stage', 'budget', ...heads]),
    row(['stage', 'budget', ...heads].map(() => '---')),
    ...rows('in'),
    sum('in'),
    ...rows('out'),
    sum('out'),
    '',
    `One cal took ${Math.min(...calUs).toFixed(0)} to ${Math.max(...calUs).toFixed(0)} µs.`,
    '',
  ].join('\n')
}
