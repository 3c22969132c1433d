/** What has to be served under `autoconfig.` and `autodiscover.` of a domain. The documents are loaded when they are checked. */
import { baseUrl, serviceName, settingsHosts } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { AUTOCONFIG_PATHS, AUTODISCOVER_JSON_PATHS, AUTODISCOVER_PATHS } from './programs/paths.js'
import { programServices } from './programs/services.js'
import type { PublishedRecord } from './types.js'

export interface Served {
  url: URL
  isRight: (text: string) => boolean
  /** For people. */
  what: string
}

/** @param record one of a host */
export async function settingsAt(config: Config, { name, owner }: PublishedRecord): Promise<Served> {
  const what = 'the document'
  if (name === settingsHosts(owner)[0]) {
    const { autoconfigDocument } = await import('./programs/autoconfig.js')
    const document = autoconfigDocument(owner, serviceName(config), programServices(config))
    return { url: new URL(`https://${name}${AUTOCONFIG_PATHS[0]}`), isRight: (text) => text === document, what }
  }
  const { autodiscoverPointer } = await import('./programs/autodiscover.js')
  const pointer = autodiscoverPointer(`${baseUrl(config)}${AUTODISCOVER_PATHS[0]}`)
  const url = new URL(`https://${name}${AUTODISCOVER_JSON_PATHS[0]}?Protocol=AutodiscoverV1&Email=postmaster@${owner}`)
  return { url, isRight: (text) => text === pointer, what }
}
