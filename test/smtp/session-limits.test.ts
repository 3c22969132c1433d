/** Limits of one session, counting. */
import t from 'tap'
import { countSession, NO_SESSION_LIMITS } from '../../src/smtp/server/session-limits.js'

t.test('a session ends at its limit and not before', async (t) => {
  const session = countSession({ badRecipients: 2, commandErrors: 3, transactions: 2 })
  t.equal(session.recipientUnknown(), undefined)
  t.equal(session.recipientUnknown(), undefined)
  t.match(session.recipientUnknown(), { code: 421, reason: 'bad_recipients' })
  t.equal(session.mail(), undefined)
  t.equal(session.mail(), undefined)
  t.match(session.mail(), { code: 421, reason: 'session_transactions' })
  t.equal(session.replied(500), undefined)
  t.equal(session.replied(250), undefined)
  t.equal(session.replied(550), undefined, 'a mailbox that is not there is no error of the client')
  t.equal(session.replied(503), undefined)
  session.messageAccepted()
  t.equal(session.replied(501), undefined)
  t.equal(session.replied(502), undefined)
  t.match(session.replied(504), { code: 421, reason: 'command_errors' })
})

t.test('a session that asks on and on without bringing mail is ended', async (t) => {
  const session = countSession(NO_SESSION_LIMITS)
  let asked = 0
  while (!session.replied(250)) asked++
  t.equal(asked, 10_000)
})
