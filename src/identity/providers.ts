/** The identity providers of the settings, each with a bound on how much is asked of it at once. */
import type { Clock } from '../lib/clock.js'
import { createGithubProvider } from './github.js'
import { createOidcProvider } from './oidc.js'
import { ProviderError } from './types.js'
import type { IdentityProvider, ProviderSettings } from './types.js'

/** Strangers can make us ask a provider: no more than so many of them at once, or it would take us for the one who floods it. */
const MAX_AT_ONCE = 20

export function createProviders(settings: readonly ProviderSettings[], deps: { clock: Clock }): IdentityProvider[] {
  return settings.map((each) =>
    bounded(each.kind === 'github' ? createGithubProvider(each) : createOidcProvider(each, deps)),
  )
}

function bounded(provider: IdentityProvider): IdentityProvider {
  let running = 0
  return {
    ...provider,
    async complete(...given) {
      if (running >= MAX_AT_ONCE) throw new ProviderError('unavailable', 'too many sign-ins at once')
      running++
      try {
        return await provider.complete(...given)
      } finally {
        running--
      }
    },
  }
}
