/** What the log says of a message that was handed in. */
import t from 'tap'
import { recordDecisions } from '../../../src/daemon/layers/send-decisions.js'
import { codesOf } from '../../../src/mailbox/decisions/decision.js'
import { createMetrics } from '../../../src/observe/metrics.js'
import { captureLog } from '../../support/log.js'

t.test(
  'a blocked message has its category and the codes of its reasons in the log, and nothing of its words',
  async (t) => {
    const { log, lines } = captureLog()
    const tell = recordDecisions({ metrics: createMetrics(), log })
    const check = codesOf({
      category: 'phishing',
      reasons: [{ code: 'brand_link', detail: 'The link SECRET leads elsewhere' }],
    })
    tell({ messageId: 'msg_1', mailboxId: 'mbx_1', status: 'blocked', recipients: 1, check })
    t.match(lines[0], { status: 'blocked', category: 'phishing', codes: ['brand_link'] })
    t.notMatch(JSON.stringify(lines), 'SECRET')
    tell({ messageId: 'msg_1', mailboxId: 'mbx_1', status: 'checking', recipients: 1, check: null })
    t.notOk(Object.hasOwn(lines[1] ?? {}, 'category'), 'not decided yet')
  },
)
