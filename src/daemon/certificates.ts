/** Certificates: what is shown for which name, and what authorities ask who make them out. */
import { createHttpChallenges } from '../certificates/challenges.js'
import { openCertificates } from '../certificates/held.js'
import type { Certificates, HttpChallenges } from '../certificates/types.js'
import type { Ground } from './ground.js'

export interface CertificateParts {
  certificates: Certificates
  challenges: HttpChallenges
}

export async function buildCertificates({ config }: Ground): Promise<CertificateParts> {
  return { certificates: await openCertificates(config), challenges: createHttpChallenges() }
}
