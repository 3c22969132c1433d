/** What comes to a return path: reports are taken whatever they look like, other mail goes to the mailbox, and nobody learns which paths exist. */
import t, { type Test } from 'tap'
import type { Returned, Returns } from '../../src/mailbox/delivery/bounce-intake.js'
import type { Report } from '../../src/mime/types.js'
import { mailboxRecord } from '../support/store/mailbox-record.js'
import type { Dialog } from '../support/peers/smtp-dialog.js'
import { greeted, startReceiver, type Receiver, type ReceiverChange } from './receiver.js'

const PATH = 'b+good@agents.test'
const RETURNED: Returned = {
  address: { mailboxId: 'mbx_alice', messageId: 'msg_1', index: 0, single: true },
  mailbox: mailboxRecord({ id: 'mbx_alice', address: 'alice@agents.test' }),
}
const BOUNCE = [
  'From: MAILER-DAEMON@mx.peer.test (Mail Delivery System)',
  `To: ${PATH}`,
  'Subject: Undelivered Mail Returned to Sender',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
  '',
  '--x',
  '',
  'Sorry.',
  '--x',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.peer.test',
  '',
  'Final-Recipient: rfc822; ada@peer.test',
  'Action: failed',
  'Status: 5.1.1',
  '--x--',
  '',
].join('\r\n')
const AWAY = `From: Ada <ada@peer.test>\r\nTo: ${PATH}\r\nSubject: Re: hello\r\n\r\nI am on holiday.\r\n`

interface Setting extends Receiver {
  taken: Report[]
  /** Who brought what was taken, as far as the envelope tells. */
  sources: string[]
  complaints: Report[]
  dialog: Dialog
}

async function setUp(t: Test, change: ReceiverChange & { take?: Returns['take'] } = {}): Promise<Setting> {
  const { take, ...rest } = change
  const taken: Report[] = []
  const sources: string[] = []
  const complaints: Report[] = []
  const receiver = await startReceiver({
    returns: {
      hasForm: (address) => address.startsWith('b+'),
      find: async (address) => (address === PATH ? RETURNED : undefined),
      async take(returned, report, source) {
        t.equal(returned, RETURNED)
        taken.push(report)
        sources.push(`${source.envelopeFrom} dmarc=${source.auth.dmarc.result}`)
        return take ? take(returned, report, source) : report.kind === 'delivery'
      },
      isAskedFor: async () => false,
      async takeComplaint(report) {
        complaints.push(report)
        return true
      },
    },
    ...rest,
  })
  const dialog = await greeted(receiver.port)
  t.teardown(async () => {
    dialog.drop()
    await receiver.close()
  })
  return { ...receiver, taken, sources, complaints, dialog }
}

async function bring(dialog: Dialog, data: string, { from = '', to = PATH } = {}): Promise<string> {
  t.match(await dialog.say(`MAIL FROM:<${from}>`), /^250/)
  const answer = await dialog.say(`RCPT TO:<${to}>`)
  if (!answer.startsWith('250')) return answer
  await dialog.say('DATA')
  dialog.write(data)
  return dialog.say('.')
}

t.test('a report that is believed is written down and is no mail; who brought it is known', async (t) => {
  const { dialog, world, taken, sources } = await setUp(t)
  world.verification = {
    ...world.verification,
    results: { ...world.verification.results, dmarc: { result: 'fail', domain: 'peer.test', policy: 'reject' } },
  }
  world.scan = { enabled: true, verdict: async () => ({ virus: 'infected', signature: 'what we sent ourselves' }) }
  t.match(await bring(dialog, BOUNCE), /^250 /)
  t.match(await bring(dialog, BOUNCE, { from: 'postmaster@peer.test' }), /^250 /)
  t.match(taken, [{ kind: 'delivery', recipients: [{ address: 'ada@peer.test' }] }, {}])
  t.same(sources, [' dmarc=fail', 'postmaster@peer.test dmarc=fail'])
  t.same(world.delivered, [])
  t.ok(world.log.some(({ report }) => report === 'recorded'))
})

t.test('a report is not acknowledged before it is on disk', async (t) => {
  let broken = true
  const { dialog } = await setUp(t, {
    take: async () => {
      if (broken) throw new Error('disk full')
      return true
    },
  })
  t.match(await bring(dialog, BOUNCE), /^451 4\.3\.0/)
  broken = false
  t.match(await bring(dialog, BOUNCE), /^250 /)
})

t.test('an answer of a program, or of a person, comes to the mailbox as the answer of a program', async (t) => {
  const { dialog, world, taken } = await setUp(t)
  t.match(await bring(dialog, AWAY, { from: 'ada@peer.test' }), /^250 /)
  t.match(world.delivered, [
    { mailboxId: 'mbx_alice', envelopeFrom: 'ada@peer.test', parsed: { automation: 'auto-reply' } },
  ])
  t.same(taken, [])
})

t.test('a path that was not made here is a mailbox that does not exist', async (t) => {
  const { dialog, world } = await setUp(t)
  await dialog.say('MAIL FROM:<>')
  const unknown = await dialog.say('RCPT TO:<nobody@agents.test>')
  t.match(unknown, /^550 5\.1\.1/)
  t.equal(await dialog.say('RCPT TO:<b+forged@agents.test>'), unknown)
  world.names.set('b', 'mbx_alice')
  t.equal(await dialog.say('RCPT TO:<b+forged@agents.test>'), unknown, 'also where there is somebody called b')
})

t.test('a return path takes a message of its own', async (t) => {
  const { dialog } = await setUp(t)
  await dialog.say('MAIL FROM:<>')
  t.match(await dialog.say(`RCPT TO:<${PATH}>`), /^250/)
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^452 4\.5\.3/)
  await dialog.say('RSET')
  await dialog.say('MAIL FROM:<>')
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^250/)
  t.match(await dialog.say(`RCPT TO:<${PATH}>`), /^452 4\.5\.3/)
})

t.test('a full mailbox has its reports all the same', async (t) => {
  const { dialog, world } = await setUp(t)
  world.full.add('mbx_alice')
  t.match(await bring(dialog, BOUNCE), /^250 /)
  t.match(await bring(dialog, AWAY), /^452 4\.2\.2/)
})

t.test('complaints to postmaster are looked through, and come to the operator as mail', async (t) => {
  const { dialog, world, complaints } = await setUp(t)
  t.match(await bring(dialog, BOUNCE, { to: 'postmaster@agents.test' }), /^250 /)
  t.match(await bring(dialog, BOUNCE, { to: 'alice@agents.test' }), /^250 /)
  t.equal(complaints.length, 1)
  t.match(world.delivered, [{ mailboxId: 'mbx_postmaster' }, { mailboxId: 'mbx_alice' }])
})
