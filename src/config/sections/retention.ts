/** retention.toml: how long things are kept that are not mail. */
import { z } from 'zod'
import { setting, wholeNumber } from '../setting/setting.js'

export const retention = z.strictObject({
  events_days: setting(wholeNumber(1, 3650), 30, {
    about: 'How long events can be read with GET /v1/events.',
    unit: 'days',
  }),
  receipts_days: setting(wholeNumber(1, 3650), 30, {
    about: 'How long the receipts of delivery attempts can be read with `restante receipts`; then whole days (UTC) go.',
    unit: 'days',
  }),
  reports_days: setting(wholeNumber(7, 3650), 90, {
    about:
      'How long `restante reports` tells of the DMARC and TLS reports that other servers sent about our domains; then whole days (UTC) go.',
    unit: 'days',
  }),
  audit_days: setting(wholeNumber(1, 3650), 400, {
    about:
      'How long `restante audit` tells who did what: keys, mailboxes, accounts, claims, exports, settings and more; then whole days (UTC) go.',
    unit: 'days',
  }),
  review_log_days: setting(wholeNumber(1, 3650), 90, {
    about: 'How long `restante review log` tells who decided what about a held message.',
    unit: 'days',
  }),
  webhook_deliveries_days: setting(wholeNumber(1, 365), 7, {
    about:
      'How long deliveries to webhooks can be read; of each webhook the newest 1,000 are kept. One that waits for its next attempt stays.',
    unit: 'days',
  }),
  trash_days: setting(wholeNumber(0, 90), 7, {
    about:
      'How long files of deleted messages stay on the disk, for repairs; a nightly sweep takes them away after that.',
    unit: 'days',
  }),
  idempotency_hours: setting(wholeNumber(1, 720), 24, {
    about: 'How long an Idempotency-Key protects from sending twice.',
    unit: 'hours',
  }),
})
