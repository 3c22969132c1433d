/**
 * The SMTP session under random and broken clients, on a real socket. The client knows what it has sent after each 354: the first CRLF . CRLF
 * from there on ends the message (RFC 5321 §4.1.1.4), and nothing else does. Whatever else it is that a receiver stores has been smuggled.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { startReceiver, type Receiver } from '../mx/receiver.js'
import { below, pick, randomFrom, type Random } from '../support/random.js'
import { mutate } from './mutate.js'

const SEED = 20_260_102
const LOCKSTEP_SESSIONS = 60
const PIPELINED_SESSIONS = 80
/** A session that gives neither a reply nor an end for so long has hung. */
const PATIENCE_MS = 30_000

// prettier-ignore
const COMMANDS = [
  'EHLO client.peer.test', 'HELO client.peer.test', 'EHLO [127.0.0.1]', 'EHLO', 'HELO \0', 'MAIL FROM:<carol@peer.test>', 'MAIL FROM:<>', 'MAIL FROM:<carol@peer.test> SIZE=100',
  'MAIL FROM:<carol@peer.test> SIZE=999999999', 'MAIL FROM:<carol@peer.test> BODY=8BITMIME SMTPUTF8', 'MAIL FROM:carol', 'RCPT TO:<alice@agents.test>', 'RCPT TO:<bob@agents.test>',
  'RCPT TO:<nobody@agents.test>', 'RCPT TO:<x@elsewhere.test>', 'RCPT TO:<alice@agents.test> NOTIFY=NEVER', 'RCPT TO:<"a b"@agents.test>', 'RCPT TO:<>', 'DATA', 'DATA x', 'RSET',
  'NOOP', 'NOOP x', 'VRFY alice', 'EXPN list', 'HELP', 'STARTTLS', 'AUTH PLAIN AGEAYg==', 'BDAT 10 LAST', 'XCLIENT ADDR=192.0.2.1', 'WIZ', 'TURN', '', ' ', 'x', 'GET / HTTP/1.1',
  'MAIL FROM:<a@b.test>\0', 'rcpt to:<alice@agents.test>', 'mail from:<carol@peer.test>',
]
const LINE_ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', '\0\r\n', '']
/** What is not the end of the data, however much somebody would like it to be. */
const FALSE_ENDS = [
  '\n.\n',
  '\n.\r',
  '\r.\n',
  '\r.\r',
  '\n.\r\n',
  '\r.\r\n',
  '\r\n\0.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r\n..\r\n',
]
const INNER =
  'MAIL FROM:<evil@peer.test>\r\nRCPT TO:<alice@agents.test>\r\nDATA\r\nSubject: inner\r\n\r\nsmuggled\r\n.\r\n'
const END = '\r\n.\r\n'

let receiver: Receiver
t.before(async () => {
  receiver = await startReceiver()
})
t.teardown(() => receiver.close())

interface Client {
  write(bytes: Buffer): void
  /** The next reply, or undefined when the connection has ended. @throws when neither comes */
  reply(): Promise<string | undefined>
  /** Says nothing more, and waits for the end. @throws when it does not come */
  finish(): Promise<void>
  /** All that was heard. */
  heard(): string
}

async function openClient(port: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1' }).setNoDelay(true)
  let heard = ''
  let read = 0
  let closed = false
  let wake: () => void = () => undefined
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    heard += text
    wake()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    closed = true
    wake()
  })
  await once(socket, 'connect')

  async function changed(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve, reject) => {
      wake = resolve
      timer = setTimeout(() => reject(new Error(`no reply after: ${JSON.stringify(heard.slice(-300))}`)), PATIENCE_MS)
    }).finally(() => clearTimeout(timer))
  }

  return {
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    async reply() {
      for (;;) {
        const found = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/.exec(heard.slice(read))?.[0]
        if (found !== undefined) {
          read += found.length
          return found
        }
        if (closed) return undefined
        await changed()
      }
    },
    async finish() {
      socket.end()
      while (!closed) await changed()
    },
    heard: () => heard,
  }
}

/** Bytes in pieces as a network may deliver them. */
function* cut(random: Random, bytes: Buffer): Generator<Buffer> {
  const largest = pick(random, [1, 3, 50, bytes.length + 1])
  for (let at = 0; at < bytes.length;) {
    const end = Math.max(at + 1 + below(random, largest), bytes.length > 3000 ? at + 500 : 0)
    yield bytes.subarray(at, end)
    at = end
  }
}

async function send(random: Random, client: Client, bytes: Buffer): Promise<void> {
  for (const piece of cut(random, bytes)) {
    client.write(piece)
    if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve))
  }
}

function body(random: Random, canary: string): string {
  const lines = [`X-Canary: ${canary}`, `From: c@peer.test`, 'Subject: outer', '']
  for (let n = below(random, 6); n > 0; n--) {
    lines.push(
      pick(random, [
        'text',
        'text',
        'text',
        'more',
        '..',
        '...',
        '.. x',
        'x'.repeat(1200),
        '\0',
        'a\rb',
        'a\nb',
        '\xe9',
        '',
      ]),
    )
  }
  const text = lines.join('\r\n')
  if (random() < 0.5) return `${text}\r\n`
  return `${text}${pick(random, FALSE_ENDS)}${INNER.replace('inner', `inner of ${canary}`)}`
}

/** What the receiver was given as one message, without the dots that were put in (RFC 5321 §4.5.2). */
function asMessage(data: string): string {
  return data.slice(0, -3).replace(/^\.|(?<=\r\n)\./g, '')
}

async function lockstepSession(random: Random, number: number, sent: string[]): Promise<void> {
  const client = await openClient(receiver.port)
  let reply = await client.reply()
  let say: Buffer = Buffer.from('EHLO client.peer.test\r\n')
  for (let step = 0; reply !== undefined && step < 12; step++) {
    await send(random, client, say)
    reply = await client.reply()
    if (reply?.startsWith('354')) {
      // The end is the first there is: what the body has behind it is commands, and the client is as surprised as anybody.
      const written = `${body(random, `${number}.${step}`)}`
      const whole = written.endsWith('\r\n') ? `${written}.\r\n` : `${written}${END}`
      const data = whole.slice(0, (`\r\n${whole}`.indexOf(END) + END.length || whole.length + 2) - 2)
      sent.push(asMessage(data))
      await send(random, client, Buffer.from(data, 'latin1'))
      reply = await client.reply()
    }
    const next = random() < 0.75 ? (NEXT[step % NEXT.length] ?? 'NOOP') : pick(random, COMMANDS)
    const line = Buffer.from(next.replace(/[\r\n]/g, ''), 'latin1')
    say = Buffer.concat([random() < 0.15 ? Buffer.from(oneLine(random, line)) : line, Buffer.from('\r\n')])
  }
  await client.finish()
}

const NEXT = ['MAIL FROM:<carol@peer.test>', 'RCPT TO:<alice@agents.test>', 'DATA']

/** A changed line, which is still one line: only then is one reply owed. */
function oneLine(random: Random, line: Buffer): string {
  return mutate(random, line, line, COMMANDS)
    .toString('latin1')
    .replace(/[\r\n]/g, ' ')
    .slice(0, 1500)
}

async function pipelinedSession(random: Random, number: number): Promise<string> {
  const client = await openClient(receiver.port)
  // Who talks before the greeting is sent away.
  if (random() < 0.9) await client.reply()
  const parts: Buffer[] = []
  for (let n = 1 + below(random, 12); n > 0; n--) {
    const usual = ['EHLO client.peer.test', ...NEXT].map((line) => `${line}\r\n`).join('')
    const message = `${body(random, `p${number}.${n}`)}${pick(random, [END, END, END, END, ...FALSE_ENDS])}`
    const command = pick(random, COMMANDS) + pick(random, LINE_ENDS)
    const noise = Buffer.from(Array.from({ length: below(random, 100) }, () => below(random, 256)))
    const part = pick(random, [usual + message, usual + message, message, command, command, noise])
    const bytes = Buffer.from(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
    parts.push(random() < 0.2 ? mutate(random, bytes, bytes, COMMANDS) : bytes)
  }
  await send(random, client, Buffer.concat(parts))
  // Wherever the session stands now, this ends it; one in five just goes away.
  if (random() < 0.8) {
    client.write(Buffer.from(`${END}QUIT\r\n`))
    while ((await client.reply()) !== undefined);
  }
  await client.finish()
  return client.heard()
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
const failures = (): unknown[] => receiver.world.log.filter((line) => Number(line['level']) >= 50)

t.test('every line gets a reply or the end, and what is stored is what was sent as one message', async (t) => {
  const random = randomFrom(SEED)
  let stored = 0
  for (let number = 0; number < LOCKSTEP_SESSIONS; number++) {
    const sent: string[] = []
    receiver.world.delivered.length = 0
    await lockstepSession(random, number, sent)
    const found = receiver.world.delivered.map(({ raw }) => raw.toString('latin1').replace(/^[^]*?(?=X-Canary)/, ''))
    const unsent = found.filter((message) => !sent.includes(message))
    if (unsent.length > 0) t.same(unsent, [], `session ${number} of seed ${SEED}: ${JSON.stringify(sent)}`)
    if (new Set(found).size !== found.length) t.fail(`session ${number} of seed ${SEED}: stored twice`)
    stored += found.length
  }
  t.ok(stored > LOCKSTEP_SESSIONS / 10, `${stored} messages were stored`)
  t.same(failures(), [], 'nothing failed inside')
})

t.test(
  'however a client floods a session, it ends, and each message stored was asked for and acknowledged',
  async (t) => {
    const random = randomFrom(SEED + 1)
    let stored = 0
    for (let number = 0; number < PIPELINED_SESSIONS; number++) {
      receiver.world.delivered.length = 0
      const heard = await pipelinedSession(random, number)
      const messages = new Set(
        receiver.world.delivered.map(({ raw }) => raw.toString('latin1').replace(/^[^]*?Received/, '')),
      )
      const wanted = count(heard, /^354 /gm)
      const where = `session ${number} of seed ${SEED + 1}: ${JSON.stringify(heard)}`
      if (messages.size > wanted) t.fail(`${messages.size} messages after ${wanted} times 354; ${where}`)
      for (const message of messages) if (count(message, /^X-Canary: /gm) > 1) t.fail(`two in one; ${where}`)
      if (/^(?!\d{3}[ -]|\d{3}\r?$)./m.test(heard)) t.fail(`not a reply; ${where}`)
      stored += messages.size
    }
    t.ok(stored > 0, `${stored} messages were stored`)
    t.same(failures(), [], 'nothing failed inside')
  },
)

t.test('there are never more sessions than the limit, and each that ends makes room', async (t) => {
  const random = randomFrom(SEED + 2)
  const open: { client: Client; greeted: boolean }[] = []
  for (let step = 0; step < 100; step++) {
    if (random() < 0.6) {
      const client = await openClient(receiver.port)
      const greeted = (await client.reply())?.startsWith('220') ?? false
      if (greeted) open.push({ client, greeted })
      else await client.finish()
      const room = open.length <= 10
      if (!room) t.fail(`${open.length} sessions at once`)
    } else {
      const [leaving] = open.splice(below(random, open.length), 1)
      leaving?.client.write(Buffer.from(pick(random, ['QUIT\r\n', 'EHLO x\r\nMAIL FROM:<a@b.test>\r\n', 'x', ''])))
      await leaving?.client.finish()
    }
  }
  await Promise.all(open.map(({ client }) => client.finish()))
  const fresh = await openClient(receiver.port)
  t.match(await fresh.reply(), /^220 /, 'a new one is welcome')
  await fresh.finish()
})
