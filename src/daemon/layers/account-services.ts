/** Accounts, their sessions and connections, claims of addresses, and the operator's mailbox. */
import { createAccounts } from '../../accounts/accounts.js'
import { createMailSignIn } from '../../accounts/sign-in/mail-sign-in.js'
import { createSessions } from '../../accounts/sessions.js'
import { createPictureSenders } from '../../accounts/picture-senders.js'
import { createSuppressions } from '../../accounts/suppressions.js'
import { baseUrl, mayRelayOut, offersMailSignIn, primaryDomain } from '../../config/derived.js'
import type { Config } from '../../config/schema.js'
import type { Guard } from '../../guard/types.js'
import { createClaims } from '../../lifecycle/claims/claims.js'
import { createAccountMailboxes } from '../../lifecycle/claims/account-mailboxes.js'
import { ensureOperatorMailboxes, serviceAddressAt } from '../../lifecycle/claims/operator-mailbox.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { readMailbox } from '../../mailbox/record.js'
import { createAccessTokens } from '../../oauth/token-callers.js'
import { createLetters } from '../../relay/notices/letters.js'
import type { Ground } from './ground.js'
import { buildOAuth } from './oauth.js'

export type AccountServices = Awaited<ReturnType<typeof buildAccountServices>>

export function apiLimits({ limits }: Config) {
  return {
    requestsPerMinute: limits.requests_per_minute,
    accountRequestsPerMinute: limits.account_requests_per_minute,
    requestsAtOncePerKey: limits.requests_at_once_per_key,
    bodyBytes: limits.body_bytes,
    recipientsPerMessage: limits.recipients_per_message,
    attachmentsPerMessage: limits.attachments_per_message,
    longPollSeconds: limits.long_poll_seconds,
    longPollsPerKey: limits.long_polls_per_key,
    eventStreamSeconds: limits.event_stream_minutes * 60,
  }
}

export async function buildAccountServices(ground: Ground, guard: Guard) {
  const { config, store, blobs, queue, clock, part, secrets } = ground
  const { domains, smtp, limits, identity, names } = config
  const accounts = createAccounts({
    store,
    clock,
    limits: {
      ...apiLimits(config),
      newRecipientsPerDay: limits.new_recipients_per_day,
      storageBytes: limits.storage_bytes,
      messageBytes: smtp.max_message_bytes,
    },
    mailbox: (id, view) => readMailbox(view ?? store, id),
    mailboxPartition,
    accessTokens: createAccessTokens({ store, clock }),
    operator: identity.operator,
    staff: identity.staff,
    queue,
    trustLines: {
      lowerBouncePercent: limits.lower_bounce_percent,
      lowerMinRecipients: limits.lower_min_recipients,
      suspendBouncePercent: limits.suspend_bounce_percent,
      suspendComplaintPercent: limits.suspend_complaint_percent,
      suspendMinRecipients: limits.suspend_min_recipients,
    },
    onLevel: (accountId, change) => part('accounts').info({ account_id: accountId, ...change }, 'trust level changed'),
  })
  const letters = createLetters({
    clock,
    store,
    queue,
    isLocalDomain: ground.domains.isLocal,
    serviceAddress: serviceAddressAt(primaryDomain(config)),
    isOpen: mayRelayOut(config),
    log: part('letters'),
  })
  const claims = createClaims({
    audit: ground.audit,
    store,
    blobs,
    queue,
    clock,
    accounts,
    letters,
    guard,
    secret: secrets.challengeKey,
    domains: { names: domains.names, reserved: names.reserved, isLocal: ground.domains.isLocal },
    baseUrl: baseUrl(config),
    shared: ground.shared,
    limits: { difficulty: limits.claim_difficulty, invitesPerHour: limits.invites_per_hour },
  })
  const mailSignIn = createMailSignIn({
    store,
    queue,
    clock,
    accounts,
    letters,
    isOffered: offersMailSignIn(config),
    isLocalDomain: ground.domains.isLocal,
    baseUrl: baseUrl(config),
  })
  const accountMailboxes = createAccountMailboxes({
    store,
    clock,
    accounts,
    domains: domains.names,
    reserved: names.reserved,
    limits: { mailboxesPerAccount: limits.mailboxes_per_account, aliasesPerMailbox: limits.aliases_per_mailbox },
  })
  const operator = await ensureOperatorMailboxes({ store, accounts, domains: domains.names, clock })
  if (operator.taken.length > 0)
    part('accounts').warn(
      { addresses: operator.taken },
      'these addresses should be the operator’s and belong to somebody else',
    )
  return {
    accounts,
    sessions: createSessions({ store, clock }),
    oauth: buildOAuth(ground, accounts),
    suppressions: createSuppressions({ store, clock }),
    pictureSenders: createPictureSenders({ store, clock }),
    letters,
    mailSignIn,
    claims,
    accountMailboxes,
    /** The mailbox of `postmaster@` and `abuse@`. */
    operator,
  }
}
