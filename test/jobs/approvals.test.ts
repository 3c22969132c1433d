/** Letters about drafts that wait, with two nodes on one store. */
import t, { type Test } from 'tap'
import type { Letter } from '../../src/accounts/letters.js'
import { tellOfWaiting } from '../../src/jobs/approvals.js'
import { MINUTE } from '../../src/lib/clock.js'
import { createStore } from '../../src/store/store.js'
import { letter, makeWorld, waiting, type World } from '../mailbox/world.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { processesOf } from '../support/store/processes.js'

const ASKS = { by: { type: 'key' as const, id: 'key_1', requiresApproval: true } }

const ask = async ({ mailboxes, id }: World, subject: string) =>
  waiting(await mailboxes.sending.send(id, letter({ subject }), ASKS)).id

async function twoNodes(t: Test) {
  const [one, two] = processesOf(memoryEngine(), 2)
  if (!one || !two) throw new Error('there are two')
  const first = await makeWorld(t, createStore(one))
  return { first, second: await makeWorld(t, createStore(two), first) }
}

/** Runs the task of a letter. @param meanwhile happens after the letter was laid out, and before it is posted */
function tell({ store, clock, mailboxes, account, id }: World, posted: Letter[], meanwhile = async () => {}) {
  return tellOfWaiting(
    {
      ...{ store, clock, mailboxes, baseUrl: 'https://mail.example' },
      accounts: { get: async () => ({ ...account, owner: 'ada@example.org' }), mailboxes: async () => [id] },
      letters: {
        async compose(_id, given) {
          await meanwhile()
          return (tx) => tx.afterCommit(() => posted.push(given))
        },
      },
    },
    { payload: { account_id: account.id, mailbox_id: id, draft_id: 'drf_none' } },
  )
}

t.test('of two nodes that write to an owner at once, one sends its letter, and every draft is told of', async (t) => {
  const { first, second } = await twoNodes(t)
  const posted: Letter[] = []
  await ask(first, 'One')
  const late = await tell(first, posted, async () => {
    await ask(second, 'Two')
    t.same(await tell(second, posted), { done: true })
  })
  t.same(late, { done: false, retryAt: first.clock.now() + 15 * MINUTE })
  t.same(
    posted.map(({ subject }) => subject),
    ['mail.example: 2 drafts wait for you'],
  )
  first.clock.advance(15 * MINUTE)
  t.same(await tell(first, posted), { done: true })
  t.equal(posted.length, 1, 'the other letter had all of them')
})

t.test('what the letter of the other node did not have is in the next one', async (t) => {
  const { first, second } = await twoNodes(t)
  const posted: Letter[] = []
  await ask(first, 'One')
  t.same(await tell(second, posted, async () => void (await ask(first, 'Two'))), { done: true })
  t.same(await tell(first, posted), { done: false, retryAt: first.clock.now() + 15 * MINUTE })
  first.clock.advance(15 * MINUTE)
  t.same(await tell(first, posted), { done: true })
  t.same(
    posted.map(({ subject }) => subject),
    ['mail.example: a draft waits for you', 'mail.example: a draft waits for you'],
  )
  t.match(JSON.stringify(posted[1]), 'Two')
})
