/** What receipt each kind of delivery attempt leaves. */
import t, { type Test } from 'tap'
import { HOUR, ManualClock, SECOND } from '../../src/lib/clock.js'
import { Attempts } from '../../src/mx/session/attempts.js'
import { NO_SUCH_MAILBOX, TOO_LARGE } from '../../src/smtp/replies.js'
import { createReceipts } from '../../src/receipts/receipts.js'
import type { Receipt } from '../../src/receipts/types.js'
import { createStore } from '../../src/store/store.js'
import { StorageError } from '../../src/store/errors.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { greeted, MESSAGE, send, startReceiver, type ReceiverChange } from './receiver.js'

async function setting(t: Test, change: ReceiverChange = {}) {
  const clock = new ManualClock()
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  const receipts = createReceipts({ store, clock, retentionMs: 720 * HOUR, log: captureLog().log })
  const waiting: (() => void)[] = []
  const withMessage: string[] = []
  const mx = await startReceiver({
    clock,
    receipts: {
      add(receipt) {
        receipts.add(receipt)
        for (const wake of waiting.splice(0)) wake()
      },
      // The mailboxes are in another store here.
      addWithin(_tx, receipt) {
        withMessage.push(receipt.id)
        this.add(receipt)
      },
    },
    ...change,
  })
  t.teardown(() => mx.close())
  const all = async (): Promise<Receipt[]> => (await receipts.list({ limit: 100 })).data
  return {
    mx,
    clock,
    all,
    /** Ids of those that were written with their message. */
    withMessage,
    /** The newest, once there are so many. */
    async newest(count: number): Promise<Receipt | undefined> {
      for (;;) {
        const came = new Promise<void>((resolve) => waiting.push(resolve))
        const found = await all()
        if (found.length >= count) return found[0]
        await came
      }
    },
  }
}

t.test('the receipt of what one mailbox gets is written with it, any other after the reply', async (t) => {
  const { mx, newest, withMessage } = await setting(t)
  const dialog = await greeted(mx.port)
  const send = async (...to: string[]): Promise<string> => {
    await dialog.say('MAIL FROM:<carol@peer.test>')
    for (const address of to) await dialog.say(`RCPT TO:<${address}@agents.test>`)
    await dialog.say('DATA')
    dialog.write(MESSAGE)
    return dialog.say('.')
  }
  t.match(await send('alice'), /^250/)
  const first = await newest(1)
  t.match(first, { outcome: 'accepted', reply: { code: 250 }, recipients: [{ address: 'alice@agents.test' }] })
  t.same(withMessage, [first?.id])
  t.match(await send('alice', 'bob'), /^250/)
  t.match(await newest(2), { outcome: 'accepted', recipients: { length: 2 } })
  t.equal(withMessage.length, 1)
})

t.test('an accepted message leaves its envelope, its verdicts and the id that its sender was told', async (t) => {
  const { mx, newest, clock } = await setting(t, {
    spamScore: () => ({ score: 6, verdict: 'spam', reasons: [{ code: 'spf_fail', score: 6, detail: 'content' }] }),
  })
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  t.match(await dialog.say('RCPT TO:<Alice+news@agents.test>'), /^250/)
  t.match(await dialog.say('RCPT TO:<nobody@agents.test>'), /^550/)
  await dialog.say('DATA')
  clock.advance(2 * SECOND)
  dialog.write(MESSAGE)
  const id = /accepted as (rcp_\w+)/.exec(await dialog.say('.'))?.[1]
  t.strictSame(await newest(1), {
    client: { address: '127.0.0.1', name: null },
    helo: 'client.peer.test',
    protocol: 'ESMTP',
    tls: null,
    from: 'carol@peer.test',
    recipients: [
      {
        address: 'nobody@agents.test',
        mailbox: null,
        refusal: { code: 550, enhanced: '5.1.1', text: 'no such mailbox here', reason: 'no_such_mailbox' },
      },
      { address: 'Alice+news@agents.test', mailbox: { id: 'mbx_alice', address: 'alice@agents.test' }, refusal: null },
    ],
    id,
    at: '2026-01-01T00:00:02.000Z',
    outcome: 'accepted',
    recipients_left_out: 0,
    size_bytes: MESSAGE.length,
    auth: {
      spf: 'pass',
      spf_domain: 'peer.test',
      dkim: 'none',
      dkim_domain: null,
      dmarc: 'pass',
      dmarc_domain: 'peer.test',
      dmarc_policy: 'reject',
      arc: 'none',
    },
    virus: { verdict: 'unscanned', detail: 'off' },
    spam: { score: 6, verdict: 'spam', reasons: ['spf_fail'] },
    labels: ['spam'],
    reply: { code: 250, enhanced: '2.0.0', text: `accepted as ${id}` },
    duration_ms: 2000,
  })
})

t.test('recipients that were refused leave one receipt at the end of their transaction', async (t) => {
  const { mx, newest, all } = await setting(t)
  const dialog = await greeted(mx.port)
  mx.world.full.add('mbx_bob')
  await dialog.say('MAIL FROM:<carol@peer.test>')
  await dialog.say('RCPT TO:<nobody@agents.test>')
  await dialog.say('RCPT TO:<alice@elsewhere.test>')
  t.same(await all(), [], 'it may go on')
  await dialog.say('RSET')
  await dialog.say('MAIL FROM:<>')
  t.match(await newest(1), {
    outcome: 'refused',
    from: 'carol@peer.test',
    recipients: [
      { address: 'nobody@agents.test', refusal: { enhanced: '5.1.1' } },
      { address: 'alice@elsewhere.test', refusal: { text: 'relaying denied' } },
    ],
    reply: { text: 'relaying denied' },
    size_bytes: null,
    auth: null,
  })
  await dialog.say('RCPT TO:<bob@agents.test>')
  await dialog.say('QUIT')
  t.match(await newest(2), { outcome: 'deferred', from: '', reply: { enhanced: '4.2.2' } })
})

t.test('a client that names nobody leaves nothing, and one that says no more leaves that', async (t) => {
  const { mx, newest } = await setting(t)
  const probe = await greeted(mx.port)
  await probe.say('MAIL FROM:<probe@peer.test>')
  probe.drop()
  await probe.closed
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  await dialog.say('RCPT TO:<alice@agents.test>')
  dialog.drop()
  t.match(await newest(1), { outcome: 'abandoned', from: 'carol@peer.test', reply: null, size_bytes: null })
})

t.test('a client that goes away within the data, or sends too much, leaves that', async (t) => {
  const { mx, newest } = await setting(t)
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  await dialog.say('RCPT TO:<alice@agents.test>')
  await dialog.say('DATA')
  dialog.write('From: x\r\n')
  dialog.drop()
  t.match(await newest(1), { outcome: 'abandoned', reply: null, recipients: [{ mailbox: { id: 'mbx_alice' } }] })
  const other = await greeted(mx.port)
  t.match(await send(other, `${MESSAGE}${`${'x'.repeat(78)}\r\n`.repeat(1500)}`), /^552/)
  t.match(await newest(2), { outcome: 'refused', reply: { code: 552, enhanced: '5.3.4' } })
  t.match(await other.say('MAIL FROM:<carol@peer.test> SIZE=100001'), /^552/)
  t.match(await newest(3), { outcome: 'refused', from: 'carol@peer.test', recipients: [], reply: { code: 552 } })
})

t.test('a connection that ends while the message is judged does not end its receipt', async (t) => {
  const { mx, newest, all } = await setting(t)
  let commit: (() => void) | undefined
  const asked = new Promise<void>((resolve) => {
    mx.world.deliver = () =>
      new Promise((done) => {
        commit = done
        resolve()
      })
  })
  const dialog = await greeted(mx.port)
  void send(dialog).catch(() => undefined)
  await asked
  dialog.drop()
  await dialog.closed
  const other = await greeted(mx.port)
  await other.say('NOOP')
  t.same(await all(), [])
  commit?.()
  t.match(await newest(1), { outcome: 'accepted', reply: { code: 250 } }, 'the message is in the mailbox')
})

t.test('a stranger who names a thousand recipients leaves fifty of them', async (t) => {
  const { mx, newest } = await setting(t)
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  dialog.write(Array.from({ length: 1000 }, (_, i) => `RCPT TO:<guess${i}@agents.test>\r\n`).join(''))
  for (let i = 0; i < 1000; i++) await dialog.reply()
  dialog.drop()
  const receipt = await newest(1)
  t.equal(receipt?.recipients.length, 50)
  t.equal(receipt?.recipients_left_out, 950)
})

t.test('a disk that takes nothing is 452 4.3.1 at every step', async (t) => {
  const { mx, newest } = await setting(t)
  mx.world.deliver = () => Promise.reject(new StorageError('could not write', { cause: new Error('ENOSPC') }))
  const dialog = await greeted(mx.port)
  t.match(await send(dialog), /^452 4\.3\.1 /)
  t.match(await newest(1), { outcome: 'deferred', reply: { enhanced: '4.3.1' } })
  mx.world.scan.verdict = () => Promise.reject(new StorageError('no room for the spool file'))
  t.match(await send(dialog), /^452 4\.3\.1 /, 'not only where a mailbox is written')
  mx.world.names.get = () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  t.match(await send(dialog), /^452 4\.3\.1 /, 'at RCPT')
})

t.test('a sender that is refused at MAIL leaves that, and ends what it had begun', (t) => {
  const added: Receipt[] = []
  const clock = new ManualClock()
  const intake = { receipt: (receipt: Receipt) => void added.push(receipt) }
  const attempts = new Attempts(
    { intake, keepsReceipts: true, clock },
    {
      id: 's1',
      clientAddress: '192.0.2.1',
      helo: 'mail.peer.test',
      greetedWith: 'EHLO',
      tls: { name: 'TLS_AES_256_GCM_SHA384', version: 'TLSv1.3' },
      isAuthenticated: false,
      transaction: undefined,
    },
  )
  attempts.mail('carol@bücher.test')
  attempts.recipient('nobody@agents.test', { refusal: NO_SUCH_MAILBOX })
  attempts.mail('dave@peer.test', TOO_LARGE)
  attempts.closed()
  t.match(added, [
    { outcome: 'refused', from: 'carol@xn--bcher-kva.test', reply: NO_SUCH_MAILBOX },
    {
      outcome: 'refused',
      from: 'dave@peer.test',
      recipients: [],
      reply: TOO_LARGE,
      client: { address: '192.0.2.1', name: null },
      tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
    },
  ])
  t.equal(added.length, 2)
  t.end()
})
