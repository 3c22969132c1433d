/** The send path in a process of its own, so that its CPU time and a profile are of nothing else: `node .tests/bench/send-path-process.js 2000`. */
import { createWriter } from '../support/messages.js'
import { threadCpuMs } from './process.js'
import { startSendPath, type Written } from '../support/send-path.js'
import { startSink } from '../peers/sink.js'

const AT_ONCE = 20
const WARM_UP = 300
const BODY_BYTES = 4096

export interface PathCost {
  messages: number
  /** User and system time of one message, all threads, in microseconds. */
  cpuUs: number
  /** The same by thread, in microseconds: the event loop, and each other one that worked, the busiest first. */
  threadsUs: { main: number; others: number[] }
  perSecond: number
  /** For one message, by kind of partition. */
  written: [string, Written][]
}

async function main(messages: number): Promise<PathCost> {
  const sink = await startSink()
  const path = await startSendPath(sink.port)
  const writer = createWriter(1)
  const textOf = (n: number): string =>
    writer.message(`m${n}`, 'x@example.org', BODY_BYTES).split('\r\n\r\n').slice(1).join('\n\n')
  const texts = Array.from({ length: messages + WARM_UP }, (_, n) => textOf(n))
  const pour = async (from: number, to: number): Promise<void> => {
    let next = from
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < to) {
          const n = next++
          const address = { address: `person${n % 100}@peer${n % 10}.example`, name: '' }
          await path.send(n, {
            to: [address],
            cc: [],
            bcc: [],
            replyTo: [],
            subject: `Message number ${n}`,
            text: texts[n] ?? '',
            html: null,
            attachments: [],
            labels: [],
          })
        }
      }),
    )
    while (path.recorded() < to) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await pour(0, WARM_UP)
  path.written.clear()
  const [cpu, begun, threads] = [process.cpuUsage(), performance.now(), await threadCpuMs(process.pid)]
  await pour(WARM_UP, WARM_UP + messages)
  const ms = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu)
  const after = await threadCpuMs(process.pid)
  const perMessage = (id: number): number => (((after.get(id) ?? 0) - (threads.get(id) ?? 0)) * 1000) / messages
  const others = [...after.keys()].filter((id) => id !== process.pid).map(perMessage)
  await path.close()
  await sink.stop()
  const each = ({ commits, rows, bytes }: Written): Written => ({
    commits: commits / messages,
    rows: rows / messages,
    bytes: bytes / messages,
  })
  return {
    messages,
    cpuUs: (user + system) / messages,
    threadsUs: {
      main: perMessage(process.pid),
      others: others.filter((us) => us >= 10).sort((a, b) => b - a),
    },
    perSecond: (messages * 1000) / ms,
    written: [...path.written].map(([kind, sum]) => [kind, each(sum)]),
  }
}

const cost = await main(Number(process.argv[2] ?? 1000))
if (process.send) process.send(cost)
else console.log(JSON.stringify(cost, null, 1))
