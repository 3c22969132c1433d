/** For listeners whose certificates nobody asks for. */
import type { CertificateDesk } from '../../../src/certificates/listing.js'

export const noCertificates: CertificateDesk = {
  list: async () => [],
  renew: () => [],
  wait: async () => undefined,
}
