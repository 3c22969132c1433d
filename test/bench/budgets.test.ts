import { readFile } from 'node:fs/promises'
import t from 'tap'
import { STAGES } from '../../bench/stages/all.js'
import { budgetOf, pastBudget, readBudgets } from '../../bench/stages/budgets.js'

t.test('a stage may take twice its budget, and no more', async (t) => {
  const budgets = readBudgets('{ "in.reading": 4 }')
  t.same(pastBudget(budgets, [{ id: 'in.reading', cal: 8 }]), [])
  t.same(pastBudget(budgets, [{ id: 'in.reading', cal: 8.1 }]), [
    'in.reading takes 8.1, its budget is 4, allowed are 8',
  ])
})

t.test('a stage with an excess may take 1.5 times that, and no more', async (t) => {
  const budgets = readBudgets('{ "in.store": { "budget": 6, "excess": 20 } }')
  t.same(pastBudget(budgets, [{ id: 'in.store', cal: 30 }]), [])
  t.same(pastBudget(budgets, [{ id: 'in.store', cal: 30.2 }]), ['in.store takes 30.2, its budget is 6, allowed are 30'])
})

t.test('each stage is checked, and one without a figure keeps no budget', async (t) => {
  const budgets = readBudgets('{ "in.reading": 4, "in.score": 7, "in.store": 6, "in.index": 3 }')
  const measured = [
    { id: 'in.reading', cal: 100 },
    { id: 'in.score', cal: undefined },
    { id: 'in.store', cal: Number.NaN },
    { id: 'in.index', cal: 3 },
  ]
  t.same(
    pastBudget(budgets, measured).map((line) => line.split(' ')[0]),
    ['in.reading', 'in.score', 'in.store'],
  )
})

t.test('a stage without a budget, and a budget that is none, are faults', async (t) => {
  t.throws(() => pastBudget(readBudgets('{}'), [{ id: 'in.reading', cal: 1 }]), { message: 'no budget for in.reading' })
  t.throws(() => readBudgets('{ "in.reading": "4" }'))
  t.throws(() => readBudgets('{ "in.store": { "budget": 6, "exces": 19 } }'))
})

t.test('there is a budget for each stage, and for nothing else', async (t) => {
  const budgets = readBudgets(await readFile('bench/budgets.json', 'utf8'))
  t.same([...budgets.keys()].sort(), STAGES.map(({ id }) => id).sort())
  for (const { id } of STAGES) t.ok(budgetOf(budgets, id).budget > 0, id)
})
