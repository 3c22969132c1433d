/** A judging thread that has its judgements before it is asked. */
import { parentPort } from 'node:worker_threads'
import type { Judgement } from '../../src/mx/judging/judge.js'
import type { FromJudge, ToJudge } from '../../src/mx/judging/judge-worker.js'

const judgements = JSON.parse(process.env['BENCH_JUDGEMENTS'] ?? '[]') as Judgement[]
const port = parentPort
const answer = (message: FromJudge): void => port?.postMessage(message)
let next = 0

port?.on('message', (message: ToJudge) => {
  if (message.kind === 'ping') return answer({ kind: 'pong' })
  if (message.kind === 'collect') return
  const judgement = judgements[next++ % judgements.length]
  if (judgement) answer({ kind: 'judgement', id: message.id, judgement })
})
answer({ kind: 'ready' })
