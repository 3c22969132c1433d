/** Rows of claims and their links, of expiring records, of challenges, and of counts of letters that strangers ask for. */
import { claimPartition, pendingKey, type ClaimRecord } from '../../../lifecycle/claims/record.js'
import type { ClaimTask } from '../../../lifecycle/claims/types.js'
import { META_PARTITION } from '../../../mailbox/keys.js'
import { decode, encode, key } from '../../../store/keys.js'
import { endsKey, EXPIRING_PARTITION } from '../../../store/expiring.js'
import { derived, passing, truth, type Family, type PartitionKind } from './family.js'

const claim: PartitionKind = {
  name: 'claim',
  match: /^claim\/(.+)$/,
  families: {
    claim: truth('json', async ({ of, partition, value }, tools) => {
      const { state } = decode<ClaimRecord>(value)
      if (state === 'pending')
        await tools.present(META_PARTITION, pendingKey(of), encode(1), `${of} waits for approval and is not listed`)
      // A claimed one has its task only until the end of its day.
      const payload: ClaimTask = { claim_id: of }
      if (state !== 'claimed')
        await tools.task(partition, { kind: 'claim', id: of, payload }, `${of} is ${state} and has no task`)
    }),
    invite: passing('json'),
  },
}

/** `token/<hash>` is the link of a claim, `token/<kind>/<name>` an expiring record. */
const claimLinks: PartitionKind = {
  name: 'link of a claim',
  match: /^token\/([^/]+)$/,
  families: {
    claim: truth('json', async (row, tools) => {
      const { claimId } = decode<{ claimId: string }>(row.value)
      if (!(await tools.get(claimPartition(claimId), key('claim'))))
        tools.stray(row, `a link to ${claimId}, which is not there`)
    }),
  },
}

const tokens: PartitionKind = {
  name: 'what ends by itself',
  match: /^token\/([^/]+\/.+)$/,
  families: {
    record: passing('json', async ({ of, value }, tools) => {
      const { endsAt } = decode<{ endsAt: number }>(value)
      const [kind = '', ...name] = of.split('/')
      const row = endsKey(endsAt, kind, name.join('/'))
      await tools.present(EXPIRING_PARTITION, row, encode(1), `${of} would never expire`)
    }),
  },
}

const expiring: PartitionKind = {
  name: 'list of what ends by itself',
  match: /^(expiring)$/,
  // An entry whose record has gone, or ends later, is harmless.
  families: { ends: derived('mark') },
}

const challenges: PartitionKind = {
  name: 'spent challenges',
  match: /^(challenges)$/,
  families: { spent: passing('mark') },
}

/** A row without its row by time would count forever. */
const counted: Family = passing('mark', async (row, tools) => {
  const [, , at = 0n, id = ''] = row.parts
  if (!(await tools.get(row.partition, key('on', at, id)))) tools.stray(row, `${String(id)} is not in the list by time`)
})

/** A row by time of what store/recent.ts counts. @param rows names of its other rows, by the field with their hash */
const countedOn = (rows: Record<string, string>): Family =>
  passing('json', async ({ partition, parts, value }, tools) => {
    const [, at = 0n, id = ''] = parts
    const of = decode<Record<string, string>>(value)
    for (const [field, row] of Object.entries(rows))
      await tools.present(
        partition,
        key(row, of[field] ?? '', at, id),
        encode(1),
        `${String(id)} is not counted for its ${row}`,
      )
  })

const invites: PartitionKind = {
  name: 'counts of invites',
  match: /^(invites)$/,
  families: { on: countedOn({ net: 'network', human: 'human' }), network: counted, human: counted },
}

const mailSignIns: PartitionKind = {
  name: 'counts of sign-in links',
  match: /^(mail-sign-ins)$/,
  families: { on: countedOn({ address: 'address', network: 'network' }), address: counted, network: counted },
}

/** Open challenges of a certificate authority (certificates/challenges.ts). */
const acmeChallenges: PartitionKind = {
  name: 'challenges of certificates',
  match: /^(acme-challenges)$/,
  families: { challenge: passing('json') },
}

export const claimKinds: readonly PartitionKind[] = [
  claim,
  claimLinks,
  tokens,
  expiring,
  challenges,
  acmeChallenges,
  invites,
  mailSignIns,
]
