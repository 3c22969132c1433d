/** A message to several mailboxes of which one fails is repeated by its sender: nobody gets it twice, and nobody goes without. */
import t from 'tap'
import { HOUR, ManualClock } from '../../../src/lib/clock.js'
import { createRetries } from '../../../src/mx/intake/retries.js'
import { greeted, MESSAGE, send, startReceiver, type World } from '../receiver.js'

const BOTH = ['alice@agents.test', 'bob@agents.test']
const got = (world: World): string[] => world.delivered.splice(0).map(({ mailboxId }) => mailboxId)

function failFor(world: World, mailboxId: string | undefined): void {
  world.deliver = (delivery) =>
    delivery.mailboxId === mailboxId ? Promise.reject(new Error('disk on fire')) : Promise.resolve()
}

t.test('the retry brings the message to those only who do not have it', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  failFor(mx.world, 'mbx_bob')
  t.match(await send(dialog, MESSAGE, BOTH), /^452 4\.3\.1/)
  t.same(got(mx.world), ['mbx_alice'])
  t.match(await send(dialog, MESSAGE, BOTH), /^452 4\.3\.1/, 'it fails again')
  t.same(got(mx.world), [])
  failFor(mx.world, undefined)
  const later = await greeted(mx.port)
  await later.say('MAIL FROM:<carol@peer.test>')
  for (const to of BOTH) await later.say(`RCPT TO:<${to}>`)
  mx.world.full.add('mbx_alice')
  await later.say('DATA')
  later.write(MESSAGE)
  t.match(await later.say('.'), /^250/, 'that alice is full by now does not matter')
  t.same(got(mx.world), ['mbx_bob'])
  mx.world.full.clear()
  t.match(await send(later, MESSAGE, BOTH), /^250/, 'after a 250 the same message is another one')
  t.same(got(mx.world), ['mbx_alice', 'mbx_bob'])
})

t.test('a sender that retries each recipient by itself is answered for each', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  failFor(mx.world, 'mbx_bob')
  await send(dialog, MESSAGE, BOTH)
  got(mx.world)
  failFor(mx.world, undefined)
  t.match(await send(dialog, MESSAGE, ['bob@agents.test']), /^250/)
  t.same(got(mx.world), ['mbx_bob'])
  t.match(await send(dialog, MESSAGE, ['alice@agents.test']), /^250/, 'she has it')
  t.same(got(mx.world), [])
  t.match(await send(dialog, MESSAGE, ['alice@agents.test']), /^250/, 'and now a second one is wanted')
  t.same(got(mx.world), ['mbx_alice'])
})

t.test('another message, another sender or an ordinary repeat is never taken for a retry', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  for (const again of [1, 2]) {
    t.match(await send(dialog, MESSAGE, BOTH), /^250/)
    t.same(got(mx.world), ['mbx_alice', 'mbx_bob'], `time ${again}`)
  }
  failFor(mx.world, 'mbx_bob')
  await send(dialog, MESSAGE, BOTH)
  failFor(mx.world, undefined)
  got(mx.world)
  t.match(await send(dialog, MESSAGE.replace('morning', 'evening'), BOTH), /^250/, 'of the same length')
  t.same(got(mx.world), ['mbx_alice', 'mbx_bob'])
  await dialog.say('MAIL FROM:<dave@peer.test>')
  for (const to of BOTH) await dialog.say(`RCPT TO:<${to}>`)
  await dialog.say('DATA')
  dialog.write(MESSAGE)
  t.match(await dialog.say('.'), /^250/)
  t.same(got(mx.world), ['mbx_alice', 'mbx_bob'], 'from another reverse-path')
})

t.test('what is stored after the sender was told to come again is not stored again', async (t) => {
  const mx = await startReceiver({ deadlines: { handlerMs: 50 } })
  t.teardown(() => mx.close())
  const commits: (() => void)[] = []
  mx.world.deliver = () => new Promise((done) => commits.push(done))
  const dialog = await greeted(mx.port)
  t.match(await send(dialog), /^451 4\.3\.0/)
  for (const commit of commits) commit()
  mx.world.deliver = () => Promise.resolve()
  t.match(await send(dialog), /^250/)
  t.same(got(mx.world), ['mbx_alice'], 'the one that came late')
})

t.test('a retry is known for a day, and of a bounded number of messages', (t) => {
  const clock = new ManualClock()
  const retries = createRetries({ clock })
  const message = (name: string) => ({ from: 'carol@peer.test', raw: Buffer.from(`Subject: ${name}\r\n\r\n`) })
  retries.remember(message('first'), ['mbx_1'])
  retries.remember(message('none'), [])
  t.same([...retries.have(message('first'))], ['mbx_1'])
  t.same([...retries.have(message('none'))], [])
  retries.remember(message('first'), ['mbx_2'])
  t.same([...retries.have(message('first'))], ['mbx_1', 'mbx_2'])
  retries.settle(message('first'), ['mbx_1'])
  t.same([...retries.have(message('first'))], ['mbx_2'])
  clock.advance(24 * HOUR)
  t.same([...retries.have(message('first'))], [])
  for (let i = 0; i < 2100; i++) retries.remember(message(`m${i}`), ['mbx_1'])
  t.equal(retries.have(message('m99')).size, 0, 'the oldest are forgotten')
  t.equal(retries.have(message('m2099')).size, 1)
  t.end()
})
