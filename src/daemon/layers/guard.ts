/** The outbound guard: classifier, local corrections, the operator's list of bad hosts, second opinions. */
import { readFile } from 'node:fs/promises'
import { badHostsIn } from '../../guard/links/bad-hosts.js'
import { openCorrection, type Correction } from '../../guard/verdict/correction.js'
import { createGuard, type ExplainingGuard } from '../../guard/verdict/guard.js'
import { loadModel } from '../../guard/model/model.js'
import { withSecondOpinions } from '../../guard/second-opinion/ask.js'
import type { Guard } from '../../guard/types.js'
import { buildAdvisers } from './second-opinions.js'
import type { Ground } from './ground.js'
import type { Stops } from './stops.js'

export interface BuiltGuard {
  guard: Guard
  /** The classifier alone, to explain findings. */
  explain: ExplainingGuard['explain']
  /** Correction learned from reviews; without effect unless guard.learn_from_review is on. */
  correction: Correction
}

/** @throws Error if the list of bad hosts cannot be read */
export async function buildGuard(ground: Ground, stops: Stops): Promise<BuiltGuard> {
  const { config, store, clock, part, metrics } = ground
  const { guard, limits } = config
  const correction = await openCorrection({ store, clock, isOn: guard.learn_from_review })
  const own = createGuard({
    model: loadModel(),
    holdAt: guard.hold_score,
    blockAt: guard.block_score,
    newRecipientsPerDay: limits.new_recipients_per_day,
    isKnownBad: guard.bad_hosts_file === '' ? undefined : badHostsIn(await readFile(guard.bad_hosts_file, 'utf8')),
    adjust: (logit, subject, codes) => correction.adjust(logit, subject, codes),
  })
  const asked = withSecondOpinions(own, await buildAdvisers(ground, stops), {
    askAt: guard.second_opinion_score,
    holdAt: guard.hold_score,
    log: part('guard'),
    metrics,
  })
  return { guard: asked, explain: (subject) => own.explain(subject), correction }
}
