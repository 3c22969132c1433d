/** What programs get from the hosts `autoconfig.` and `autodiscover.` of a domain, for the check of these. */
import { baseUrl, serviceName, settingsHosts } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { autoconfigDocument } from './programs/autoconfig.js'
import { autodiscoverPointer } from './programs/autodiscover.js'
import { AUTOCONFIG_PATHS, AUTODISCOVER_JSON_PATHS } from './programs/paths.js'
import { programServices } from './programs/services.js'
import type { PublishedRecord } from './types.js'

export interface Served {
  url: URL
  isRight: (text: string) => boolean
  /** For people. */
  what: string
}

export function settingsAt(config: Config, { name, owner }: PublishedRecord): Served {
  const what = 'the document'
  if (name === settingsHosts(owner)[0]) {
    const document = autoconfigDocument(owner, serviceName(config), programServices(config))
    return { url: new URL(`https://${name}${AUTOCONFIG_PATHS[0]}`), isRight: (text) => text === document, what }
  }
  const url = new URL(`https://${name}${AUTODISCOVER_JSON_PATHS[0]}?Protocol=AutodiscoverV1&Email=postmaster@${owner}`)
  return { url, isRight: (text) => text === autodiscoverPointer(baseUrl(config)), what }
}
