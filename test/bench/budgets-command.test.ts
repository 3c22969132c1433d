/** The bench of stages as a command: it fails when one is past its budget. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { STAGES } from '../../bench/stages/all.js'

const run = promisify(execFile)

/** The bench of the cheapest stage, as the command line runs it. */
async function bench(t: Test, budget: number): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'restante-budgets-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'budgets.json')
  const all = STAGES.map(({ id }) => [id, budget])
  await writeFile(path, JSON.stringify(Object.fromEntries(all)))
  const env = { ...process.env, BENCH_STAGES: '^in.handOver$', BENCH_BUDGETS: path }
  return run(process.execPath, ['.tests/bench/main.js', '--short', 'stages'], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

t.test('the bench fails when a stage is past its budget in each of five measurements', async (t) => {
  const { code, stdout, stderr } = await bench(t, 1e-9)
  t.equal(code, 1)
  t.equal(stderr.match(/bench, in\.handOver: /g)?.length, 5, stderr)
  t.match(stdout, /Past what is allowed: in\.handOver takes/)
})

t.test('the bench passes when all stages keep their budgets', async (t) => {
  const { code, stdout, stderr } = await bench(t, 1e9)
  t.equal(code, 0, stdout)
  t.equal(stderr.match(/bench, in\.handOver: /g)?.length, 1, stderr)
  t.notMatch(stdout, /Past what is allowed/)
})
