import { runInNewContext } from 'node:vm'
import t from 'tap'
import { collectGarbage, collectYoung } from '../../../src/lib/memory/garbage.js'

t.test('what it sets for the whole process stays, as another thread may have just asked for it', async (t) => {
  collectGarbage()
  collectYoung()
  t.equal(runInNewContext('typeof gc'), 'function')
})
