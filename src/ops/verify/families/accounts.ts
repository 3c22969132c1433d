/**
 * Rows of accounts, and of keys and addresses, which are partitions of their own. That each mailbox has its account, its keys and its addresses is asked of
 * the mailbox (references.ts).
 */
import type { KeyRecord } from '../../../accounts/keys.js'
import { entryKey } from '../../../accounts/key-ring.js'
import { accountPartition, ownerKey } from '../../../accounts/record.js'
import type { AccountRecord, SignedIn } from '../../../accounts/types.js'
import { identityKey } from '../../../accounts/identities.js'
import { orderKey, suppressedKey, type Suppression } from '../../../accounts/suppressions.js'
import { DELETION_KIND, deletionTaskId, type DeletionRecord } from '../../../lifecycle/deletion/record.js'
import type { DeletionTask } from '../../../lifecycle/deletion/types.js'
import { EXPORT_KIND } from '../../../lifecycle/export/record.js'
import type { ExportTask } from '../../../lifecycle/export/types.js'
import { wantedKey, type OwnDomain } from '../../../lifecycle/domains/record.js'
import { mailboxKey, mailboxPartition, META_PARTITION } from '../../../mailbox/keys.js'
import type { MailboxRecord } from '../../../mailbox/mailbox-record.js'
import { decode, encode, key } from '../../../store/keys.js'
import type { Look, Row } from './look.js'
import type { Family, PartitionKind } from './family.js'

const mailboxOf = (id: string, look: Look): Promise<MailboxRecord | undefined> =>
  look.json<MailboxRecord>(mailboxPartition(id), mailboxKey)

/** Requires the row by age for a row by name: without it the latter would never expire. */
function listedBy(rowOf: (row: Row) => Uint8Array): Family['check'] {
  return (row, look) =>
    look.present(row.partition, rowOf(row), encode(1), `${row.parts.join(' ')} is not in the list by age`)
}

const account: PartitionKind = {
  name: 'account',
  match: /^account\/(.+)$/,
  families: {
    account: {
      value: 'json',
      is: 'truth',
      async check({ of, partition, value }, look) {
        const { owner } = decode<AccountRecord>(value)
        if (owner !== null)
          await look.present(META_PARTITION, ownerKey(owner), encode(of), `the owner of ${of} does not lead to it`)
        else if (
          (await look.json<string>(META_PARTITION, ownerKey(null))) !== of &&
          !(await look.get(META_PARTITION, key('account-ownerless', of)))
        )
          look.report('account-unlisted', partition, `${of} has no owner and is in no list`)
      },
    },
    mailbox: { value: 'json', is: 'derived' },
    key: { value: 'json', is: 'derived' },
    leaving: { value: 'json', is: 'truth' },
    deletion: {
      value: 'json',
      is: 'truth',
      check({ of, partition, value }, look) {
        const { startedAt } = decode<DeletionRecord>(value)
        const payload: DeletionTask = { account_id: of, started_at: startedAt, step: 'start' }
        const task = { kind: DELETION_KIND, id: deletionTaskId(of, startedAt, 'start'), payload }
        return look.task(partition, task, `the deletion of ${of} has no task`)
      },
    },
    trust: { value: 'json', is: 'passing' },
    outcomes: { value: 'json', is: 'passing' },
    similar: { value: 'json', is: 'passing' },
    'new-recipients': { value: 'json', is: 'passing' },
    known: { value: 'json', is: 'passing' },
    suppressed: {
      value: 'json',
      is: 'truth',
      async check(row, look) {
        look.count('suppressed')
        const { created_at } = decode<Suppression>(row.value)
        const at = Date.parse(created_at)
        await listedBy(({ parts }) => orderKey(at, String(parts[1])))?.(row, look)
      },
    },
    'suppressed-count': {
      value: 'json',
      is: 'derived',
      async check({ partition, key: row, value }, look) {
        const is = look.counted('suppressed')
        if (decode<number>(value) !== is)
          await look.same(
            partition,
            row,
            encode(is),
            `${decode<number>(value)} suppressed addresses are counted, there are ${is}`,
          )
      },
    },
    'suppressed-on': {
      value: 'mark',
      is: 'derived',
      async check(row, look) {
        const [, at, hash] = row.parts
        const found = await look.json<Suppression>(row.partition, suppressedKey(String(hash)))
        if (!found || Date.parse(found.created_at) !== Number(at))
          look.stray(row, 'no suppressed address has this time')
      },
    },
    identity: {
      value: 'json',
      is: 'truth',
      async check({ of, value }, look) {
        const signedIn = decode<SignedIn>(value)
        const wanted = encode({ accountId: of, owner: null })
        await look.present(
          META_PARTITION,
          identityKey(signedIn),
          wanted,
          `an identity at ${signedIn.provider} does not lead to ${of}`,
        )
      },
    },
    session: { value: 'json', is: 'passing' },
    device: { value: 'json', is: 'passing' },
    connection: { value: 'json', is: 'passing' },
    'own-domain': {
      value: 'json',
      is: 'truth',
      async check({ of, value }, look) {
        const { domain } = decode<OwnDomain>(value)
        await look.present(META_PARTITION, wantedKey(domain, of), encode(1), `${domain} is not listed as one of ${of}`)
      },
    },
    export: {
      value: 'json',
      is: 'passing',
      check({ of, partition, parts }, look) {
        const id = String(parts[1])
        const payload: ExportTask = { account_id: of, export_id: id }
        return look.task(partition, { kind: EXPORT_KIND, id, payload }, `${id} has no task`)
      },
    },
  },
  async end(partition, _of, look) {
    const is = look.counted('suppressed')
    // Only what has no count is left.
    if (is > 0)
      await look.present(partition, key('suppressed-count'), encode(is), `${is} suppressed addresses and no count`)
  },
}

const keys: PartitionKind = {
  name: 'key',
  match: /^key\/(.+)$/,
  families: {
    key: {
      value: 'json',
      is: 'truth',
      async check(row, look) {
        const { mailboxId, keyId } = decode<KeyRecord>(row.value)
        const mailbox = await mailboxOf(mailboxId, look)
        // Its key is listed when a claim is approved.
        if (!mailbox || mailbox.accountId === null) return
        const entry = entryKey(mailboxId, keyId)
        await look.present(
          accountPartition(mailbox.accountId),
          entry,
          encode(row.of),
          `${keyId} of ${mailboxId} is in no list`,
        )
      },
    },
    used: { value: 'json', is: 'passing' },
  },
}

const addresses: PartitionKind = {
  name: 'address',
  match: /^address\/(.+)$/,
  families: { owner: { value: 'json', is: 'derived' } },
}

export const accountKinds: readonly PartitionKind[] = [account, keys, addresses]
