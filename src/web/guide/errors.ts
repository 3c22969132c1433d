/** Guide page: errors, limits and retries. */
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js'
import { ERROR_MEANINGS } from '../../http/answers/error-meanings.js'
import { heading, json, list, shell, type GuidePage, type Place } from './blocks.js'

export function errorsPage({ baseUrl }: Place): GuidePage {
  const codes = Object.entries(ERROR_STATUS) as [ErrorCode, number][]
  return {
    name: 'errors',
    title: 'Errors and limits',
    about: 'Every error code with its meaning and the next step; limits; retries.',
    blocks: [
      json({ error: { code: 'claim_pending', message: '…', hint: '…' } }),
      '`code` is stable, for programs; `message` describes the problem, `hint` the next step. `invalid_request` lists each invalid field in `fields`; `internal` has a `request_id`, which every response has as `X-Request-Id`.',
      {
        kind: 'table',
        head: ['status', 'code', 'meaning', 'what to do'],
        rows: codes.map(([code, status]) => {
          const { meaning, next } = ERROR_MEANINGS[code]
          return [String(status), `\`${code}\``, meaning, next]
        }),
        anchors: codes.map(([code]) => code),
      },
      heading('Limits'),
      shell(`curl ${baseUrl}/v1/account/usage -H "Authorization: Bearer $KEY"`),
      list(
        'Requests: `X-RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) in every response; a 429 has `Retry-After`.',
        'New recipients a day: 25, doubled with each trust level. The response above shows how many are left, when the count resets, and the requirements of the next level.',
        'Storage, sizes and the longest wait are in the same response.',
      ),
      heading('Retries'),
      'After a lost connection, a 429 or a 5xx, wait and repeat the same request. With an `Idempotency-Key` (a fresh UUID for each new request) a repeated request within 24 hours returns the first response and does nothing twice.',
    ],
  }
}
