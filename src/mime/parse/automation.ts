/**
 * Detects messages written by a program (RFC 3834 §5, RFC 3464, RFC 5965, RFC 8098, RFC 2919, RFC 2369): by their report, otherwise by their header.
 * A subject alone never decides: people write "Out of office" too.
 */
import type { Fields } from '../fields.js'
import type { Automation, Report } from '../types.js'

export function readAutomation(fields: Fields, subject: string, report: Report | null): Automation {
  const reported = report && ofReport(report)
  if (reported) return reported
  const keyword = firstToken(fields.first('auto-submitted'))
  const precedence = firstToken(fields.first('precedence'))
  if (isAnswer(fields, keyword, precedence)) return 'auto-reply'
  if (LIST.some((name) => fields.first(name) !== '') || precedence === 'list') return 'list'
  if (awayInHeader(fields, subject, keyword, precedence)) return 'auto-reply'
  if (precedence === 'bulk' || precedence === 'junk' || fields.first('list-unsubscribe') !== '') return 'bulk'
  if (/\b(?:all|oof|autoreply)\b/i.test(fields.first(SUPPRESSING).slice(0, 200))) return 'bulk'
  return keyword !== '' && keyword !== 'no' ? 'bulk' : null
}

/** Feedback types that are no complaints of people: authentication failures (RFC 6591) and corrections (`not-spam`). */
const NO_COMPLAINT = new Set(['auth-failure', 'not-spam', 'dmarc'])

/** True if the report is a complaint about an unwanted message. */
export function isComplaint({ kind, feedbackType }: Pick<Report, 'kind' | 'feedbackType'>): boolean {
  return kind === 'feedback' && !NO_COMPLAINT.has(feedbackType ?? '')
}

function ofReport(report: Report): Automation {
  switch (report.kind) {
    case 'feedback':
      return isComplaint(report) ? 'complaint' : 'bulk'
    case 'disposition':
      // A receipt sent without the reader's action.
      return 'auto-reply'
    case 'delivery': {
      const bad = report.recipients.some(({ action }) => action === 'failed' || action === 'delayed')
      return bad || report.recipients.length === 0 ? 'bounce' : 'auto-reply'
    }
  }
}

/** Older than RFC 3834 and still sent. */
const ANSWERING = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply', 'x-auto-respond']
/** Set by vacation programs, with any value. */
const AWAY = ['x-vacation', 'x-autoreply-from', 'x-mail-autoreply']
/** RFC 2919, RFC 2369; Mailing-List and X-Mailing-List preceded them. */
const LIST = ['list-id', 'list-post', 'mailing-list', 'x-mailing-list', 'x-mailman-version', 'x-beenthere']
/** Microsoft's (MS-OXCMAIL §2.2.3.2.14), in automatic replies and in messages of programs that want none. */
const SUPPRESSING = 'x-auto-response-suppress'

function isAnswer(fields: Fields, keyword: string, precedence: string): boolean {
  return (
    keyword === 'auto-replied' ||
    /^auto[_-]reply$/.test(precedence) ||
    ANSWERING.some((name) => answers(fields.first(name))) ||
    AWAY.some((name) => fields.first(name) !== '')
  )
}

/** Prefixes of the subject of vacation replies, as written by the programs that send them. */
const AWAY_SUBJECT =
  /^\s*(?:\[?auto(?:matic|mated|-?)?[- _]?(?:reply|response|answer|responder)|autosvar|auto[: ]|out of (?:the )?office|ooo\b|away from|i am (?:away|out)|vacation|abwesen(?:heit|d)|automatische (?:antwort|abwesenheit|.{0,3}antwort)|réponse automatique|absence|absent|respuesta automática|fuera de (?:la )?oficina|risposta automatica|fuori (?:sede|ufficio)|resposta automática|fora do escritório|automatisch antwoord|afwezig|automatiskt svar|frånvaro|automatisk svar|fravær|automaattinen vastaus|poissa|automatyczna odpowiedź|автоматический ответ|автоответ|отсутств|automatická odpověď|automatikus válasz|otomatik yanıt|自動返信|自动回复|自動回覆|自动答复|자동 (?:회신|응답))/iu

/** True if the subject says so, and a header that only programs write confirms it. */
function awayInHeader(fields: Fields, subject: string, keyword: string, precedence: string): boolean {
  const hinted =
    (keyword !== '' && keyword !== 'no') ||
    precedence === 'bulk' ||
    precedence === 'junk' ||
    fields.first(SUPPRESSING) !== '' ||
    /^\s*<>\s*$/.test(fields.first('return-path'))
  return hinted && AWAY_SUBJECT.test(subject.slice(0, 200))
}

/** The first token of the value without comments (RFC 3834 §5: `auto-replied (vacation); parameter=…`). */
function firstToken(value: string): string {
  const plain = value.slice(0, 500).replace(/\([^()]{0,200}\)/g, ' ')
  return /^[^\s;(,]*/.exec(plain.trim().toLowerCase())?.[0] ?? ''
}

function answers(value: string): boolean {
  return value !== '' && !/^(?:no|false|0)$/i.test(value)
}
