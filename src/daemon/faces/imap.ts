/** Reading by mail programs, where the settings have a port for it. */
import { createProgramSignIn } from '../../accounts/sign-in/programs.js'
import type { Certificates } from '../../certificates/types.js'
import { serverMetadataUrl } from '../../api/oauth/metadata.js'
import { baseUrl, parseLimits } from '../../config/derived.js'
import { MS_A_REQUEST, type RateLimits } from '../../http/limits/limits.js'
import type { Holds } from '../../http/limits/long-polls.js'
import { SECOND } from '../../lib/clock.js'
import { requireHostPort } from '../../lib/host-port.js'
import { deliveryOwner } from '../../mailbox/addresses.js'
import { createImapServer } from '../../imap/server/server.js'
import { roomLeft } from '../../mailbox/quota.js'
import { createRawStore } from '../../mailbox/raw.js'
import { createMessageReads } from '../../mailbox/search/message-reads.js'
import { takingTokens } from '../../smtp/oauth-bearer.js'
import type { Stops } from '../layers/stops.js'
import { certificateOf } from '../parts/certificates.js'
import type { Layers } from './parts.js'

interface ImapParts {
  certificates: Certificates
  holds: Pick<Holds, 'watch'>
  rates: Pick<RateLimits, 'countClient' | 'countCaller' | 'charge'>
}

/** Networks have a multiple of what one client may have. */
const CLIENTS_OF_A_NETWORK = 4

export async function startImap(
  { ground, people, mail }: Layers,
  { certificates, holds, rates }: ImapParts,
  { active }: Stops,
): Promise<void> {
  const { config, store, blobs, clock, part, metrics } = ground
  const { server, domains, smtp, imap, limits } = config
  const listen = imap.listen.map(requireHostPort)
  const listenTls = imap.listen_tls.map(requireHostPort)
  if (!server.roles.includes('api') || listen.length + listenTls.length === 0) return
  const { mailboxes } = mail
  const room = { storageBytes: limits.storage_bytes, pendingStorageBytes: limits.pending_storage_bytes }
  const raws = createRawStore({ store, blobs })
  const reading = createImapServer({
    readsWith: (fields) => createMessageReads({ store, raws, indexer: mail.indexer, clock, fields }),
    listen,
    listenTls,
    signIn: createProgramSignIn({
      accounts: people.accounts,
      mailboxAt: (address) => deliveryOwner(store, address),
      audience: people.oauth.resources.ofPrograms,
      countWrong: (peer) => rates.countClient(peer),
    }),
    tokens: takingTokens({ scope: 'imap', configuration: serverMetadataUrl(baseUrl(config)) }),
    watch: holds.watch,
    rates: {
      check: (caller) => void rates.countCaller(caller, 0),
      chargeTime: (caller, ms) => rates.charge(caller, Math.floor(ms / MS_A_REQUEST)),
    },
    folders: mailboxes.folders,
    importing: mailboxes.importing,
    mailbox: mailboxes.directory.get,
    quota: (mailbox) => ({ used: mailbox.usedBytes, limit: mailbox.usedBytes + Math.max(0, roomLeft(mailbox, room)) }),
    limits: {
      maxMessageBytes: smtp.max_message_bytes,
      parse: parseLimits(config),
      maxConnections: imap.max_connections,
      maxConnectionsPerAddress: imap.max_connections_per_address,
      maxConnectionsPerNetwork: CLIENTS_OF_A_NETWORK * imap.max_connections_per_address,
      maxConnectionsPerAccount: imap.max_connections_per_account,
      maxAppendBytes: imap.max_append_bytes,
      maxErrors: smtp.max_command_errors,
    },
    tls: certificateOf(certificates, domains.hostname),
    clock,
    log: part('imap'),
    metrics,
  })
  await reading.listen()
  active.push(() => reading.close(server.shutdown_seconds * SECOND))
  certificates.onChange(() => reading.setCertificate(certificateOf(certificates, domains.hostname)))
}
