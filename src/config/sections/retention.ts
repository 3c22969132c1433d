/** retention.toml: retention of data other than mail. */
import { z } from 'zod'
import { setting, wholeNumber } from '../setting/setting.js'

export const retention = z.strictObject({
  events_days: setting(wholeNumber(1, 3650, 'days'), 30, {
    about: 'How long events can be read with GET /v1/events.',
  }),
  receipts_days: setting(wholeNumber(1, 3650, 'days'), 30, {
    about: 'How long receipts of delivery attempts are kept for `restante receipts`; removed by whole days (UTC).',
  }),
  reports_days: setting(wholeNumber(7, 3650, 'days'), 90, {
    about:
      'How long DMARC aggregate and TLS reports about our domains are kept for `restante reports`; removed by whole days (UTC).',
  }),
  audit_days: setting(wholeNumber(1, 3650, 'days'), 400, {
    about:
      'How long the audit log is kept for `restante audit`: changes of keys, mailboxes, accounts, claims, exports, settings and more; removed by whole days (UTC).',
  }),
  review_log_days: setting(wholeNumber(1, 3650, 'days'), 90, {
    about: 'How long decisions on held messages are kept for `restante review log`.',
  }),
  webhook_deliveries_days: setting(wholeNumber(1, 365, 'days'), 7, {
    about:
      'How long webhook deliveries can be read; only the newest 1,000 of each webhook are kept. A delivery that waits for its next attempt is not removed.',
  }),
  trash_days: setting(wholeNumber(0, 90, 'days'), 7, {
    about: 'How long files of deleted messages stay on the disk, for repairs; then a nightly sweep removes them.',
  }),
  idempotency_hours: setting(wholeNumber(1, 720, 'hours'), 24, {
    about: 'How long an Idempotency-Key is remembered.',
  }),
})
