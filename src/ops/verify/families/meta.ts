/** Rows of `meta`: lists of mailboxes and accounts, and the accounts of owners, identities and domains. */
import { accountPartition } from '../../../accounts/record.js'
import { ownDomainKey, type OwnDomain } from '../../../lifecycle/domains/record.js'
import type { Held } from '../../../lifecycle/domains/verified.js'
import { decode, encode } from '../../../store/keys.js'
import { derived, truth, type Family, type PartitionKind } from './family.js'

/** An id of an account. */
const ofAccount: Family = truth('json')

const meta: PartitionKind = {
  name: 'meta',
  match: /^(meta)$/,
  families: {
    mailbox: derived('mark'),
    webhooks: derived('mark'),
    'account-owner': ofAccount,
    'account-ownerless': ofAccount,
    'operator-account': ofAccount,
    identity: ofAccount,
    // An entry without its claim is harmless: readers check the claim.
    'pending-claim': derived('mark'),
    'own-domain-holder': truth('json', async (row, tools) => {
      const [domain, account] = [String(row.parts[1]), decode<string>(row.value)]
      if (!(await tools.get(accountPartition(account), ownDomainKey(domain))))
        tools.stray(row, `${domain} is held by ${account}, which does not have it`)
    }),
    'own-domain-wanted': derived('mark', async (row, tools) => {
      const [domain, account] = [String(row.parts[1]), String(row.parts[2])]
      if (!(await tools.get(accountPartition(account), ownDomainKey(domain))))
        tools.stray(row, `${domain} is listed for ${account}, which does not have it`)
    }),
    hold: truth('json'),
    schema: truth('json'),
    migration: truth('json'),
    restored: truth('json'),
  },
}

/** What processes keep of the domains of accounts. A missing row is added at a start. */
const ownDomains: PartitionKind = {
  name: 'domains of accounts',
  match: /^(own-domains)$/,
  families: {
    domain: derived('json', async ({ partition, key: row, parts, value }, tools) => {
      const domain = String(parts[1])
      const { accountId } = decode<Held>(value)
      const own = await tools.json<OwnDomain>(accountPartition(accountId), ownDomainKey(domain))
      const state = encode({ accountId, isVerified: own?.status === 'verified' } satisfies Held)
      await tools.same(partition, row, state, `${domain} has another state than in ${accountId}`)
    }),
  },
}

export const metaKinds: readonly PartitionKind[] = [meta, ownDomains]
