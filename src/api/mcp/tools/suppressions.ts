/** Tools for addresses that may not be written to: list_suppressions, remove_suppression. */
import { z } from 'zod'
import { accountOf } from '../../../http/limits/authorize.js'
import { toTheSecond } from '../text/people.js'
import { CHANGES, cursor, defineTool, pageLimit, READS } from '../tool.js'

const MAX_DETAIL = 200

export const listSuppressions = defineTool({
  name: 'list_suppressions',
  title: 'List suppressions',
  description: 'Lists addresses that may not be written to after a bounce or complaint.',
  input: z.strictObject({ limit: pageLimit(50), cursor }),
  output: z.strictObject({
    suppressions: z.array(
      z.strictObject({
        reason: z.string(),
        at: z.string(),
        untrusted: z.strictObject({ address: z.string(), detail: z.string().optional() }),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  ...READS,
  async run({ suppressions }, page, { caller, fence }) {
    const { data, next_cursor: next } = await suppressions.list(accountOf(caller).id, page)
    const list = data.map(({ reason, created_at, address, detail }) => ({
      reason,
      at: toTheSecond(created_at),
      untrusted: {
        address: fence.inline(address, 254),
        ...(detail !== null && { detail: fence.inline(detail, MAX_DETAIL) }),
      },
    }))
    const structured = { suppressions: list, ...(next !== null && { next_cursor: next }) }
    if (list.length === 0) return { text: 'No address is suppressed.', structured, untrusted: false }
    const ours = list.map(({ reason, at }, i) => `${i + 1}. ${reason} at ${at}`)
    const theirs = list.map(
      ({ untrusted: { address, detail } }, i) => `${i + 1}. ${address}${detail === undefined ? '' : `: ${detail}`}`,
    )
    const more = next === null ? '' : `\nMore: call again with cursor ${next}`
    return { text: `${ours.join('\n')}\n${fence.wrap(theirs.join('\n'))}${more}`, structured, untrusted: true }
  },
})

export const removeSuppression = defineTool({
  name: 'remove_suppression',
  title: 'Remove suppression',
  description: 'Allows mail to an address again; only if you know that it works and wants your mail.',
  input: z.strictObject({ address: z.string().max(320) }),
  output: z.strictObject({ removed: z.boolean() }),
  annotations: { ...CHANGES.annotations, destructiveHint: true },
  scope: 'account:manage',
  async run({ suppressions }, { address }, { caller }) {
    await suppressions.remove(accountOf(caller).id, address)
    const text = 'Mail to this address is allowed again. Another bounce or complaint counts against the account.'
    return { text, structured: { removed: true }, untrusted: false }
  },
})
