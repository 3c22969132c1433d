import t from 'tap'
import type { Caller } from '../../src/accounts/types.js'
import { createAccountSessions } from '../../src/smtp/server/account-sessions.js'
import type { Visitor } from '../../src/smtp/server/connections.js'
import { SubmissionSession, type SubmissionSessionDeps } from '../../src/submission/session.js'
import { captureLog } from '../support/log.js'

t.test('a program that leaves while its password is checked takes no place of its account', async (t) => {
  const caller = { mailboxId: 'mbx_1', account: { id: 'acc_1' } } as Caller
  let check = (): void => undefined
  const checked = new Promise<void>((resolve) => (check = resolve))
  let watched = 0
  const deps = {
    accounts: createAccountSessions(1),
    signIn: async () => {
      await checked
      return { outcome: 'in', caller }
    },
    watch: () => {
      watched++
      return { release: () => void watched-- }
    },
    onSignIn: () => undefined,
    log: captureLog().log,
  } as unknown as SubmissionSessionDeps
  const visitor = { session: { id: '1', clientAddress: '192.0.2.1' } } as Visitor
  const credentials = { name: 'ada@agents.test', password: 'right' }

  const left = new SubmissionSession(deps, visitor)
  const answer = left.authenticate(credentials)
  left.closed()
  check()
  await answer
  t.equal(watched, 0)
  const next = new SubmissionSession(deps, visitor)
  t.equal(await next.authenticate(credentials), undefined, 'there is a place')
  t.equal(watched, 1)
  next.closed()
  t.equal(watched, 0)
})
