/** Where mail programs fetch the settings of an account: autoconfig, autodiscover, and Apple's profile. Each answer is made by a file that the first one loads. */
import { hostOf } from '../../http/host-name.js'
import type { Page } from '../../http/routing/router.js'
import {
  APPLE_PROFILE_PATH,
  AUTOCONFIG_PATHS,
  AUTODISCOVER_JSON_PATHS,
  AUTODISCOVER_PATHS,
} from '../../publish/programs/paths.js'
import { bestOfBoth } from '../../publish/programs/services.js'
import type { Offered, ProgramSettingsDeps } from './program-answers.js'

export function programSettingsPages({ baseUrl, ...deps }: ProgramSettingsDeps): Page[] {
  const offered: Offered = {
    ...deps,
    best: bestOfBoth(deps.services),
    autodiscoverUrl: `${baseUrl}${AUTODISCOVER_PATHS[0]}`,
  }
  const answers = () => import('./program-answers.js')
  return [
    ...AUTOCONFIG_PATHS.map((path): Page => ({
      method: 'GET',
      path,
      answer: async (_params, request) => (await answers()).autoconfig(offered, request.query, hostOf(request)),
    })),
    ...AUTODISCOVER_PATHS.map((path): Page => ({
      method: 'POST',
      path,
      answer: async (_params, request) => (await answers()).autodiscover(offered, request),
    })),
    ...AUTODISCOVER_JSON_PATHS.map((path): Page => ({
      method: 'GET',
      path,
      answer: async ({ email }, request) => (await answers()).autodiscoverJson(offered, request.query, email),
    })),
    {
      method: 'GET',
      path: APPLE_PROFILE_PATH,
      answer: async (_params, request) => (await answers()).profile(offered, request.query),
    },
  ]
}
