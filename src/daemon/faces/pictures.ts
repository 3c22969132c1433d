/** Pictures of other servers, for the inbox: from the public Internet alone, whatever other requests of the daemon may reach. */
import { ownPorts } from '../../config/derived.js'
import { createFetchPictures, type FetchPictures } from '../../web/inbox/fetch-pictures.js'
import type { Ground } from '../layers/ground.js'

/** No version, and no name of this server: whose mail it is follows from the link. */
const USER_AGENT = 'Mozilla/5.0 (compatible; Restante picture proxy)'

export const picturesOf = ({ config, resolver }: Ground): FetchPictures =>
  createFetchPictures({
    resolver,
    rules: { allowPrivateAddresses: false, ownPorts: ownPorts(config) },
    userAgent: USER_AGENT,
  })
