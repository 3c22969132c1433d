/** A judging thread: has its own resolver, answers numbered questions, and a ping with a pong. */
import { parentPort, workerData } from 'node:worker_threads'
import { createResolver } from '../../dns/resolver.js'
import { collectGarbage } from '../../lib/memory/garbage.js'
import { messageOf } from '../../lib/thrown.js'
import { systemClock } from '../../lib/clock.js'
import { shortened } from '../../mailbox/message.js'
import { buildJudge, type JudgeSettings } from './build.js'
import type { Judge, Judgement, JudgeInput } from './judge.js'

export interface JudgeOptions extends JudgeSettings {
  dnsServers: string[]
}

export type ToJudge = { kind: 'judge'; id: number; input: JudgeInput } | { kind: 'ping' } | { kind: 'collect' }

export type FromJudge =
  | { kind: 'ready' }
  | { kind: 'judgement'; id: number; judgement: Judgement }
  | { kind: 'failed'; id: number; reason: string }
  | { kind: 'pong' }

function judgeWith({ dnsServers, ...settings }: JudgeOptions): Judge {
  const resolver = createResolver({ servers: dnsServers, clock: systemClock })
  return buildJudge(settings, { resolver, clock: systemClock })
}

const port = parentPort
if (port) {
  const judge = judgeWith(workerData as JudgeOptions)
  const answer = (message: FromJudge): void => port.postMessage(message)
  port.on('message', (message: ToJudge) => {
    if (message.kind === 'ping') return answer({ kind: 'pong' })
    if (message.kind === 'collect') return collectGarbage()
    const { id, input } = message
    const { buffer, byteOffset, length } = input.raw
    // A Buffer arrives as a plain Uint8Array.
    judge({ ...input, raw: Buffer.from(buffer, byteOffset, length) })
      .then((judgement) => answer({ kind: 'judgement', id, judgement: cutShort(judgement) }))
      .catch((error: unknown) =>
        answer({
          kind: 'failed',
          id,
          reason: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
        }),
      )
  })
  answer({ kind: 'ready' })
}

/** Copying megabytes of text would block the other thread. */
function cutShort(judgement: Judgement): Judgement {
  return judgement.kind === 'judged' ? { ...judgement, parsed: shortened(judgement.parsed) } : judgement
}
