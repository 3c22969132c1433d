/** The budgets of the stages (../budgets.json), in cal, and which of them are not kept. */
import { z } from 'zod'

/** Past so many times its budget a stage fails. */
const PATIENCE = 2
const EXCESS_PATIENCE = 1.5

/** `excess`: a stage that was past twice its budget when that was set, as it was in the short form; it must not grow further. Goes with the excess. */
const budgetSchema = z.union([z.number(), z.strictObject({ budget: z.number(), excess: z.number() })])

export interface Budget {
  budget: number
  /** What a run may measure without failing. */
  most: number
}

export type Budgets = ReadonlyMap<string, Budget>

/** @param json the text of budgets.json */
export function readBudgets(json: string): Budgets {
  const given = z.record(z.string(), budgetSchema).parse(JSON.parse(json))
  return new Map(Object.entries(given).map(([id, each]) => [id, allowed(each)]))
}

function allowed(given: z.infer<typeof budgetSchema>): Budget {
  if (typeof given === 'number') return { budget: given, most: PATIENCE * given }
  return { budget: given.budget, most: EXCESS_PATIENCE * given.excess }
}

export function budgetOf(budgets: Budgets, id: string): Budget {
  const budget = budgets.get(id)
  if (!budget) throw new Error(`no budget for ${id}`)
  return budget
}

/**
 * @param measured stages that ran, and what a message took; undefined when there is no figure, which keeps no budget
 * @returns a line for each stage that is past what is allowed
 */
export function pastBudget(budgets: Budgets, measured: readonly { id: string; cal: number | undefined }[]): string[] {
  return measured
    .map(({ id, cal = Number.NaN }) => ({ id, cal, ...budgetOf(budgets, id) }))
    .filter(({ cal, most }) => !(cal <= most))
    .map(({ id, cal, budget, most }) => `${id} takes ${cal.toFixed(1)}, its budget is ${budget}, allowed are ${most}`)
}
