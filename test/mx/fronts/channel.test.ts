/** Calls between two processes, over a stream. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createChannel, type Channel } from '../../../src/mx/fronts/channel.js'

interface Asked {
  double(number: number): number
  weigh(name: string, body?: Buffer): Promise<{ name: string; bytes: number }>
  fail(code: string): never
  hang(nothing: null): Promise<void>
  note(text: string): void
}
type Asking = Record<never, never>

async function pair(t: Test) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ends = [connect((server.address() as AddressInfo).port, '127.0.0.1')]
  const [accepted] = (await once(server, 'connection')) as [Socket]
  t.teardown(() => {
    for (const end of [...ends, accepted]) end.destroy()
    server.close()
  })
  const notes: string[] = []
  const faults: string[] = []
  const methods: Asked = {
    double: (number) => 2 * number,
    weigh: async (name, body) => ({ name, bytes: body?.length ?? 0 }),
    fail(code) {
      throw Object.assign(new Error('it can not be done'), { code })
    },
    hang: () => new Promise(() => undefined),
    note: (text) => void notes.push(text),
  }
  const answering = createChannel<Asked, Asking>({
    stream: accepted,
    methods,
    maxBodyBytes: 1000,
    onFault: (error) => faults.push(error.message),
  })
  const asking: Channel<Asked> = createChannel<Asking, Asked>({
    stream: ends[0] as Socket,
    methods: {},
    maxBodyBytes: 0,
    onFault: () => undefined,
  })
  return { asking, answering, notes, faults, stream: ends[0] as Socket }
}

t.test('answers come back to their calls, with the octets of a body counted there', async (t) => {
  const { asking, notes } = await pair(t)
  asking.tell('note', 'first')
  const answers = await Promise.all([
    ...Array.from({ length: 100 }, (_, number) => asking.call('double', number)),
    asking.call('weigh', 'nothing'),
    asking.call('weigh', 'mail', Buffer.alloc(777)),
  ])
  t.strictSame(
    answers.slice(0, 100),
    Array.from({ length: 100 }, (_, number) => 2 * number),
  )
  t.strictSame(answers.slice(100), [
    { name: 'nothing', bytes: 0 },
    { name: 'mail', bytes: 777 },
  ])
  t.strictSame(notes, ['first'])
})

t.test('an error has its words and its code on the other side', async (t) => {
  const { asking } = await pair(t)
  await t.rejects(asking.call('fail', 'EADDRINUSE'), { message: 'it can not be done', code: 'EADDRINUSE' })
  await t.rejects(asking.call('toString' as 'double', 1), /no method toString/, 'what every object has is no method')
})

t.test('when the other side goes, what was asked fails, and what is asked then', async (t) => {
  const { asking, answering } = await pair(t)
  const hanging = asking.call('hang', null)
  answering.close()
  await t.rejects(hanging, /the other process is gone/)
  await t.rejects(asking.call('double', 1), /the other process is gone/)
})

t.test('a side that sends nonsense is reported, and its channel closed', async (t) => {
  const { asking, faults, stream } = await pair(t)
  t.equal(await asking.call('double', 1), 2)
  stream.write(Buffer.alloc(8, 0xff))
  await t.rejects(asking.call('double', 1), /the other process is gone/)
  t.match(faults, [/larger than any message/])
})
