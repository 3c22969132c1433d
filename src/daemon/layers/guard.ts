/** The outbound guard: classifier, local corrections, the operator's list of bad hosts, second opinions. */
import { readFile } from 'node:fs/promises'
import { readModelKey } from '../../config/files.js'
import { badHostsIn } from '../../guard/links/bad-hosts.js'
import { openCorrection, type Correction } from '../../guard/verdict/correction.js'
import { createGuard, type Explanation } from '../../guard/verdict/guard.js'
import { loadModel } from '../../guard/model/model.js'
import { withSecondOpinions } from '../../guard/second-opinion/ask.js'
import { createModelAdviser } from '../../guard/second-opinion/openai.js'
import { createRspamdAdviser } from '../../guard/second-opinion/rspamd.js'
import type { Adviser } from '../../guard/second-opinion/types.js'
import type { Guard, GuardSubject } from '../../guard/types.js'
import { SECOND } from '../../lib/clock.js'
import { createRspamd } from '../../scan/rspamd.js'
import type { Ground } from './ground.js'
import type { Stops } from './stops.js'

export type BuiltGuard = Awaited<ReturnType<typeof buildGuard>>

/** @throws Error if the list of bad hosts cannot be read */
export async function buildGuard(ground: Ground, stops: Stops) {
  const { config, store, clock, part, metrics, work } = ground
  const { guard, limits } = config
  const correction = await openCorrection({
    store,
    clock,
    isOn: guard.learn_from_review,
    onError: (err) => part('guard').warn({ err }, 'corrections cannot be read now; they are read again in seconds'),
  })
  stops.rest.push(async () => correction.stop())
  const model = loadModel()
  const own = createGuard({
    model,
    holdAt: guard.hold_score,
    blockAt: guard.block_score,
    newRecipientsPerDay: limits.new_recipients_per_day,
    isKnownBad: guard.bad_hosts_file === '' ? undefined : badHostsIn(await readFile(guard.bad_hosts_file, 'utf8')),
    adjust: (logit, subject, codes) => correction.adjust(logit, subject, codes),
  })
  const reading: Guard = {
    async check(subject) {
      await work.read(subject)
      return own.check(subject)
    },
  }
  const asked = withSecondOpinions(reading, await buildAdvisers(ground, stops), {
    askAt: guard.second_opinion_score,
    holdAt: guard.hold_score,
    log: part('guard'),
    metrics,
  })
  // `explain` is of the classifier alone.
  const explain = async (subject: GuardSubject): Promise<Explanation> => {
    await work.read(subject)
    return own.explain(subject)
  }
  const learn: Correction['learn'] = async (review) => {
    await work.read(review.subject)
    return correction.learn(review)
  }
  return { guard: asked, explain, correction: { ...correction, learn }, model }
}

/** Second opinions, if configured. */
async function buildAdvisers({ config, clock, part }: Ground, stops: Stops): Promise<Adviser[]> {
  const { guard } = config
  const timeoutMs = guard.second_opinion_timeout_seconds * SECOND
  const log = part('guard')
  const advisers: Adviser[] = []
  if (guard.rspamd !== '') {
    advisers.push(createRspamdAdviser(createRspamd({ address: guard.rspamd, timeoutMs, clock, log })))
  }
  if (guard.model_url !== '') {
    const { model_url: url, model_name: model, model_requests_per_hour: perHour } = guard
    advisers.push(
      createModelAdviser({ url, model, apiKey: await readModelKey(config), timeoutMs, perHour, clock, log }),
    )
  }
  stops.rest.push(async () => advisers.forEach((adviser) => adviser.close()))
  return advisers
}
