import t from 'tap'
import type { DeliveryNotice } from '../../../src/mime/compose/delivery-notice.js'
import type { Dialog } from '../../support/peers/smtp-dialog.js'
import { greeted, MESSAGE, startReceiver, type Receiver } from '../receiver.js'

async function setUp(delivered: (notice: DeliveryNotice) => Promise<void>): Promise<{ mx: Receiver; dialog: Dialog }> {
  const mx = await startReceiver({ notices: { delivered } })
  return { mx, dialog: await greeted(mx.port) }
}

async function transact(dialog: Dialog, from: string, to: string[]): Promise<string> {
  await dialog.say(`MAIL FROM:${from}`)
  for (const recipient of to) await dialog.say(`RCPT TO:${recipient}`)
  await dialog.say('DATA')
  dialog.write(MESSAGE)
  return dialog.say('.')
}

t.test('a sender who asks to be told of the delivery is told, for the recipients it asked for', async (t) => {
  const notices: DeliveryNotice[] = []
  const { mx, dialog } = await setUp(async (notice) => void notices.push(notice))
  t.teardown(() => mx.close())
  const reply = await transact(dialog, '<carol@peer.test> RET=HDRS ENVID=QQ+2B314159', [
    '<Alice+news@agents.test> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;old+2Balice@peer.test',
    '<bob@agents.test> NOTIFY=NEVER',
    '<postmaster@agents.test>',
  ])
  t.match(reply, /^250 2\.0\.0/)
  t.equal(mx.world.delivered.length, 3)
  t.match(notices, [
    {
      to: 'carol@peer.test',
      envelopeId: 'QQ+314159',
      recipients: [{ address: 'Alice+news@agents.test', original: 'rfc822;old+alice@peer.test' }],
      arrivedAt: mx.world.clock.now(),
    },
  ])
  t.equal(notices[0]?.recipients.length, 1)
  t.match(mx.world.log.at(-1), { notice: 'queued' })
})

t.test('nobody is told who did not ask, has no address, or may not be who it says', async (t) => {
  const notices: DeliveryNotice[] = []
  const { mx, dialog } = await setUp(async (notice) => void notices.push(notice))
  t.teardown(() => mx.close())
  t.match(await transact(dialog, '<carol@peer.test>', ['<alice@agents.test>']), /^250/)
  t.match(await transact(dialog, '<carol@peer.test>', ['<alice@agents.test> NOTIFY=FAILURE']), /^250/)
  t.match(await transact(dialog, '<>', ['<alice@agents.test> NOTIFY=SUCCESS']), /^250/)
  t.match(await transact(dialog, '<carol@other.test>', ['<alice@agents.test> NOTIFY=SUCCESS']), /^250/)
  t.match(mx.world.log.at(-1), { notice: 'unverified' }, 'SPF spoke for another domain')
  mx.world.verification.results.spf = { result: 'softfail', domain: 'peer.test' }
  t.match(await transact(dialog, '<carol@peer.test>', ['<alice@agents.test> NOTIFY=SUCCESS']), /^250/)
  t.match(mx.world.log.at(-1), { notice: 'unverified' })
  t.same(notices, [])
})

t.test('a message that is refused is told of in the session alone', async (t) => {
  const notices: DeliveryNotice[] = []
  const { mx, dialog } = await setUp(async (notice) => void notices.push(notice))
  t.teardown(() => mx.close())
  mx.world.deliver = () => Promise.reject(new Error('disk on fire'))
  t.match(await transact(dialog, '<carol@peer.test>', ['<alice@agents.test> NOTIFY=SUCCESS']), /^452/)
  t.same(notices, [])
})

t.test('a notice that cannot be queued does not bring the message a second time', async (t) => {
  const { mx, dialog } = await setUp(() => Promise.reject(new Error('queue on fire')))
  t.teardown(() => mx.close())
  t.match(await transact(dialog, '<carol@peer.test>', ['<alice@agents.test> NOTIFY=SUCCESS']), /^250/)
  t.match(mx.world.log.at(-1), { notice: 'failed' })
})
