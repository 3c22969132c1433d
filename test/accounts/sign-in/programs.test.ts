/** Who signs in from a mail program, with an app password or a token. */
import t from 'tap'
import { createProgramSignIn, type ProgramCredentials } from '../../../src/accounts/sign-in/programs.js'
import type { Caller, Scope } from '../../../src/accounts/types.js'
import { ServiceError } from '../../../src/lib/errors.js'
import { accountRecord } from '../../support/account.js'

const MAIL = 'https://mail.example.com/mail'
const ADDRESS = 'ada@agents.test'
const ALIAS = 'alias@agents.test'

const callerWith = (scopes: Scope[], audience?: string): Caller => ({
  keyId: 'k_1',
  mailboxId: 'mbx_1',
  mailboxStatus: 'claimed',
  account: accountRecord(),
  scopes,
  ...(audience !== undefined && { audience }),
})

const SECRETS: Record<string, Caller> = {
  password: callerWith(['imap', 'submission']),
  token: callerWith(['imap', 'submission'], MAIL),
  narrow: callerWith(['imap:read'], MAIL),
  agent: callerWith(['mail:read'], 'https://mail.example.com/mcp'),
  suspended: { ...callerWith(['imap'], MAIL), account: accountRecord({ status: 'suspended' }) },
}

function signIn({ audience }: { audience: string | undefined } = { audience: MAIL }) {
  const counted: string[] = []
  const isFull = { now: false }
  const looked: string[] = []
  const run = createProgramSignIn({
    accounts: { authenticate: (bearer) => SECRETS[bearer] },
    mailboxAt: async (address) => {
      looked.push(address)
      return address === ADDRESS || address === ALIAS ? 'mbx_1' : address === 'bob@agents.test' ? 'mbx_2' : undefined
    },
    audience,
    countWrong(peer) {
      counted.push(peer)
      if (isFull.now) throw new ServiceError('rate_limited', 'Too many.', 'Wait.')
    },
  })
  const outcome = async (sent: ProgramCredentials, scope: 'imap:read' | 'submission' = 'imap:read') =>
    (await run(sent, scope, '192.0.2.1')).outcome
  return { run, outcome, counted, looked, isFull }
}

t.test('a token opens the mailbox that it is of, by each of its addresses or none', async (t) => {
  const { outcome, counted } = signIn()
  for (const address of [ADDRESS, ALIAS, undefined]) t.equal(await outcome({ address, token: 'token' }), 'in')
  t.equal(await outcome({ address: ADDRESS, token: 'token' }, 'submission'), 'in')
  t.equal(await outcome({ address: ADDRESS, password: 'password' }), 'in')
  t.same(counted, [])
})

t.test('everything else is wrong, in the same way, and counts', async (t) => {
  const { outcome, counted, looked, isFull } = signIn()
  const cases: ProgramCredentials[] = [
    { address: ADDRESS, token: 'nonsense' },
    { address: 'bob@agents.test', token: 'token' },
    { address: 'nobody@agents.test', token: 'token' },
    { address: ADDRESS, token: 'password' },
    { address: undefined, token: 'password' },
    { address: ADDRESS, token: 'agent' },
    { address: ADDRESS, password: 'token' },
  ]
  for (const sent of cases) t.equal(await outcome(sent), 'wrong', JSON.stringify(sent))
  t.equal(counted.length, cases.length)
  t.same(looked, ['bob@agents.test', 'nobody@agents.test'], 'no address is looked up for a wrong secret')
  isFull.now = true
  t.equal(await outcome({ address: ADDRESS, token: 'nonsense' }), 'too_many')
  t.equal(await outcome({ address: ADDRESS, token: 'token' }), 'in', 'a right one works from such a network')
  t.equal(await outcome({ address: ADDRESS, token: '' }), 'wrong', 'a question where tokens come from is no guess')
  t.equal(counted.length, cases.length + 1)
})

t.test('no token is taken where there is no resource for them', async (t) => {
  const { run } = signIn({ audience: undefined })
  t.match(await run({ address: ADDRESS, token: 'token' }, 'imap:read', '192.0.2.1'), { outcome: 'wrong' })
  t.match(await run({ address: ADDRESS, token: 'password' }, 'imap:read', '192.0.2.1'), { outcome: 'wrong' })
})

t.test('who has the token and may not is told why', async (t) => {
  const { run } = signIn()
  t.match(await run({ address: ADDRESS, token: 'narrow' }, 'submission', '192.0.2.1'), {
    outcome: 'barred',
    why: { code: 'insufficient_scope', message: 'This program was not allowed the right submission.' },
  })
  t.match(await run({ address: ADDRESS, token: 'suspended' }, 'imap:read', '192.0.2.1'), {
    outcome: 'barred',
    why: { code: 'account_suspended' },
  })
})
