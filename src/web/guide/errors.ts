/** Errors, limits and retries. */
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js'
import { ERROR_MEANINGS } from '../../http/answers/error-meanings.js'
import { heading, json, list, paragraph, shell, table, type GuidePage, type Place } from './blocks.js'

export function errorsPage({ baseUrl }: Place): GuidePage {
  const codes = Object.entries(ERROR_STATUS) as [ErrorCode, number][]
  return {
    name: 'errors',
    title: 'Errors and limits',
    about: 'Each error says what to do next; this is the list of them.',
    blocks: [
      json({ error: { code: 'claim_pending', message: '…', hint: '…' } }),
      paragraph(
        '`code` is stable and for programs, `message` says what happened, `hint` what to do next. `invalid_request` lists each wrong field in `fields`; `internal` has a `request_id`, which every answer has in `X-Request-Id`.',
      ),
      table(
        ['status', 'code', 'meaning', 'what to do'],
        ...codes.map(([code, status]) => {
          const { meaning, next } = ERROR_MEANINGS[code]
          return [String(status), `\`${code}\``, meaning, next]
        }),
      ),
      heading('Limits'),
      shell(`curl ${baseUrl}/v1/account/usage -H "Authorization: Bearer $KEY"`),
      list(
        'Requests: `X-RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) on every answer; a 429 has `Retry-After`.',
        'New people a day: 25, doubled with each level of trust. The answer above says what is left, when it starts again, and what earns the next level.',
        'Storage, sizes and the longest wait are in the same answer.',
      ),
      heading('Retries'),
      paragraph(
        'After a lost connection, a 429 or a 5xx, wait and send the same request again. With an `Idempotency-Key` (a fresh UUID for each new request) a repeated one gets the first answer again for 24 hours and does nothing twice.',
      ),
    ],
  }
}
