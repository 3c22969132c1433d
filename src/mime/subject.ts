/**
 * Subjects: what is left for comparing once the marks of replies and forwards are taken off (RFC 5256 §2.1), and the marks we put on.
 */

/** Marks as mail programs put them in front, in the languages they are translated to; each with its colon, plain or full-width. */
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
 * A list's tag. With a number in it, it names a thing (`[PROJ-17]`, `[#4711]`) and belongs to the subject; a digit before a letter (`[p5ml]`)
 * is of a name.
 */
const TAG = /^\[(?:[^\][\d]|\d{1,9}(?=\p{L})){1,64}\]\s*(?=\S)/u

/** Longest subject looked at, in UTF-16 code units: bounds the work on what a stranger wrote. */
const MAX_SUBJECT = 2000

/**
 * The base subject of RFC 5256 §2.1, with the marks of more languages than its own. Two messages may belong to one thread when their base
 * subjects are the same; an empty one says nothing.
 *
 * @returns lower-cased and with its white space collapsed: for comparing, not for showing
 */
export function baseSubject(subject: string): string {
  let base = collapse(subject)
  for (let before = ''; before !== base;) {
    before = base
    base = base.replace(TRAILER, '').replace(ANY_MARK, '').replace(TAG, '').replace(WRAPPED, '$1').trim()
  }
  return base.toLowerCase()
}

/** `Re: ` in front, unless a reply mark is there already (RFC 5322 §3.6.5). */
export function replySubject(subject: string): string {
  const plain = collapse(subject)
  return REPLY_MARK.test(plain) ? plain : `Re: ${plain}`.trim()
}

/** `Fwd: ` in front, unless it is there already. */
export function forwardSubject(subject: string): string {
  const plain = collapse(subject)
  return FORWARD_MARK.test(plain) ? plain : `Fwd: ${plain}`.trim()
}

function collapse(subject: string): string {
  return subject.slice(0, MAX_SUBJECT).replace(/\s+/g, ' ').trim()
}
