/** Unicode normalization of strangers' text, in linear time. */

/** Of the marks on one character so many count: the Stream-Safe Text Format (UAX #15 §13), which no language comes near. */
const MAX_MARKS = 30
/** What NFKC may put in order behind a character: marks, and the two halfwidth ones of Japanese, which are letters until then. */
const PILED_MARKS = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${MAX_MARKS}})[\\p{M}\\uff9e\\uff9f]+`, 'gu')

/** Marks and halves of characters outside of the basic plane, among others: where so many don't stand in a row, no marks are piled up. */
const MAY_BE_PILED = new RegExp(`[\\u0300-\\uffff]{${MAX_MARKS + 1}}`)

/**
 * Normalization form KC (UAX #15). The marks on a character are put in order by insertion: 100,000 of them on one letter take the library many
 * seconds, so the ones past the 30th are left out.
 */
export function nfkc(text: string): string {
  return (MAY_BE_PILED.test(text) ? text.replace(PILED_MARKS, '$1') : text).normalize('NFKC')
}
