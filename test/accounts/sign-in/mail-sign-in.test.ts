/** Requests for sign-in links on an engine that dies: whatever line it dies at, a request that was acknowledged leads to one letter with a link that works. */
import t from 'tap'
import { createMailSignIn, MAIL_SIGN_IN_KIND, type MailSignInTask } from '../../../src/accounts/sign-in/mail-sign-in.js'
import { ManualClock } from '../../../src/lib/clock.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { createLetters, type LetterTask } from '../../../src/relay/notices/letters.js'
import type { Engine } from '../../../src/store/engine.js'
import { createStore } from '../../../src/store/store.js'
import { accountRecord } from '../../support/account.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { dyingAtEachCommit } from '../../support/store/mortal-engine.js'

const ASKED = { address: 'ada@people.test', browser: 'secret', network: '192.0.2.0/24', kept: 'k' }

function setting(engine: Engine) {
  const clock = new ManualClock()
  const store = createStore(engine)
  const queue = createWorkQueue({ store, clock })
  const isLocalDomain = (domain: string): boolean => domain === 'agents.example'
  const letters = createLetters({
    ...{ store, queue, clock, isLocalDomain },
    serviceAddress: 'postmaster@agents.example',
    isOpen: true,
    log: { warn: () => undefined },
  })
  const mailSignIn = createMailSignIn({
    ...{ store, queue, clock, letters, isLocalDomain },
    accounts: {
      findOwner: async (email) => (email === ASKED.address ? accountRecord({ owner: email }) : undefined),
      isStaff: () => false,
      ensure: async (owner) => accountRecord({ owner }),
    },
    isOffered: true,
    baseUrl: 'https://mail.example',
  })
  async function runTasks(): Promise<void> {
    for await (const task of queue.all<MailSignInTask>(MAIL_SIGN_IN_KIND)) {
      await mailSignIn.run(task)
      await queue.remove(MAIL_SIGN_IN_KIND, task.id)
    }
  }
  async function letterTasks(): Promise<LetterTask[]> {
    const found: LetterTask[] = []
    for await (const { payload } of queue.all<LetterTask>('letter')) found.push(payload)
    return found
  }
  return { store, mailSignIn, runTasks, letterTasks }
}

t.test('a request that dies at a commit leads to one letter, or was not acknowledged', async (t) => {
  let checked = 0
  let isAcknowledged = false
  await dyingAtEachCommit(memoryEngine, {
    prepare: async () => undefined,
    async run(engine) {
      isAcknowledged = false
      const { mailSignIn, runTasks } = setting(engine)
      await mailSignIn.ask(ASKED)
      isAcknowledged = true
      await runTasks()
    },
    async check(engine) {
      const { mailSignIn, runTasks, letterTasks } = setting(engine)
      await runTasks()
      const letters = await letterTasks()
      if (isAcknowledged) t.equal(letters.length, 1)
      else t.ok(letters.length <= 1)
      for (const { raw, hasNullSender } of letters) {
        t.equal(hasNullSender, true)
        const token = /signin-mail\/([0-9A-Za-z]{43})/.exec(raw.replaceAll('=\r\n', ''))?.[1] ?? ''
        t.match(await mailSignIn.spend(token, ASKED.browser), { kind: 'valid', kept: 'k' })
        t.same(await mailSignIn.spend(token, ASKED.browser), { kind: 'none' })
      }
      checked++
    },
  })
  t.ok(checked >= 4)
})

t.test('where it is no longer offered, requests that wait get no letter', async (t) => {
  const engine = memoryEngine()
  const { mailSignIn, letterTasks, store } = setting(engine)
  await mailSignIn.ask(ASKED)
  const clock = new ManualClock()
  const queue = createWorkQueue({ store, clock })
  const off = createMailSignIn({
    ...{ store, clock, queue },
    accounts: { findOwner: unused, isStaff: unused, ensure: unused },
    letters: { compose: unused, isRefused: unused },
    isOffered: false,
    isLocalDomain: () => false,
    baseUrl: 'https://mail.example',
  })
  for await (const task of queue.all<MailSignInTask>(MAIL_SIGN_IN_KIND)) t.same(await off.run(task), { done: true })
  t.same(await letterTasks(), [])
})

function unused(): never {
  throw new Error('it is not asked')
}
