import t from 'tap'
import { after, attempt } from '../../src/lib/maybe.js'

const broken = new Error('broken')
const fail = (): never => {
  throw broken
}

t.test('what is there goes on in the same turn, and what is not when it comes', async (t) => {
  t.equal(
    after(1, (n) => n + 1),
    2,
  )
  t.equal(await after(Promise.resolve(1), (n) => n + 1), 2)
  t.equal(
    attempt(
      () => 1,
      (n) => n + 1,
      () => 0,
    ),
    2,
  )
  t.equal(
    await attempt(
      async () => 1,
      (n) => n + 1,
      () => 0,
    ),
    2,
  )
})

t.test('an error of the start is handled, thrown or rejected, and one of what follows is not', async (t) => {
  const handled: unknown[] = []
  const failed = (error: unknown): string => {
    handled.push(error)
    return 'handled'
  }
  t.equal(
    attempt(fail, () => 'unused', failed),
    'handled',
  )
  t.equal(
    await attempt(
      async () => fail(),
      () => 'unused',
      failed,
    ),
    'handled',
  )
  t.same(handled, [broken, broken])
  t.throws(() => attempt(() => 1, fail, failed), broken)
  await t.rejects(async () => attempt(async () => 1, fail, failed), broken)
  t.equal(handled.length, 2)
})
