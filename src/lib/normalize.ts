/** Unicode normalization of strangers' text, in linear time. */

/** Max combining marks on one character: the Stream-Safe Text Format (UAX #15 §13), which no language comes near. */
const MAX_MARKS = 30
/** Characters that NFKC may reorder after another: marks, and the two halfwidth ones of Japanese, which are letters before normalization. */
const PILED_MARKS = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${MAX_MARKS}})[\\p{M}\\uff9e\\uff9f]+`, 'gu')

/** Marks and surrogates, among others: without so many of them in a row, no marks are piled up. */
const MAY_BE_PILED = new RegExp(`[\\u0300-\\uffff]{${MAX_MARKS + 1}}`)

/**
 * Normalization form KC (UAX #15). Marks on a character are sorted by insertion: 100,000 of them on one letter take the library many seconds, so
 * those past the 30th are removed.
 */
export function nfkc(text: string): string {
  return (MAY_BE_PILED.test(text) ? text.replace(PILED_MARKS, '$1') : text).normalize('NFKC')
}
