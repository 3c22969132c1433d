/** A judging thread that does what the message tells it to. */
import { parentPort } from 'node:worker_threads'

const answer = (id, problem) =>
  parentPort.postMessage({ kind: 'judgement', id, judgement: { kind: 'malformed', problem } })
let late

parentPort.on('message', ({ kind, id, input }) => {
  if (kind === 'ping') {
    parentPort.postMessage({ kind: 'pong' })
    // It was asked whether it is there: now it goes on.
    if (late !== undefined) answer(late, 'late')
    return
  }
  const text = Buffer.from(input.raw).toString().split('\r\n\r\n')[1]
  if (text === 'die') throw new Error('dying')
  else if (text === 'hang') for (;;);
  else if (text === 'late') late = id
  else if (text === 'fail') parentPort.postMessage({ kind: 'failed', id, reason: 'as asked' })
  else if (text === 'fine') answer(id, 'fine')
})

parentPort.postMessage({ kind: 'ready' })
