/** OAuth pages for clients; the consent page is in src/web/consent. */
import type { Page } from '../../http/routing/router.js'
import { oauthEndpoints, type EndpointsDeps } from './endpoints.js'
import { metadataPages } from './metadata.js'

/** @param baseUrl without a trailing slash */
export function oauthPages(deps: EndpointsDeps, baseUrl: string): Page[] {
  return [...metadataPages({ baseUrl, registers: deps.registrations !== undefined }), ...oauthEndpoints(deps)]
}
