/** Calls between two processes over a stream of frames. Each side names its methods in an interface; a method has one argument, plain data. */
import type { Duplex } from 'node:stream'
import { asError, messageOf } from '../../lib/thrown.js'
import { createFrameReader, createFrameWriter } from './frames.js'

/** Methods by name: what the other side may ask. */
type Methods<M> = { [K in keyof M]: (input: never, body?: Buffer) => unknown }
type Input<F> = F extends (input: infer I, body?: Buffer) => unknown ? I : never
type Output<F> = F extends (input: never, body?: Buffer) => infer O ? Awaited<O> : never

type Head =
  | [kind: 'call', id: number, method: string, input: unknown]
  | [kind: 'tell', method: string, input: unknown]
  | [kind: 'answer', id: number, output: unknown]
  | [kind: 'fault', id: number, message: string, code: string | undefined]

export interface ChannelDeps<Mine> {
  stream: Duplex
  methods: Mine
  maxBodyBytes: number
  /** The stream failed, or the other side sent nonsense; the channel is closed. */
  onFault: (error: Error) => void
}

export interface Channel<Theirs> {
  /** @throws Error with the other side's message and code, or if the channel closes first */
  call<K extends keyof Theirs & string>(method: K, input: Input<Theirs[K]>, body?: Buffer): Promise<Output<Theirs[K]>>
  /** A call without an answer. */
  tell<K extends keyof Theirs & string>(method: K, input: Input<Theirs[K]>): void
  /** Ends the stream. Resolves when everything that was said has left. */
  end(): Promise<void>
  close(): void
}

interface Open {
  resolve: (output: never) => void
  reject: (error: Error) => void
}

export function createChannel<Mine extends Methods<Mine>, Theirs extends Methods<Theirs>>({
  stream,
  methods,
  maxBodyBytes,
  onFault,
}: ChannelDeps<Mine>): Channel<Theirs> {
  const open = new Map<number, Open>()
  const write = createFrameWriter(stream)
  let lastId = 0
  let isClosed = false

  function close(): void {
    if (isClosed) return
    isClosed = true
    stream.destroy()
    for (const { reject } of open.values()) reject(new Error('the other process is gone'))
    open.clear()
  }

  function fail(error: Error): void {
    if (isClosed) return
    close()
    onFault(error)
  }

  function run(method: string, input: unknown, body: Buffer | undefined): unknown {
    if (!Object.hasOwn(methods, method)) throw new Error(`there is no method ${method}`)
    return methods[method as keyof Mine](input as never, body)
  }

  async function answer(id: number, method: string, input: unknown, body: Buffer | undefined): Promise<void> {
    try {
      write(['answer', id, await run(method, input, body)] satisfies Head, { isUrgent: false })
    } catch (error) {
      write(['fault', id, messageOf(error), codeOf(error)] satisfies Head, { isUrgent: false })
    }
  }

  function receive(head: Head, body: Buffer | undefined): void {
    switch (head[0]) {
      case 'call':
        return void answer(head[1], head[2], head[3], body)
      case 'tell':
        return void run(head[1], head[2], body)
      case 'answer':
      case 'fault': {
        const question = open.get(head[1])
        open.delete(head[1])
        if (head[0] === 'answer') question?.resolve(head[2] as never)
        else question?.reject(Object.assign(new Error(head[2]), head[3] !== undefined && { code: head[3] }))
      }
    }
  }

  const reader = createFrameReader(maxBodyBytes, (head, body) => receive(head as Head, body))
  stream.on('data', (chunk: Buffer) => {
    try {
      reader.push(chunk)
    } catch (error) {
      fail(asError(error))
    }
  })
  stream.on('error', fail)
  stream.once('close', close)
  stream.once('end', close)

  return {
    call: (method, input, body) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the other process is gone'))
        const id = ++lastId
        open.set(id, { resolve, reject })
        // The other process works on it while this one goes on: held back until the end of a turn, both would work by turns.
        write(['call', id, method, input] satisfies Head, { body, isUrgent: true })
      }),
    tell: (method, input) => write(['tell', method, input] satisfies Head, { isUrgent: false }),
    end: () => new Promise((resolve) => stream.end(resolve)),
    close,
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
