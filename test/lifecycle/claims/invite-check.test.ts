/** What a note of an invite meets where others are asked. */
import t from 'tap'
import { checkByGuard } from '../../../src/lifecycle/claims/invite-check.js'
import type { Guard, GuardVerdict } from '../../../src/guard/types.js'

const SEND: GuardVerdict = {
  category: 'legitimate',
  scores: { legitimate: 0.7, spam: 0.3 },
  decision: 'send',
  reasons: [{ code: 'urgency', detail: 'presses for time' }],
}
const guard = (isDoubtful: boolean, after: GuardVerdict): Guard => ({
  check: async () => SEND,
  isDoubtful: () => isDoubtful,
  ask: async (subject, verdict, message) => {
    t.match([subject.kind, verdict, message], ['invite', SEND, undefined])
    return after
  },
})
const HELD: GuardVerdict = {
  ...SEND,
  category: 'scam',
  decision: 'hold',
  reasons: [{ code: 'second_opinion', detail: 'judge-1 calls it scam' }],
}

t.test('a doubtful note that others would have held is refused, with what they say', async (t) => {
  await t.rejects(checkByGuard(guard(true, HELD), 'agent', 'a note'), {
    code: 'invalid_request',
    message: /reads like scam: second_opinion: judge-1 calls it scam/,
  })
})

t.test('a doubtful note that others have nothing against goes, and nobody is asked about others', async (t) => {
  await t.resolves(checkByGuard(guard(true, SEND), 'agent', 'a note'))
  await t.resolves(checkByGuard(guard(false, HELD), 'agent', 'a note'))
})
