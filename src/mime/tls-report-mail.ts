/** A report on TLS as a message (RFC 8460 §5.3). */
import { randomBytes } from 'node:crypto'
import { mailDate } from './date.js'

export interface TlsReportMail {
  /** The domain that is reported on. */
  domain: string
  /** The domain that reports. */
  submitter: string
  from: string
  to: string
  subject: string
  fileName: string
  /** The JSON, compressed with gzip. */
  report: Buffer
  now: number
}

const LINE_CHARS = 76

export function composeTlsReportMail(mail: TlsReportMail): Buffer {
  const boundary = `=_${randomBytes(18).toString('hex')}`
  const base64 = mail.report.toString('base64').match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')) ?? []
  return Buffer.from(
    [
      `From: <${mail.from}>`,
      `To: <${mail.to}>`,
      // Words may be folded, and domains are long.
      `Subject: ${mail.subject.replaceAll(' Submitter: ', '\r\n Submitter: ').replaceAll(' Report-ID: ', '\r\n Report-ID: ')}`,
      `Date: ${mailDate(mail.now)}`,
      `Message-ID: <${randomBytes(16).toString('hex')}@${mail.submitter}>`,
      `TLS-Report-Domain: ${mail.domain}`,
      `TLS-Report-Submitter: ${mail.submitter}`,
      // RFC 8689 §5: it has to arrive above all where TLS is broken.
      'TLS-Required: No',
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type="tlsrpt";\r\n\tboundary="${boundary}"`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain; charset=us-ascii',
      '',
      `This is an aggregate TLS report of ${mail.submitter} on mail to ${mail.domain}.`,
      '',
      `--${boundary}`,
      'Content-Type: application/tlsrpt+gzip',
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
