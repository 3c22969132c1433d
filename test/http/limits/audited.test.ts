/** Which calls are in the audit log: each that changes something is, or has a reason not to be. */
import t from 'tap'
import { ADMIN_RULES, API_RULES } from '../../../src/http/limits/audited.js'
import { adminRoutes } from '../../../src/admin/routes.js'
import { routes } from '../../../src/api/v1-routes.js'

const MAIL = 'the mail itself and what its agent does with it are in the mailbox, its events and the log'
const NOT_AUDITED: Record<string, string> = {
  claimMailbox: 'written down by the claims, once the proof of work is taken',
  removeSuppression: 'whom a mailbox may write to is shown where it is kept',
  addEntry: 'whom a mailbox takes mail from is shown where it is kept',
  removeEntry: 'the same',
  updateKey: 'a name alone',
  testWebhook: 'changes nothing',
  redeliverWebhook: 'changes nothing',
  replayWebhook: 'changes nothing',
  reload: 'written down where it is done, for the signal too',
  checkDkimKeys: 'written down by the rotation, key by key',
  sendTlsReports: 'sends what would be sent anyway',
  importMessage: 'the import is written down, for each of its folders',
  forgetMtaStsPolicy: 'is fetched again',
}

t.test('each call that changes something is written down, or has a reason not to be', async (t) => {
  for (const [name, all, rules] of [
    ['API', routes, API_RULES],
    ['admin', adminRoutes, ADMIN_RULES],
  ] as const) {
    const known = new Set<string>(all.map(({ operationId }) => operationId))
    for (const id of Object.keys(rules)) t.ok(known.has(id), `${name}: ${id} is a call`)
    for (const { method, operationId, scopes } of all) {
      const isMail = name === 'API' && scopes.length > 0 && !scopes.includes('account:manage')
      if (method === 'GET' || Object.hasOwn(rules, operationId)) continue
      t.ok(isMail ? MAIL : NOT_AUDITED[operationId], `${name}: ${operationId}`)
    }
  }
})
