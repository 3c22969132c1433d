/** A judging thread: has its own resolver, answers numbered questions, and a ping with a pong. */
import { parentPort, workerData } from 'node:worker_threads'
import { createAuthenticator } from '../../authentication/verify.js'
import { createResolver } from '../../dns/resolver.js'
import { loadModel } from '../../guard/model/model.js'
import { createSpamScore, spamModelOf, type SpamLines } from '../../guard/verdict/spam.js'
import { messageOf } from '../../lib/thrown.js'
import { systemClock } from '../../lib/clock.js'
import { shortened } from '../../mailbox/message.js'
import type { ParseLimits } from '../../mime/types.js'
import { createJudge, type Judge, type Judgement, type JudgeInput } from './judge.js'

export interface JudgeOptions {
  dnsServers: string[]
  authservId: string
  parseLimits: ParseLimits
  spamLines: SpamLines
}

export type ToJudge = { kind: 'judge'; id: number; input: JudgeInput } | { kind: 'ping' }

export type FromJudge =
  | { kind: 'ready' }
  | { kind: 'judgement'; id: number; judgement: Judgement }
  | { kind: 'failed'; id: number; reason: string }
  | { kind: 'pong' }

function judgeWith({ dnsServers, authservId, parseLimits, spamLines }: JudgeOptions): Judge {
  const resolver = createResolver({ servers: dnsServers, clock: systemClock })
  const authenticator = createAuthenticator({ resolver, authservId })
  return createJudge({
    authenticator,
    spamScore: createSpamScore({ lines: spamLines, model: spamModelOf(loadModel()) }),
    parseLimits,
    clock: systemClock,
  })
}

const port = parentPort
if (port) {
  const judge = judgeWith(workerData as JudgeOptions)
  const answer = (message: FromJudge): void => port.postMessage(message)
  port.on('message', (message: ToJudge) => {
    if (message.kind === 'ping') return answer({ kind: 'pong' })
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
