/** Messages made from templates: modern mail, wanted and unwanted, in several languages. */
import type { Sample } from '../sample.js'
import { legitimate } from './legitimate/index.js'
import { sampleOf, splitOf } from './template.js'
import { unwanted } from './unwanted/index.js'

/** @param each how many messages of each template */
export function generated(split: 'train' | 'held-out', each: number): Sample[] {
  return [...legitimate, ...unwanted]
    .filter((template) => splitOf(template) === split)
    .flatMap((template) => Array.from({ length: each }, (_, index) => sampleOf(template, index)))
}
