/** Whether a machine wrote a message, from its header alone (RFC 3834 §5, RFC 3464, RFC 8098, RFC 2919, RFC 2369). */
import libmime from 'libmime'
import type { Fields } from './fields.js'
import type { Automation } from './types.js'

export function readAutomation(fields: Fields): Automation {
  const contentType = fields.first('content-type')
  if (/^multipart\/report\b/i.test(contentType)) {
    const reportType = libmime.parseHeaderValue(contentType).params['report-type']?.toLowerCase()
    // A disposition notification is an answer that nobody typed; feedback reports and the like are no answers.
    if (reportType === 'disposition-notification') return 'auto-reply'
    return reportType === 'delivery-status' || reportType === undefined ? 'bounce' : 'bulk'
  }
  const keyword = firstToken(fields.first('auto-submitted'))
  const precedence = firstToken(fields.first('precedence'))
  if (
    keyword === 'auto-replied' ||
    precedence === 'auto_reply' ||
    ANSWERING.some((name) => answers(fields.first(name)))
  ) {
    return 'auto-reply'
  }
  if (LIST.some((name) => fields.first(name) !== '') || precedence === 'list') return 'list'
  if (precedence === 'bulk' || precedence === 'junk' || fields.first('list-unsubscribe') !== '') return 'bulk'
  return keyword !== '' && keyword !== 'no' ? 'bulk' : null
}

/** Older than RFC 3834 and still sent. */
const ANSWERING = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply']
const LIST = ['list-id', 'list-post']

function firstToken(value: string): string {
  return /^[^\s;(]*/.exec(value.trim().toLowerCase())?.[0] ?? ''
}

function answers(value: string): boolean {
  return value !== '' && !/^(?:no|false|0)$/i.test(value)
}
