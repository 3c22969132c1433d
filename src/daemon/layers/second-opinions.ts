/** Second opinions on outgoing mail, if configured. */
import { readModelKey } from '../../config/files.js'
import { createModelAdviser } from '../../guard/second-opinion/openai.js'
import { createRspamdAdviser } from '../../guard/second-opinion/rspamd.js'
import type { Adviser } from '../../guard/second-opinion/types.js'
import { SECOND } from '../../lib/clock.js'
import { createRspamd } from '../../scan/rspamd.js'
import type { Ground } from './ground.js'
import type { Stops } from './stops.js'

export async function buildAdvisers({ config, clock, part }: Ground, stops: Stops): Promise<Adviser[]> {
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
