/** A whole number in a query: decimal digits and nothing else, where JavaScript would take `0x10`, `1e1`, ` 5` and nothing at all as well. */
import { z } from 'zod'

const DIGITS = /^-?\d{1,15}$/

/** Too small numbers get their own error, also with a sign; anything else is not a number. */
export function wholeNumber(min: number, max?: number) {
  const number = z.number().int().min(min)
  return z.preprocess(
    (given) => (typeof given === 'string' && DIGITS.test(given) ? Number(given) : given),
    max === undefined ? number : number.max(max),
  )
}
