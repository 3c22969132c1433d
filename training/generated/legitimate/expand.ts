/**
 * The small language in which templates are written: `[a|b]` is one of several, `[=a|b]` the same one wherever as many
 * stand to choose from, so that a subject fits its body; `{name}` is a slot, `{3-9}` a number.
 * Brackets without a bar stand for themselves. What a slot gives is expanded again.
 */
import type { Random } from '../template.js'

export interface Slots {
  (name: string): string
  /** From 0 up to 1: what `[=a|b]` goes by. */
  shared: number
}

export function expand(text: string, random: Random, slots: Slots): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const sign = text[at]
    const end = sign === '[' ? closing(text, at, '[', ']') : sign === '{' ? closing(text, at, '{', '}') : -1
    if (end < 0) {
      out += sign
      at++
      continue
    }
    const inner = text.slice(at + 1, end)
    if (sign === '{') {
      out += slotOf(inner, random, slots)
    } else {
      out += choiceOf(inner, random, slots)
    }
    at = end + 1
  }
  return out
}

function choiceOf(inner: string, random: Random, slots: Slots): string {
  const shared = inner.startsWith('=')
  const choices = alternatives(shared ? inner.slice(1) : inner)
  if (choices.length === 1) return `[${expand(inner, random, slots)}]`
  const choice = shared ? choices[Math.floor(slots.shared * choices.length)] : random.pick(choices)
  return expand(choice ?? '', random, slots)
}

function slotOf(name: string, random: Random, slots: Slots): string {
  const range = /^(\d+)-(\d+)$/.exec(name)
  if (range) return String(random.int(Number(range[1]), Number(range[2])))
  return expand(slots(name), random, slots)
}

function closing(text: string, from: number, open: string, close: string): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at
  }
  return -1
}

function alternatives(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    else if (sign === '|' && depth === 0) {
      found.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...found, text.slice(start)]
}
