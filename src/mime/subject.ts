/** Subjects: without the marks of replies and forwards for comparing (RFC 5256 §2.1), and with our marks. */

/** Prefixes of replies in the languages of mail programs; each with its colon, plain or full-width. */
const reply =
  're|aw|antw|sv|vs|vá|odp|od|ynt|cevap|res|rif|r|bls|bal|ang|ref|yan|на|отв|відп|σχετ|απ|תגובה|השב|رد|پاسخ|回复|回覆|答复|答覆|返信|답장|회신'
const forward =
  'fwd|fw|wg|tr|rv|i|enc|vb|vl|pd|doorst|fs|továbbítás|ilt|trs|пер|переслано|προώθ|πρθ|הועבר|إعادة توجيه|转发|轉寄|轉發|転送|전달'
/** `Re:`, `RE[2]:`, `Re (3):`, `Re^2:`. */
const mark = (words: string) => new RegExp(`^(?:${words})(?:\\s?[[(^]?\\d{1,3}[\\])]?)?\\s?[:：]\\s*`, 'iu')
const ANY_MARK = mark(`${reply}|${forward}`)
const REPLY_MARK = mark(reply)
const FORWARD_MARK = mark('fwd|fw')
const TRAILER = /\s*\((?:fwd|fw)\)$/i
const WRAPPED = /^\[fwd:\s*(.*)\]$/i
/**
 * A list's tag. A number makes it an identifier (`[PROJ-17]`, `[#4711]`) that belongs to the subject; a digit before a letter (`[p5ml]`) is part of a
 * name.
 */
const TAG = /^\[(?:[^\][\d]|\d{1,9}(?=\p{L})){1,64}\]\s*(?=\S)/u

/** Max length of a subject, in UTF-16 code units: bounds the work on strangers' text. */
const MAX_SUBJECT = 2000

/**
 * The base subject of RFC 5256 §2.1, with the marks of more languages. Two messages may belong to one thread when their base subjects are equal; an
 * empty one is no evidence.
 *
 * @returns lower-cased with collapsed white space: for comparing, not for showing
 */
export function baseSubject(subject: string): string {
  let base = collapse(subject)
  for (let before = ''; before !== base;) {
    before = base
    base = base.replace(TRAILER, '').replace(ANY_MARK, '').replace(TAG, '').replace(WRAPPED, '$1').trim()
  }
  return base.toLowerCase()
}

/** Adds `Re: ` unless a reply mark exists (RFC 5322 §3.6.5). */
export function replySubject(subject: string): string {
  const plain = collapse(subject)
  return REPLY_MARK.test(plain) ? plain : `Re: ${plain}`.trim()
}

/** Adds `Fwd: ` unless it exists. */
export function forwardSubject(subject: string): string {
  const plain = collapse(subject)
  return FORWARD_MARK.test(plain) ? plain : `Fwd: ${plain}`.trim()
}

function collapse(subject: string): string {
  return subject.slice(0, MAX_SUBJECT).replace(/\s+/g, ' ').trim()
}
