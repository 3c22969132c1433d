/** The protocol by itself: what handlers may rely on, whatever they do. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { reply } from '../../src/smtp/replies.js'
import { openDialog } from '../support/peers/smtp-dialog.js'
import { sink, startSessionServer } from './session-server.js'

const EHLO = 'EHLO client.peer.test'
const MAIL = 'MAIL FROM:<carol@peer.test>'
const RCPT = 'RCPT TO:<alice@agents.test>'

/** Connects and waits for the greeting. */
async function greetedSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'data')
  return socket
}

t.test('the replies to a group of commands leave in one packet (RFC 2920 §3.2)', async (t) => {
  const later = async (): Promise<undefined> => undefined
  const server = await startSessionServer({ mail: later, recipient: later })
  t.teardown(() => server.close())
  const socket = await greetedSocket(server.port)
  socket.write(`${EHLO}\r\n`)
  await once(socket, 'data')
  socket.write(`${MAIL}\r\n${RCPT}\r\nRCPT TO:<bob@agents.test>\r\nDATA\r\n`)
  const [replies] = await once(socket, 'data')
  t.match(String(replies), /^250 2\.1\.0 .*\r\n250 2\.1\.5 .*\r\n250 2\.1\.5 .*\r\n354 .*\r\n$/)
  socket.destroy()
})

t.test('a reply does not wait for a handler that takes its time with the next command', async (t) => {
  let release: () => void = () => undefined
  const server = await startSessionServer({
    recipient: () => new Promise((resolve) => (release = () => resolve(undefined))),
  })
  t.teardown(() => server.close())
  const socket = await greetedSocket(server.port)
  socket.write(`${EHLO}\r\n`)
  await once(socket, 'data')
  socket.write(`${MAIL}\r\n${RCPT}\r\nNOOP\r\n`)
  t.match(String((await once(socket, 'data'))[0]), /^250 2\.1\.0 .*\r\n$/)
  t.equal(server.connections[0]?.isWorking, true)
  release()
  t.match(String((await once(socket, 'data'))[0]), /^250 2\.1\.5 .*\r\n250 2\.0\.0 .*\r\n$/)
  socket.destroy()
})

t.test('data waits while its sink does, and no more of it than a few packets is taken', async (t) => {
  let release: () => void = () => undefined
  let taken = 0
  const server = await startSessionServer({
    data: () =>
      sink({
        write(data) {
          taken += data.length
          return new Promise((resolve) => (release = resolve))
        },
      }),
  })
  t.teardown(() => server.close())
  const dialog = await openDialog(server.port)
  await dialog.reply()
  for (const line of [EHLO, MAIL, RCPT, 'DATA']) await dialog.say(line)
  const bytes = 20_000_000
  dialog.write(Buffer.concat([Buffer.alloc(bytes, 'x'), Buffer.from('\r\n.\r\n')]))
  let isOver = false
  const answer = dialog.reply().finally(() => (isOver = true))
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  const [connection] = server.connections
  t.ok(taken > 0 && taken <= 65_536, 'one packet')
  t.ok(connection && connection.bytesInPhase < bytes / 4, 'the rest waits with the client')
  while (!isOver) {
    release()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.match(await answer, /^250 2\.0\.0 taken/)
  t.equal(taken, bytes + 2)
})

t.test('a fault in a handler is a 451, and the session goes on', async (t) => {
  let faults = 0
  const broken = (): never => {
    throw new Error(`fault ${++faults}`)
  }
  const server = await startSessionServer({
    mail: () => (faults === 0 ? broken() : undefined),
    recipient: async () => (faults === 1 ? broken() : undefined),
    data: () => sink({ end: async () => broken() }),
  })
  t.teardown(() => server.close())
  const dialog = await openDialog(server.port)
  await dialog.reply()
  await dialog.say(EHLO)
  t.match(await dialog.say(MAIL), /^451 4\.3\.0 /)
  t.match(await dialog.say(MAIL), /^250/)
  t.match(await dialog.say(RCPT), /^451 4\.3\.0 /)
  t.match(await dialog.say(RCPT), /^250/)
  await dialog.say('DATA')
  t.match(await dialog.say('.'), /^451 4\.3\.0 /)
  t.match(await dialog.say('DATA'), /^503/, 'the transaction is over')
  t.match(await dialog.say(MAIL), /^250/)
  t.same(
    server.failures.map(({ message }) => message),
    ['fault 1', 'fault 2', 'fault 3'],
  )
})

t.test('the end is told once, however the connection ends, and data without its end is aborted', async (t) => {
  let aborted = 0
  const server = await startSessionServer({ data: () => sink({ abort: () => void aborted++ }) })
  t.teardown(() => server.close())
  const ended = async (count: number): Promise<void> => {
    while (server.closed() < count) await new Promise((resolve) => setImmediate(resolve))
  }
  const begun = async () => {
    const dialog = await openDialog(server.port)
    await dialog.reply()
    await dialog.say(EHLO)
    return dialog
  }
  const quitting = await begun()
  t.match(await quitting.say('QUIT'), /^221/)
  await ended(1)
  const dropped = await begun()
  for (const line of [MAIL, RCPT, 'DATA']) await dropped.say(line)
  dropped.drop()
  await ended(2)
  t.equal(aborted, 1)
  const cut = await begun()
  server.connections[2]?.cut(reply(421, '4.3.2', 'enough'), 1000)
  t.match(await cut.reply(), /^421 4\.3\.2 enough/)
  server.connections[2]?.destroy()
  await ended(3)
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(server.closed(), 3)
})

t.test('a last word waits for the reply to the message at hand', async (t) => {
  let release: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (release = resolve))
  const server = await startSessionServer({
    data: () => sink({ end: async () => asked.then(() => reply(250, '2.0.0', 'taken')) }),
  })
  t.teardown(() => server.close())
  const dialog = await openDialog(server.port)
  await dialog.reply()
  for (const line of [EHLO, MAIL, RCPT, 'DATA']) await dialog.say(line)
  const answer = dialog.say('.')
  while (server.connections[0]?.phase !== 'handling') await new Promise((resolve) => setImmediate(resolve))
  server.connections[0]?.finish(reply(421, '4.3.2', 'going'), 1000)
  release()
  t.match(await answer, /^250 2\.0\.0 taken/)
  t.match(await dialog.reply(), /^421 4\.3\.2 going/)
  await dialog.closed
})

t.test('a reply never has a second line of somebody else', async (t) => {
  const server = await startSessionServer({ mail: () => reply(550, '5.7.1', 'no\r\n250 2.1.0 yes') })
  t.teardown(() => server.close())
  const dialog = await openDialog(server.port)
  await dialog.reply()
  await dialog.say(EHLO)
  t.equal(await dialog.say(MAIL), '550 5.7.1 no  250 2.1.0 yes')
  t.match(await dialog.say('NOOP'), /^250 2\.0\.0 OK/)
})
