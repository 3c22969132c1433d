import t from 'tap'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { limits, lines } from '../support.js'

const automation = async (...header: string[]) =>
  (await parseMessage(lines('From: a@x.example', ...header, '', 'x'), limits)).automation

t.test('automatic answers are told by their header (RFC 3834 §5)', async (t) => {
  for (const header of [
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: (vacation) AUTO-REPLIED (by a program); owner-email="a@x.example"',
    'X-Autoreply: yes',
    'X-Autorespond: Out of office',
    'Precedence: auto_reply',
    'X-Vacation: on',
  ])
    t.equal(await automation(header), 'auto-reply', header)
  for (const header of ['Auto-Submitted: no', 'Auto-Submitted: No (really)', 'X-Autoreply: no', 'X-Autoreply: false'])
    t.equal(await automation(header), null, header)
  t.equal(await automation('Auto-Submitted: auto-generated'), 'bulk')
  t.equal(await automation('Auto-Submitted: auto-notified'), 'bulk')
})

t.test('an out-of-office subject counts only beside a header that machines write', async (t) => {
  for (const subject of [
    'Automatic reply: Your order',
    'Out of Office: Ada',
    'Abwesenheitsnotiz: Ihre Anfrage',
    'Réponse automatique : Bonjour',
    'Respuesta automática: Hola',
    'Автоматический ответ: Привет',
    '自動返信: こんにちは',
  ]) {
    t.equal(await automation(`Subject: ${subject}`), null, `${subject} of a person`)
    t.equal(await automation(`Subject: ${subject}`, 'X-Auto-Response-Suppress: All'), 'auto-reply', subject)
  }
  t.equal(await automation('Subject: Vacation plans', 'Precedence: bulk'), 'auto-reply')
  t.equal(await automation('Subject: Your order', 'X-Auto-Response-Suppress: OOF, AutoReply'), 'bulk')
  t.equal(await automation('Subject: Your order', 'X-Auto-Response-Suppress: DR, RN'), null)
})

t.test('list mail and bulk mail are told apart (RFC 2919, RFC 2369)', async (t) => {
  for (const header of ['List-Id: <l.example>', 'List-Post: <mailto:l@x.example>', 'List-Post: NO', 'Precedence: list'])
    t.equal(await automation(header, 'Precedence: bulk'), 'list', header)
  t.equal(await automation('Mailing-List: list l@x.example'), 'list')
  for (const header of ['Precedence: bulk', 'Precedence: junk', 'List-Unsubscribe: <https://x.example>'])
    t.equal(await automation(header), 'bulk', header)
  t.equal(await automation('Precedence: first-class'), null)
  t.equal(await automation('List-Id: <l.example>', 'Auto-Submitted: auto-replied'), 'auto-reply', 'an answer to a list')
})
