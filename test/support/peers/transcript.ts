/**
 * Conversations with an SMTP server, written down and held again on a socket. test/scenarios/dialogs/README.md has the syntax; `readCmy`
 * reads that of the public suite.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type Step = { line: number } & (
  | { kind: 'connect' }
  | { kind: 'send'; bytes: Buffer }
  /** The whole reply. */
  | { kind: 'reply'; text: string }
  | { kind: 'match'; pattern: RegExp }
  | { kind: 'starttls' }
  | { kind: 'closed' }
  /** So many messages have been delivered. */
  | { kind: 'delivered'; count: number }
  /** End of the last one. */
  | { kind: 'ends'; bytes: Buffer }
  /** A step that cannot be played here ends the conversation. */
  | { kind: 'impossible'; what: string }
)

export interface Transcript {
  title: string
  /** Extensions that the receiver needs: `tls`, `dsn`. */
  needs: string[]
  steps: Step[]
}

export interface Mismatch {
  line: number
  wanted: string
  got: string
}

export interface ReplayOptions {
  port: number
  /** Each byte in a packet of its own. */
  bytewise?: boolean
  /** Mail in the mailboxes so far. */
  delivered: () => Buffer[]
}

export interface Replay {
  /** Steps that could have failed. */
  checks: number
  mismatches: Mismatch[]
}

export function readTranscript(text: string): Transcript {
  const transcript: Transcript = { title: '', needs: [], steps: [{ line: 0, kind: 'connect' }] }
  for (const [i, source] of text.split('\n').entries()) {
    const line = i + 1
    const [, word = '', rest = ''] = /^(\S+) ?(.*)$/.exec(source) ?? []
    const add = (step: Step): void => void transcript.steps.push(step)
    if (word === '') continue
    if (word === '#') transcript.title ||= rest
    else if (word === 'needs') transcript.needs = rest.split(' ')
    else if (word === '->') add({ line, kind: 'send', bytes: Buffer.concat([unescaped(rest), Buffer.from('\r\n')]) })
    else if (word === '=>') add({ line, kind: 'send', bytes: unescaped(rest) })
    else if (word === '<-') addReply(transcript.steps, line, rest)
    else if (word === '<~') add({ line, kind: 'match', pattern: new RegExp(rest) })
    else if (word === 'connect' || word === 'starttls' || word === 'closed') add({ line, kind: word })
    else if (word === 'delivered') add({ line, kind: 'delivered', count: Number(rest) })
    else if (word === 'ends') add({ line, kind: 'ends', bytes: unescaped(rest) })
    else throw new Error(`line ${line} says nothing: ${source}`)
  }
  return transcript
}

/** The lines of one reply follow each other, all but the last with a hyphen behind the code. */
function addReply(steps: Step[], line: number, text: string): void {
  const last = steps.at(-1)
  if (last?.kind === 'reply' && /(?:^|\n)\d{3}-[^\n]*$/.test(last.text)) last.text += `\n${text}`
  else steps.push({ line, kind: 'reply', text })
}

/** `\r`, `\n`, `\t`, `\0`, `\\`, `\xHH`, and `{text*count}`. */
function unescaped(text: string): Buffer {
  const repeated = text.replace(/\{([^{}*]+)\*(\d+)\}/g, (_all, part: string, count: string) => part.repeat(+count))
  const parts = repeated.split(/(\\(?:x[0-9a-f]{2}|.))/i).map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part)
    if (part.startsWith('\\x')) return Buffer.from([parseInt(part.slice(2), 16)])
    return Buffer.from({ r: '\r', n: '\n', t: '\t', 0: '\0' }[part.slice(1)] ?? part.slice(1))
  })
  return Buffer.concat(parts)
}

/** Only the codes of `c <- 501 5.1.3 Destination address too long` are compared: texts differ by server (RFC 5321 §4.2). */
export function readCmy(text: string): Step[] {
  const steps: Step[] = []
  for (const [i, source] of text.split('\n').entries()) {
    const line = i + 1
    const [, what = '', rest = ''] = /^c (\S+) ?(.*)$/.exec(source) ?? []
    if (what === 'tcp_connect') steps.push({ line, kind: 'connect' })
    else if (what === 'tls_connect') steps.push({ line, kind: 'impossible', what: 'there is no port for submission' })
    else if (what === '->') steps.push({ line, kind: 'send', bytes: Buffer.from(`${rest}\r\n`) })
    else if (what === '~>') steps.push({ line, kind: 'send', bytes: Buffer.from(evaluated(rest)) })
    else if (what === '<~') steps.push({ line, kind: 'match', pattern: new RegExp(`^${rest}`) })
    else if (what === '<...')
      steps.push({ line, kind: 'match', pattern: new RegExp(`\\b${rest.slice(0, 3)} [^\\n]*$`) })
    else if (what === '<-') {
      const codes = /^\d{3}(?: \d\.\d+\.\d+)?/.exec(rest)?.[0] ?? rest
      steps.push({ line, kind: 'match', pattern: new RegExp(`^${codes.replaceAll('.', '\\.')}\\b`) })
    }
  }
  return steps
}

/** Sums and multiples of texts: `('a' * 899 + '\r\n') * 1165`. */
function evaluated(expression: string): string {
  const tokens = expression.match(/'(?:[^'\\]|\\.)*'|\d+|[()+*]/g) ?? []
  const product = (): string => {
    const token = tokens.shift() ?? ''
    const value = token === '(' ? sum() : unescaped(token.slice(1, -1)).toString('latin1')
    if (token === '(') tokens.shift()
    if (tokens[0] !== '*') return value
    tokens.shift()
    return value.repeat(Number(tokens.shift()))
  }
  const sum = (): string => {
    let value = product()
    while (tokens[0] === '+') {
      tokens.shift()
      value += product()
    }
    return value
  }
  return sum()
}

/** Holds a conversation. A reply that is not the expected one is written down, and the conversation goes on. */
export async function replay(steps: Step[], { port, bytewise = false, delivered }: ReplayOptions): Promise<Replay> {
  const mismatches: Mismatch[] = []
  let checks = 0
  let line: Line | undefined
  for (const step of steps) {
    const expect = (fits: boolean, wanted: string, got: string): void => {
      checks++
      if (!fits) mismatches.push({ line: step.line, wanted, got })
    }
    const reply = async (): Promise<string> => (await line?.reply()) ?? 'no connection'
    switch (step.kind) {
      case 'connect':
        line?.socket().destroy()
        line = await openLine(port)
        break
      case 'send':
        await line?.send(step.bytes, bytewise)
        break
      case 'reply': {
        const got = await reply()
        expect(got === step.text, step.text, got)
        break
      }
      case 'match': {
        const got = await reply()
        expect(step.pattern.test(got), String(step.pattern), got)
        break
      }
      case 'starttls':
        await line?.startTls()
        break
      case 'closed': {
        const got = await reply()
        expect(got === CLOSED, CLOSED, got)
        break
      }
      case 'delivered':
        expect(delivered().length === step.count, `${step.count} delivered`, `${delivered().length} delivered`)
        break
      case 'ends': {
        const got = delivered().at(-1)?.subarray(-step.bytes.length) ?? Buffer.alloc(0)
        expect(got.equals(step.bytes), JSON.stringify(step.bytes.toString()), JSON.stringify(got.toString()))
        break
      }
      case 'impossible':
        line?.socket().destroy()
        expect(false, 'a connection', step.what)
        return { checks, mismatches }
    }
  }
  line?.socket().destroy()
  return { checks, mismatches }
}

const CLOSED = 'connection closed'

interface Line {
  socket(): Socket
  send(bytes: Buffer, bytewise: boolean): Promise<void>
  /** The next reply, its lines joined with line feeds, or that the connection is closed. */
  reply(): Promise<string>
  startTls(): Promise<void>
}

async function openLine(port: number): Promise<Line> {
  let socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let pending = ''
  let isClosed = false
  let wake = (): void => undefined
  const listen = (): void => {
    socket.on('data', (chunk: Buffer) => {
      pending += chunk.toString()
      wake()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      isClosed = true
      wake()
    })
  }
  listen()
  await once(socket, 'connect')
  return {
    socket: () => socket,
    async send(bytes, bytewise) {
      for (const piece of bytewise ? bytes.toString('latin1') : [bytes]) {
        if (isClosed || socket.destroyed) return
        const buffer = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
        await new Promise<void>((resolve) => socket.write(buffer, () => setImmediate(resolve)))
      }
    },
    async reply() {
      for (;;) {
        const reply = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/.exec(pending)?.[0]
        if (reply !== undefined) {
          pending = pending.slice(reply.length)
          return reply.trimEnd().replaceAll('\r\n', '\n')
        }
        if (isClosed) return CLOSED
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    async startTls() {
      socket.removeAllListeners('data')
      socket = connectTls({ socket, rejectUnauthorized: false })
      listen()
      await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')])
    },
  }
}
