/** Sign-in of humans: the providers, and the log, metrics and audit entries of each attempt. */
import { createSignInStates } from '../../accounts/sign-in/sign-in-states.js'
import { createFailedSignIns } from '../../audit/failed-sign-ins.js'
import { readProviders } from '../../config/files.js'
import { clientOf } from '../../http/limits/audited.js'
import { createProviders } from '../../identity/providers.js'
import type { HumanParts } from './content.js'
import type { Ground } from '../layers/ground.js'
import type { Stops } from '../layers/stops.js'

/** Providers are contacted at the first sign-in only. */
export async function buildSignIn(
  { config, store, clock, secrets, metrics, audit, part }: Ground,
  rest: Stops['rest'],
): Promise<Pick<HumanParts, 'providers' | 'states' | 'webKey' | 'onSignIn'>> {
  const log = part('sign-in')
  const failed = createFailedSignIns({ audit, clock, log })
  rest.push(() => failed.stop())
  const outcomes = metrics.counter('sign_ins_total', 'Completed sign-ins by provider and outcome.', [
    'provider',
    'outcome',
  ])
  return {
    providers: await createProviders(await readProviders(config), { clock }),
    states: createSignInStates({ store, clock }),
    webKey: secrets.webKey,
    onSignIn(result, request) {
      outcomes.inc({ provider: result.provider, outcome: result.outcome })
      if (result.outcome === 'signed_in')
        log.info(
          {
            provider: result.provider,
            account_id: result.accountId,
            new_account: result.isNewAccount,
            new_device: result.isNewDevice,
          },
          'signed in',
        )
      else {
        const { provider, outcome, detail } = result
        failed.note({ provider, outcome, from: clientOf(request) })
        log.warn({ provider, outcome, detail }, 'a sign-in failed')
      }
    },
  }
}
