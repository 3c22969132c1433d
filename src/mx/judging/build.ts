/** Builds what judges messages, for a thread or a front process. */
import { createAuthenticator } from '../../authentication/verify.js'
import type { Resolver } from '../../dns/types.js'
import { loadModel } from '../../guard/model/model.js'
import { createSpamScore, spamModelOf, type SpamLines } from '../../guard/verdict/spam.js'
import type { Clock } from '../../lib/clock.js'
import type { ParseLimits } from '../../mime/types.js'
import { createFileReader } from '../../mime/documents/reader.js'
import { createJudge, type Judge } from './judge.js'

export interface JudgeSettings {
  /** Name of this host in Authentication-Results. */
  authservId: string
  parseLimits: ParseLimits
  spamLines: SpamLines
}

export function buildJudge(
  { authservId, parseLimits, spamLines }: JudgeSettings,
  { resolver, clock }: { resolver: Resolver; clock: Clock },
): Judge {
  return createJudge({
    authenticator: createAuthenticator({ resolver, authservId }),
    spamScore: createSpamScore({ lines: spamLines, model: spamModelOf(loadModel()) }),
    parseLimits,
    files: createFileReader(),
    clock,
  })
}
