/**
 * Ways to write a message so that people read it and programs do not: the tests show that each is read as displayed, and training measures them. Those
 * of whole messages are in `messages.ts`: they are read by our parser.
 */
import { AROUND } from './around.js'
import { LETTERS } from './letters.js'
import { MARKUP } from './markup.js'
import { ORDER } from './order.js'
import { PLACES } from './places.js'
import { STYLES } from './styles.js'
import { TYPED } from './typed.js'
import type { Evasion } from './written.js'

export type { Evasion } from './written.js'

export const EVASIONS: Readonly<Record<string, Evasion>> = {
  ...AROUND,
  ...MARKUP,
  ...STYLES,
  ...LETTERS,
  ...TYPED,
  ...ORDER,
  ...PLACES,
}
