/** OAuth connections, built with the accounts, since tokens are looked up like keys. */
import type { Accounts } from '../../accounts/types.js'
import { readMailbox } from '../../mailbox/record.js'
import { createFetchDocument } from '../../oauth/fetch-document.js'
import type { GrantResult } from '../../oauth/grants.js'
import { createOAuth, type OAuth } from '../../oauth/oauth.js'
import { baseUrl, ownPorts, programPorts } from '../../config/derived.js'
import { installedVersion } from '../../config/version.js'
import type { Ground } from './ground.js'

export function buildOAuth(ground: Ground, accounts: Pick<Accounts, 'cutOffKey'>): OAuth {
  const { config, store, clock, resolver, metrics, part } = ground
  const { server, oauth: settings } = config
  const log = part('oauth')
  const outcomes = metrics.counter('oauth_grants_total', 'Requests of clients for tokens, by grant and outcome.', [
    'grant',
    'outcome',
  ])
  return createOAuth({
    store,
    clock,
    baseUrl: baseUrl(config),
    mailHost: (programPorts(config, 'imap') ?? programPorts(config, 'submission'))?.host,
    mailbox: (id) => readMailbox(store, id),
    limits: { perMailbox: settings.connections_per_mailbox, perAccount: settings.connections_per_account },
    registrationsPerHour: settings.registration ? settings.registrations_per_hour : 0,
    shared: ground.shared,
    audit: ground.audit,
    onEnd: (connectionId) => accounts.cutOffKey(connectionId),
    documents: {
      fetch: createFetchDocument({
        resolver,
        rules: { allowPrivateAddresses: settings.allow_private_addresses, ownPorts: ownPorts(config) },
        userAgent: `Restante/${installedVersion()} (client metadata; ${new URL(server.base_url).host})`,
      }),
      allowPrivateAddresses: settings.allow_private_addresses,
    },
    onGrant(result) {
      outcomes.inc({ grant: result.grant, outcome: result.outcome })
      log[levelOf(result)](
        {
          grant: result.grant,
          outcome: result.outcome,
          connection_id: result.connectionId,
          account_id: result.accountId,
        },
        'a client asked for tokens',
      )
    },
  })
}

/** A replayed secret may be stolen. */
function levelOf({ outcome }: GrantResult): 'info' | 'warn' | 'debug' {
  if (outcome === 'replayed') return 'warn'
  return outcome === 'refused' ? 'debug' : 'info'
}
