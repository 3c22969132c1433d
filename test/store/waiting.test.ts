/** Lines and waiters are kept for whoever uses a partition; nothing of them may stay when he has gone. */
import t from 'tap'
import { createSerial } from '../../src/lib/serial.js'
import { createWaiters } from '../../src/store/waiters.js'

t.test('a line lets one in after the other, also after one who failed, and is gone when it is empty', async (t) => {
  const line = createSerial()
  const inside: string[] = []
  const visit = (name: string) => async (): Promise<string> => {
    inside.push(`${name} in`)
    await new Promise((resolve) => setImmediate(resolve))
    inside.push(`${name} out`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const visits = await Promise.allSettled([
    line.run('p', visit('a')),
    line.run('p', visit('b')),
    line.run('p', visit('c')),
  ])
  t.match(visits, [
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: { message: 'b failed' } },
    { status: 'fulfilled', value: 'c' },
  ])
  t.same(inside, ['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(line.size, 0)
})

t.test('lines do not wait for each other', async (t) => {
  const line = createSerial()
  const other = new Promise<string>((resolve) => {
    void line.run('p', async () => t.equal(await other, 'done'))
    void line.run('q', async () => resolve('done'))
  })
  await other
  t.equal(await line.run('p', async () => 'next'), 'next')
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(line.size, 0)
})

t.test('who leaves takes his entry along, whether he was woken or not', async (t) => {
  const waiters = createWaiters()
  const [early, late, other] = [waiters.add('p', 1n), waiters.add('p', 5n), waiters.add('q', 0n)]
  waiters.tell('p', 3n)
  t.equal(await early.woken, 3n)
  early.leave()
  early.leave()
  t.equal(waiters.size, 2)
  waiters.tell('p', 9n)
  t.equal(await late.woken, 9n)
  late.leave()
  waiters.wakeAll()
  t.equal(await other.woken, undefined)
  other.leave()
  t.equal(waiters.size, 0)
})
