import t from 'tap'
import type { Receipt } from '../../../src/receipts/types.js'
import { greeted, send, startReceiver } from '../receiver.js'

t.test('what follows from a message is queued in the commit that stores it, with its receipt', async (t) => {
  const written: string[] = []
  const separate: Receipt[] = []
  const mx = await startReceiver({
    followUps: ({ mailboxId }) =>
      mailboxId === 'mbx_postmaster'
        ? { messageId: 'msg_named_before', queue: () => void written.push('follow-up') }
        : undefined,
    receipts: {
      add: (receipt) => void separate.push(receipt),
      addWithin: (_tx, { outcome }) => void written.push(`receipt: ${outcome}`),
    },
  })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await send(dialog, undefined, ['postmaster@agents.test']), /^250/)
  t.same(written, ['follow-up', 'receipt: accepted'])
  t.equal(mx.world.delivered.at(-1)?.messageId, 'msg_named_before')
  written.length = 0
  t.match(await send(dialog), /^250/)
  t.same(written, ['receipt: accepted'], 'other mail is only stored')
  t.equal(mx.world.delivered.at(-1)?.messageId, undefined)
  t.same(separate, [], 'no receipt is written apart from its message')
})
