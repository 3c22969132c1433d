/** For listeners whose certificates nobody asks for. */
import type { CertificateListing } from '../../../src/certificates/listing.js'

export const noCertificates: CertificateListing = {
  list: async () => [],
  renew: () => [],
  wait: async () => undefined,
}
