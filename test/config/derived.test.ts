/** Values derived from settings and from the machine. */
import t from 'tap'
import { frontProcesses } from '../../src/config/derived.js'
import { loadConfig } from '../../src/config/load.js'

t.test('front processes are one for each core but the first, where there are more than two', async (t) => {
  const config = (value?: string) => loadConfig({ set: value === undefined ? [] : [`smtp.processes=${value}`] })
  t.same(
    [1, 2, 3, 8].map((cores) => frontProcesses(config(), cores)),
    [0, 0, 2, 7],
  )
  t.same(
    ['0', '1', '5'].map((value) => frontProcesses(config(value), 8)),
    [0, 1, 5],
  )
  t.throws(() => config('many'), /smtp\.processes .*"auto", or a whole number from 0 to 64/)
})
