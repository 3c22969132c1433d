/** Paths at which mail programs ask for their settings. */

/** draft-ietf-mailmaint-autoconfig §4: under `autoconfig.`, and under the domain itself. */
export const AUTOCONFIG_PATHS = ['/mail/config-v1.1.xml', '/.well-known/autoconfig/mail/config-v1.1.xml'] as const

/** [MS-OXDISCO] §3.1.5: programs differ in their letters. */
export const AUTODISCOVER_PATHS = [
  '/autodiscover/autodiscover.xml',
  '/Autodiscover/Autodiscover.xml',
  '/AutoDiscover/AutoDiscover.xml',
] as const

/** The second version, which tells where the first one is. */
export const AUTODISCOVER_JSON_PATHS = [
  '/autodiscover/autodiscover.json',
  '/Autodiscover/Autodiscover.json',
  '/autodiscover/autodiscover.json/v1.0/{email}',
] as const

export const APPLE_PROFILE_PATH = '/mail/profile.mobileconfig'
