/** Drives a program of Mozilla by its protocol Marionette: scripts of the test run in it with the rights of its own code. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { z } from 'zod'

export interface Marionette {
  /**
   * Runs the body of an asynchronous function in the window.
   *
   * @param args what it has as `args`
   * @returns what it returns, as JSON has it
   */
  run(body: string, ...args: unknown[]): Promise<unknown>
  close(): void
}

/** Length, colon and that many bytes of JSON. */
const FRAME = /^(\d+):/
const answerSchema = z.tuple([z.literal(1), z.int(), z.object({ message: z.string() }).nullable(), z.unknown()])
const valueSchema = z.object({ value: z.unknown() })
const outcomeSchema = z.union([z.object({ value: z.unknown().optional() }), z.object({ error: z.string() })])
const SCRIPT_LIMIT_MS = 120_000

function framesIn(socket: Socket): () => Promise<unknown> {
  let pending = Buffer.alloc(0)
  const pieces: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]()
  return async () => {
    for (;;) {
      const [start = '', length] = FRAME.exec(pending.toString('latin1', 0, 20)) ?? []
      const end = start.length + Number(length)
      if (length !== undefined && pending.length >= end) {
        const text = pending.toString('utf8', start.length, end)
        pending = pending.subarray(end)
        return JSON.parse(text)
      }
      const { done, value } = await pieces.next()
      if (done === true) throw new Error('Marionette has ended')
      pending = Buffer.concat([pending, value])
    }
  }
}

/** @throws Error where nothing listens on the port yet */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const nextFrame = framesIn(socket)
  await nextFrame()
  let count = 0
  // One command after another: that is how it answers them.
  const command = async (name: string, parameters: Record<string, unknown>): Promise<unknown> => {
    const text = JSON.stringify([0, ++count, name, parameters])
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [, , error, result] = answerSchema.parse(await nextFrame())
    if (error !== null) throw new Error(`${name}: ${error.message}`)
    return result
  }
  await command('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } })
  await command('Marionette:SetContext', { value: 'chrome' })
  await command('WebDriver:SetTimeouts', { script: SCRIPT_LIMIT_MS })
  return {
    async run(body, ...args) {
      const script = `
        const [args, done] = arguments
        ;(async () => { ${body} })().then(
          (value) => done({ value }),
          (error) => done({ error: String(error) + ' ' + String(error?.stack) }),
        )`
      const result = await command('WebDriver:ExecuteAsyncScript', { script, args: [args], sandbox: 'system' })
      const outcome = outcomeSchema.parse(valueSchema.parse(result).value)
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome.value
    },
    close: () => socket.destroy(),
  }
}
