/**
 * Rows of accounts, and of keys and addresses, which have separate partitions. references.ts checks that each mailbox has its account, keys and
 * addresses.
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
import { plain, unpack } from '../../../store/packed.js'
import type { RowTools, Row } from './row-tools.js'
import { derived, passing, truth, type Family, type PartitionKind } from './family.js'

const mailboxOf = (id: string, tools: RowTools): Promise<MailboxRecord | undefined> =>
  tools.json<MailboxRecord>(mailboxPartition(id), mailboxKey)

/** Requires the row by age for a row by name: without it the latter would never expire. */
function listedBy(rowOf: (row: Row) => Uint8Array): Family['check'] {
  return (row, tools) =>
    tools.present(row.partition, rowOf(row), encode(1), `${row.parts.join(' ')} is not in the list by age`)
}

const account: PartitionKind = {
  name: 'account',
  match: /^account\/(.+)$/,
  families: {
    account: truth('json', async ({ of, partition, value }, tools) => {
      const { owner } = decode<AccountRecord>(value)
      if (owner !== null)
        await tools.present(META_PARTITION, ownerKey(owner), encode(of), `the owner of ${of} does not lead to it`)
      else if (
        (await tools.json<string>(META_PARTITION, ownerKey(null))) !== of &&
        !(await tools.get(META_PARTITION, key('account-ownerless', of)))
      )
        tools.report('account-unlisted', partition, `${of} has no owner and is in no list`)
    }),
    mailbox: derived('json'),
    key: derived('json'),
    leaving: truth('json'),
    deletion: truth('json', ({ of, partition, value }, tools) => {
      const { startedAt } = decode<DeletionRecord>(value)
      const payload: DeletionTask = { account_id: of, started_at: startedAt, step: 'start' }
      const task = { kind: DELETION_KIND, id: deletionTaskId(of, startedAt, 'start'), payload }
      return tools.task(partition, task, `the deletion of ${of} has no task`)
    }),
    trust: passing('json'),
    'approval-letter': passing('json'),
    outcomes: passing('json'),
    similar: passing('json'),
    story: passing((value) => unpack(plain<unknown[]>(), value)),
    'new-recipients': passing('json'),
    known: passing('json'),
    suppressed: truth('json', async (row, tools) => {
      tools.count('suppressed')
      const { created_at } = decode<Suppression>(row.value)
      const at = Date.parse(created_at)
      await listedBy(({ parts }) => orderKey(at, String(parts[1])))?.(row, tools)
    }),
    'suppressed-count': derived('json', async ({ partition, key: row, value }, tools) => {
      const is = tools.counted('suppressed')
      if (decode<number>(value) !== is)
        await tools.same(
          partition,
          row,
          encode(is),
          `${decode<number>(value)} suppressed addresses are counted, there are ${is}`,
        )
    }),
    'suppressed-on': derived('mark', async (row, tools) => {
      const [, at, hash] = row.parts
      const found = await tools.json<Suppression>(row.partition, suppressedKey(String(hash)))
      if (!found || Date.parse(found.created_at) !== Number(at)) tools.stray(row, 'no suppressed address has this time')
    }),
    identity: truth('json', async ({ of, value }, tools) => {
      const signedIn = decode<SignedIn>(value)
      const wanted = encode({ accountId: of, owner: null })
      await tools.present(
        META_PARTITION,
        identityKey(signedIn),
        wanted,
        `an identity at ${signedIn.provider} does not lead to ${of}`,
      )
    }),
    passkey: truth('json'),
    'picture-senders': truth('json'),
    session: passing('json'),
    device: passing('json'),
    connection: passing('json'),
    'own-domain': truth('json', async ({ of, value }, tools) => {
      const { domain } = decode<OwnDomain>(value)
      await tools.present(META_PARTITION, wantedKey(domain, of), encode(1), `${domain} is not listed as one of ${of}`)
    }),
    export: passing('json', ({ of, partition, parts }, tools) => {
      const id = String(parts[1])
      const payload: ExportTask = { account_id: of, export_id: id }
      return tools.task(partition, { kind: EXPORT_KIND, id, payload }, `${id} has no task`)
    }),
  },
  async end(partition, _of, tools) {
    const is = tools.counted('suppressed')
    // A missing count row was not checked above.
    if (is > 0)
      await tools.present(partition, key('suppressed-count'), encode(is), `${is} suppressed addresses and no count`)
  },
}

const keys: PartitionKind = {
  name: 'key',
  match: /^key\/(.+)$/,
  families: {
    key: truth('json', async (row, tools) => {
      const { mailboxId, keyId } = decode<KeyRecord>(row.value)
      const mailbox = await mailboxOf(mailboxId, tools)
      // Its key is listed when a claim is approved.
      if (!mailbox || mailbox.accountId === null) return
      const entry = entryKey(mailboxId, keyId)
      await tools.present(
        accountPartition(mailbox.accountId),
        entry,
        encode(row.of),
        `${keyId} of ${mailboxId} is in no list`,
      )
    }),
    used: passing('json'),
  },
}

const addresses: PartitionKind = {
  name: 'address',
  match: /^address\/(.+)$/,
  families: { owner: derived('json') },
}

export const accountKinds: readonly PartitionKind[] = [account, keys, addresses]
