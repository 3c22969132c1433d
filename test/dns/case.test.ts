/** Names are asked for in random case, and what answers without having seen them is not believed (draft-vixie-dnsext-dns0x20). */
import t, { type Test } from 'tap'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import dnsPacket from 'dns-packet'
import { createResolver } from '../../src/dns/resolver.js'
import { ManualClock } from '../../src/lib/clock.js'
import { freePort, listenAnywhere } from '../support/ports.js'

/** Lower case in place of what was asked. */
function lowered(query: Buffer, address: string): Buffer {
  return answered(query, address, (name) => name.toLowerCase())
}

function answered(query: Buffer, address: string, change = (name: string): string => name): Buffer {
  const { id, questions = [] } = dnsPacket.decode(query)
  const [question] = questions
  if (!question) throw new Error('no question')
  const name = change(question.name)
  return dnsPacket.encode({
    type: 'response',
    id,
    flags: 0x0180,
    questions: [{ ...question, name }],
    answers: [{ type: 'A', name, ttl: 60, data: address }],
  })
}

/** @param overTcp undefined where nobody listens */
async function serve(t: Test, overUdp: (query: Buffer) => Buffer[], overTcp?: (query: Buffer) => Buffer) {
  const asked: string[] = []
  const port = await freePort()
  const udp = createSocket('udp4')
  udp.on('message', (query, from) => {
    asked.push(dnsPacket.decode(query).questions?.[0]?.name ?? '')
    for (const reply of overUdp(query)) udp.send(reply, from.port, from.address)
  })
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data) => {
      const reply = overTcp?.(data.subarray(2))
      if (!reply) return socket.destroy()
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.end(Buffer.concat([length, reply]))
    })
  })
  const resolver = createResolver({ servers: [`127.0.0.1:${port}`], clock: new ManualClock(), timeoutMs: 5000 })
  t.teardown(async () => {
    resolver.close()
    udp.close()
    tcp.close()
    await once(tcp, 'close')
  })
  await listenAnywhere(tcp, port)
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return { resolver, asked }
}

t.test('letters are in random case, and the answer is found all the same', async (t) => {
  const { resolver, asked } = await serve(t, (query) => [answered(query, '192.0.2.1')])
  const names = Array.from({ length: 8 }, (_, i) => `a-rather-long-label-of-a-name-${i}.example.com`)
  for (const name of names) t.same(await resolver.a(name), ['192.0.2.1'])
  t.same(
    asked.map((name) => name.toLowerCase()),
    names,
  )
  // Of 8 times 36 letters none in one of the two cases: 2 to the power of -288.
  t.ok(asked.some((name) => /[A-Z]/.test(name)) && asked.some((name) => /[a-z]/.test(name)))
  t.equal(new Set(asked.map((name) => name.replace(/\d/, ''))).size, 8, 'each question by itself')
})

t.test('an answer in another case is not believed: the question is asked over TCP', async (t) => {
  const { resolver } = await serve(
    t,
    (query) => [lowered(query, '192.0.2.66')],
    (query) => answered(query, '192.0.2.1'),
  )
  t.same(await resolver.a('bank.example.com'), ['192.0.2.1'])
})

t.test('a server that keeps no case is asked over TCP, where nobody answers in its place', async (t) => {
  const { resolver } = await serve(
    t,
    (query) => [lowered(query, '192.0.2.1')],
    (query) => lowered(query, '192.0.2.1'),
  )
  t.same(await resolver.a('plain.example.com'), ['192.0.2.1'])
})

t.test('without TCP there is no answer, rather than one that may be forged', async (t) => {
  const { resolver } = await serve(t, (query) => [lowered(query, '192.0.2.66')])
  await t.rejects(resolver.a('bank.example.com'), { name: 'LookupError', failure: 'temporary' })
})
