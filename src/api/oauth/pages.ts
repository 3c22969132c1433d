/** Everything of OAuth that is served to clients; where a human decides is a page of its own (src/http/pages). */
import type { Page } from '../../http/routing/router.js'
import { oauthEndpoints } from './endpoints.js'
import type { EndpointsDeps } from './endpoints.js'
import { metadataPages } from './metadata.js'

/** @param baseUrl without a slash at its end */
export function oauthPages(deps: EndpointsDeps, baseUrl: string): Page[] {
  return [...metadataPages({ baseUrl, registers: deps.registrations !== undefined }), ...oauthEndpoints(deps)]
}
