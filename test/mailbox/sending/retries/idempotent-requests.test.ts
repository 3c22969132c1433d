import t from 'tap'
import {
  createAnswerOnce,
  type GivenAnswer,
  type Making,
} from '../../../../src/mailbox/sending/retries/idempotent-requests.js'
import { HOUR } from '../../../../src/lib/clock.js'
import { ServiceError } from '../../../../src/lib/errors.js'
import { isId } from '../../../../src/lib/ids.js'
import { createStore } from '../../../../src/store/store.js'
import { LIMITS, makeWorld, onEveryEngine, type World } from '../../world.js'
import { memoryEngine } from '../../../support/store/memory-engine.js'

const request = { key: 'k', request: ['make', { name: 'a' }], isSecret: false }
const given = (making: Making): GivenAnswer => ({
  status: 201,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ id: making.id('whk') }),
})

/** As after a restart of the process. */
const afresh = ({ store, clock }: World) => createAnswerOnce({ store, clock, keepMs: LIMITS.idempotencyMs })

onEveryEngine(
  'the first answer is repeated for a day, by another process too, and the work is done once',
  async (t, w) => {
    let done = 0
    const work = async (making: Making): Promise<GivenAnswer> => {
      done++
      t.notOk(making.again)
      return given(making)
    }
    const first = await w.mailboxes.answerOnce(w.id, request, work)
    t.same(await w.mailboxes.answerOnce(w.id, request, work), first)
    t.same(await afresh(w)(w.id, request, work), first)
    t.equal(done, 1)
    await t.rejects(w.mailboxes.answerOnce(w.id, { ...request, request: ['make', { name: 'b' }] }, work), {
      code: 'idempotency_mismatch',
    })
    await t.rejects(w.send({}, 'k'), { code: 'idempotency_mismatch' }, 'one key stands for one request of any sort')
    const other = await w.addMailbox('other')
    t.not((await w.mailboxes.answerOnce(other, request, work)).body, first.body, 'keys are the mailbox’s own')

    w.clock.advance(24 * HOUR)
    t.not((await w.mailboxes.answerOnce(w.id, request, work)).body, first.body)
  },
)

onEveryEngine('who comes while the first is at work waits for its answer', async (t, w) => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  let done = 0
  const work = async (making: Making): Promise<GivenAnswer> => {
    done++
    await gate
    return given(making)
  }
  const both = [w.mailboxes.answerOnce(w.id, request, work), w.mailboxes.answerOnce(w.id, request, work)]
  open()
  const [first, second] = await Promise.all(both)
  t.same(first, second)
  t.equal(done, 1)
})

onEveryEngine('work that a crash cut off is done again under the same ids', async (t, w) => {
  const ids: string[] = []
  const died = new Error('died')
  await t.rejects(
    w.mailboxes.answerOnce(w.id, request, async (making) => {
      ids.push(making.id('whk'), making.id('whk'), making.id('key'))
      throw died
    }),
    died,
  )
  const answer = await afresh(w)(w.id, request, async (making) => {
    t.ok(making.again)
    t.same([making.id('whk'), making.id('whk'), making.id('key')], ids)
    return { status: 201, headers: {}, body: '{}' }
  })
  t.equal(answer.status, 201)
  t.equal(new Set(ids).size, 3)
  t.ok(isId('whk', ids[0] ?? '') && isId('key', ids[2] ?? ''), ids.join(' '))
})

onEveryEngine('a request that was refused leaves its key free, unless something may have been made', async (t, w) => {
  const refusal = new ServiceError('name_taken', 'Taken.', 'Choose another.')
  const refuse = async (): Promise<GivenAnswer> => {
    throw refusal
  }
  const mended = { ...request, request: ['make', { name: 'free' }] }
  await t.rejects(w.mailboxes.answerOnce(w.id, request, refuse), refusal)
  t.equal((await w.mailboxes.answerOnce(w.id, mended, async (making) => given(making))).status, 201)

  const cut = { ...request, key: 'cut' }
  await t.rejects(
    w.mailboxes.answerOnce(w.id, cut, async () => {
      throw new Error('died')
    }),
  )
  await t.rejects(w.mailboxes.answerOnce(w.id, cut, refuse), refusal)
  await t.rejects(w.mailboxes.answerOnce(w.id, { ...mended, key: 'cut' }, refuse), { code: 'idempotency_mismatch' })
})

t.test('a secret is stored nowhere, and who asks again is told what to remove', async (t) => {
  const engine = memoryEngine()
  const w = await makeWorld(t, createStore(engine))
  const secret = { ...request, isSecret: true }
  let id = ''
  const work = async (making: Making): Promise<GivenAnswer> => {
    id = making.id('key')
    return { status: 201, headers: {}, body: JSON.stringify({ id, key: 'rst_in-the-clear' }) }
  }
  t.match((await w.mailboxes.answerOnce(w.id, secret, work)).body, /rst_in-the-clear/)
  const first = id
  await t.rejects(w.mailboxes.answerOnce(w.id, secret, work), {
    code: 'secret_shown_once',
    hint: new RegExp(`remove ${first} `),
  })
  const rows = await w.store.read(`mailbox/${w.id}`, (view) => view.range({ gte: Buffer.of(0), lt: Buffer.of(0xff) }))
  t.ok(rows.length > 1)
  t.notOk(rows.some(([, value]) => Buffer.from(value).includes('in-the-clear')))
})

onEveryEngine(
  'a retry that another daemon gets waits for the one at work; when that has gone, it repeats the work',
  async (t, w) => {
    const alive = ['a', 'b', 'c']
    // Timeouts of waits keep no process.
    const running = setInterval(() => undefined, 1000)
    t.teardown(() => clearInterval(running))
    const node = (id: string, waitMs?: number) =>
      createAnswerOnce({
        store: w.store,
        clock: w.clock,
        keepMs: LIMITS.idempotencyMs,
        nodes: { id, peers: () => alive.filter((other) => other !== id) },
        waitMs,
      })
    const [a, b, impatient] = [node('a'), node('b'), node('c', 1)]
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    let begun = (): void => undefined
    const hasBegun = new Promise<void>((resolve) => (begun = resolve))
    const works: boolean[] = []
    const work = async (making: Making): Promise<GivenAnswer> => {
      works.push(making.again)
      begun()
      await gate
      return given(making)
    }
    const first = a(w.id, request, work)
    await hasBegun
    await t.rejects(impatient(w.id, request, work), { code: 'unavailable', retryAfterSeconds: 5 })
    const second = b(w.id, request, work)
    open()
    t.same(await second, await first)
    t.same(works, [false])

    const other = { ...request, key: 'other' }
    await t.rejects(
      a(w.id, other, async () => {
        throw new Error('the disk is full')
      }),
      /disk is full/,
    )
    await b(w.id, other, work)
    t.same(works, [false, true], 'one that failed is left to whoever comes')

    const lost = { ...request, key: 'lost' }
    await new Promise<void>((resolve) => {
      const dies = a(w.id, lost, () => {
        resolve()
        return new Promise(() => undefined)
      })
      dies.catch((error: unknown) => t.fail(String(error)))
    })
    alive.shift()
    await b(w.id, lost, work)
    t.same(works, [false, true, true], 'and so is one whose daemon has gone')
  },
)
