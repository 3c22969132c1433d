/** What the allow and block lists of mailboxes do to mail from outside. */
import t from 'tap'
import { greeted, send, startReceiver } from './receiver.js'

const NOT_WANTED = /^550 5\.7\.1 .*does not take mail from this sender/
const rejected = () => ({ score: 20, verdict: 'reject' as const, reasons: [] })

t.test('a sender on the block list is refused at RCPT, by the mailbox that blocks them alone', async (t) => {
  const { port, world, close } = await startReceiver()
  t.teardown(close)
  world.admission = (id, { named }) => (id === 'mbx_alice' && named.includes('carol@peer.test') ? 'refused' : 'usual')
  const dialog = await greeted(port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), NOT_WANTED)
  t.match(await dialog.say('RCPT TO:<bob@agents.test>'), /^250/)
  await dialog.say('RSET')
  await dialog.say('MAIL FROM:<>')
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^250/, 'the null sender is nobody')
  await dialog.say('RSET')
  world.admission = () => 'refused'
  await dialog.say('MAIL FROM:<carol@peer.test>')
  t.match(await dialog.say('RCPT TO:<postmaster@agents.test>'), /^250/, 'who can always be reached')
})

t.test('an author is refused once the message says who it is', async (t) => {
  const { port, world, close } = await startReceiver()
  t.teardown(close)
  world.admission = (id, { named, believed }) =>
    id === 'mbx_alice' && believed && named.includes('eve@peer.test') ? 'refused' : 'usual'
  const dialog = await greeted(port)
  const mail = 'From: Eve <eve@peer.test>\r\nSubject: hello\r\n\r\nHi.\r\n'
  t.match(await send(dialog, mail), NOT_WANTED)
  t.match(await send(dialog), /^250/, 'others are not')
  t.match(await send(dialog, mail, ['alice@agents.test', 'bob@agents.test']), /^250/)
  t.strictSame(
    world.delivered.map(({ mailboxId }) => mailboxId),
    ['mbx_alice', 'mbx_bob'],
    'who does not want it does not get it',
  )
})

t.test('postmaster and abuse hear everybody, whatever the lists of their mailbox say', async (t) => {
  const { port, world, close } = await startReceiver()
  t.teardown(close)
  world.admission = () => 'refused'
  const dialog = await greeted(port)
  t.match(await send(dialog, undefined, ['postmaster@agents.test']), /^250/)
  t.equal(world.delivered.length, 1)
  t.match(await send(dialog), NOT_WANTED)
})

t.test('mail of somebody allowed is not judged to be spam, and all else is', async (t) => {
  const { port, world, close } = await startReceiver({ spamScore: rejected })
  t.teardown(close)
  const dialog = await greeted(port)
  t.match(await send(dialog), /^550 5\.7\.1/)
  world.admission = (id, { proven = [] }) =>
    id === 'mbx_alice' && proven.includes('carol@peer.test') ? 'allowed' : 'usual'
  t.match(await send(dialog, undefined, ['alice@agents.test', 'bob@agents.test']), /^250/)
  t.match(
    world.delivered.map(({ mailboxId, labels }) => ({ mailboxId, labels })),
    [{ mailboxId: 'mbx_alice', labels: [] }],
  )
  t.equal(world.delivered.length, 1)
  world.verification.results.spf.result = 'fail'
  world.verification.results.dmarc = { result: 'none', domain: null, policy: null }
  t.match(await send(dialog), /^550 5\.7\.1/, 'a name that anybody can write is not enough')
  world.scan = { enabled: true, verdict: async () => ({ virus: 'infected', signature: 'Eicar' }) }
  world.verification.results.spf.result = 'pass'
  t.match(await send(dialog), /^550 5\.7\.1/, 'a virus is one, whoever sends it')
  t.equal(world.delivered.length, 1)
})
