/** The identity providers of the settings, each with a limit of concurrent sign-ins. */
import type { Clock } from '../lib/clock.js'
import { createGithubProvider } from './github.js'
import { ProviderError, type IdentityProvider, type ProviderSettings } from './types.js'

/** Max concurrent sign-ins per provider, so that strangers cannot make us flood it. */
const MAX_AT_ONCE = 20

export function createProviders(
  settings: readonly ProviderSettings[],
  deps: { clock: Clock },
): Promise<IdentityProvider[]> {
  return Promise.all(
    settings.map(async (each) => {
      if (each.kind === 'github') return bounded(createGithubProvider(each))
      // With its library, which other installations do not load.
      const { createOidcProvider } = await import('./oidc.js')
      return bounded(createOidcProvider(each, deps))
    }),
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
