/** A daily report as a message: a TLS report (RFC 8460 §5.3) or a DMARC aggregate report (RFC 7489 §7.2.1.1, RFC 9990 §3.5.2). */
import { randomBytes } from 'node:crypto'
import { mailDate } from '../date.js'

export interface ReportMail {
  /** The reporting domain. */
  submitter: string
  from: string
  to: string
  subject: string
  fields: readonly string[]
  /** A multipart type. */
  type: string
  /** The part for people. */
  words: string
  fileType: string
  fileName: string
  report: Buffer
  now: number
}

const LINE_CHARS = 76

export function composeReportMail(mail: ReportMail): Buffer {
  const boundary = `=_${randomBytes(18).toString('hex')}`
  const base64 = mail.report.toString('base64').match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')) ?? []
  return Buffer.from(
    [
      `From: <${mail.from}>`,
      `To: <${mail.to}>`,
      // The subject may be folded at words, and domains are long.
      `Subject: ${mail.subject.replaceAll(' Submitter: ', '\r\n Submitter: ').replaceAll(' Report-ID: ', '\r\n Report-ID: ')}`,
      `Date: ${mailDate(mail.now)}`,
      `Message-ID: <${randomBytes(16).toString('hex')}@${mail.submitter}>`,
      ...mail.fields,
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      `Content-Type: ${mail.type};\r\n\tboundary="${boundary}"`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain; charset=us-ascii',
      '',
      mail.words,
      '',
      `--${boundary}`,
      `Content-Type: ${mail.fileType}`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment;\r\n\tfilename="${mail.fileName}"`,
      '',
      ...base64,
      '',
      `--${boundary}--`,
      '',
    ].join('\r\n'),
    'latin1',
  )
}
