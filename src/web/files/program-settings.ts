/** Where mail programs fetch the settings of an account: autoconfig, autodiscover, and Apple's profile. Each answer is made by a file that the first one loads. */
import type { Page } from '../../http/routing/router.js'
import {
  APPLE_PROFILE_PATH,
  AUTOCONFIG_PATHS,
  AUTODISCOVER_JSON_PATHS,
  AUTODISCOVER_PATHS,
} from '../../publish/programs/paths.js'
import type { SettingsDeps } from './program-answers.js'

export function programSettingsPages(deps: SettingsDeps): Page[] {
  const answers = () => import('./program-answers.js')
  return [
    ...AUTOCONFIG_PATHS.map((path): Page => ({
      method: 'GET',
      path,
      answer: async (_params, request) => (await answers()).autoconfig(deps, request),
    })),
    ...AUTODISCOVER_PATHS.map((path): Page => ({
      method: 'POST',
      path,
      answer: async (_params, request) => (await answers()).autodiscover(deps, request),
    })),
    ...AUTODISCOVER_JSON_PATHS.map((path): Page => ({
      method: 'GET',
      path,
      answer: async ({ email }, request) => (await answers()).autodiscoverJson(deps, request, email),
    })),
    {
      method: 'GET',
      path: APPLE_PROFILE_PATH,
      answer: async (_params, request) => (await answers()).profile(deps, request),
    },
  ]
}
