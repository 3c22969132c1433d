/** Rows of `meta`: the lists of mailboxes and accounts, and whose an owner, an identity or a domain is. */
import { accountPartition } from '../../../accounts/record.js'
import { ownDomainKey } from '../../../lifecycle/domains/record.js'
import { decode } from '../../../store/keys.js'
import type { Family, PartitionKind } from './family.js'

/** An id of an account. */
const ofAccount: Family = { value: 'json', is: 'truth' }

const meta: PartitionKind = {
  name: 'meta',
  match: /^(meta)$/,
  families: {
    mailbox: { value: 'mark', is: 'derived' },
    webhooks: { value: 'mark', is: 'derived' },
    'account-owner': ofAccount,
    'account-ownerless': ofAccount,
    'operator-account': ofAccount,
    identity: ofAccount,
    // An entry alone means nothing: readers ask the claim.
    'pending-claim': { value: 'mark', is: 'derived' },
    'own-domain-holder': {
      value: 'json',
      is: 'truth',
      async check(row, look) {
        const [domain, account] = [String(row.parts[1]), decode<string>(row.value)]
        if (!(await look.get(accountPartition(account), ownDomainKey(domain))))
          look.stray(row, `${domain} is held by ${account}, which does not have it`)
      },
    },
    'own-domain-wanted': {
      value: 'mark',
      is: 'derived',
      async check(row, look) {
        const [domain, account] = [String(row.parts[1]), String(row.parts[2])]
        if (!(await look.get(accountPartition(account), ownDomainKey(domain))))
          look.stray(row, `${domain} is listed for ${account}, which does not have it`)
      },
    },
    hold: { value: 'json', is: 'truth' },
    schema: { value: 'json', is: 'truth' },
    migration: { value: 'json', is: 'truth' },
    restored: { value: 'json', is: 'truth' },
  },
}

export const metaKinds: readonly PartitionKind[] = [meta]
