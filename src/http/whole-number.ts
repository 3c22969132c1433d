/** Parses a whole number in a query: decimal digits only, as `Number` would also accept `0x10`, `1e1`, ` 5` and ''. */
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
