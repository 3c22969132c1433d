/** Sending by mail programs, where the settings have a port for it. */
import { createProgramSignIn } from '../../accounts/sign-in/programs.js'
import type { Certificates } from '../../certificates/types.js'
import { serverMetadataUrl } from '../../api/oauth/metadata.js'
import { baseUrl, parseLimits } from '../../config/derived.js'
import { MS_A_REQUEST, type RateLimits } from '../../http/limits/limits.js'
import type { Holds } from '../../http/limits/long-polls.js'
import { SECOND } from '../../lib/clock.js'
import { requireHostPort } from '../../lib/host-port.js'
import { deliveryOwner } from '../../mailbox/addresses.js'
import type { Disk } from '../../observe/disk.js'
import { takingTokens } from '../../smtp/oauth-bearer.js'
import { createSubmissionServer } from '../../submission/server.js'
import type { Stops } from '../layers/stops.js'
import { certificateOf } from '../parts/certificates.js'
import type { Layers } from './parts.js'

interface SubmissionParts {
  disk: Disk
  certificates: Certificates
  holds: Pick<Holds, 'watch'>
  rates: RateLimits
}

/** Networks have a multiple of what one client may have. */
const CLIENTS_OF_A_NETWORK = 4

export async function startSubmission(
  { ground, people, mail }: Layers,
  { disk, certificates, holds, rates }: SubmissionParts,
  { active }: Stops,
): Promise<void> {
  const { config, store, clock, part, metrics } = ground
  const { server, domains, smtp, submission, limits } = config
  const listen = submission.listen.map(requireHostPort)
  const listenTls = submission.listen_tls.map(requireHostPort)
  if (!server.roles.includes('api') || listen.length + listenTls.length === 0) return
  const submitting = createSubmissionServer({
    listen,
    listenTls,
    hostname: domains.hostname,
    limits: {
      maxMessageBytes: smtp.max_message_bytes,
      maxHeaderBytes: parseLimits(config).maxHeaderBytes,
      maxRecipients: limits.recipients_per_message,
      maxConnections: submission.max_connections,
      maxConnectionsPerAddress: submission.max_connections_per_address,
      maxConnectionsPerNetwork: CLIENTS_OF_A_NETWORK * submission.max_connections_per_address,
      maxConnectionsPerAccount: submission.max_connections_per_account,
    },
    sessionLimits: {
      badRecipients: 0,
      commandErrors: smtp.max_command_errors,
      transactions: smtp.max_transactions,
    },
    signIn: createProgramSignIn({
      accounts: people.accounts,
      mailboxAt: (address) => deliveryOwner(store, address),
      audience: people.oauth.resources.ofPrograms,
      countWrong: (peer) => rates.countClient(peer),
    }),
    tokens: takingTokens({ scope: 'smtp', configuration: serverMetadataUrl(baseUrl(config)) }),
    watch: holds.watch,
    rates: {
      countCaller: (caller) => rates.countCaller(caller),
      chargeTime: (caller, ms) => rates.charge(caller, Math.floor(ms / MS_A_REQUEST)),
    },
    mailboxes: mail.mailboxes,
    disk,
    tls: certificateOf(certificates, domains.hostname),
    clock,
    log: part('submission'),
    metrics,
  })
  await submitting.listen()
  active.push(() => submitting.close(server.shutdown_seconds * SECOND))
  certificates.onChange(() => submitting.setCertificate(certificateOf(certificates, domains.hostname)))
}
