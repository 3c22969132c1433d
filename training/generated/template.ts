/** Templates, and the seeded random numbers that vary their messages: the same seed makes the same messages. */
import { createHash } from 'node:crypto'
import type { Label, Sample } from '../sample.js'

export interface Template {
  /** Stable and unique, such as `receipt/de/order-shipped`. Its split follows from it. */
  id: string
  /** ISO 639-1. */
  language: string
  label: Label
  make(random: Random): Made
}

/** What a template makes of a message; what is missing is empty. Links are those of the HTML, and of the text where there is no HTML. */
export interface Made extends Pick<Sample, 'subject' | 'text'> {
  html?: string
  from: { address: string; name: string }
  replyTo?: { address: string; name: string }[]
  links?: { target: string; text: string }[]
  recipientCount?: number
  attachments?: Sample['attachments']
}

export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** Whole, both ends included. */
  int(least: number, most: number): number
  chance(share: number): boolean
  pick<T>(of: readonly T[]): T
  /** `count` different ones, in the order of the list. */
  some<T>(of: readonly T[], count: number): T[]
}

/** @param seed any text */
export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(of: readonly T[]): T => {
    const one = of[int(0, of.length - 1)]
    if (one === undefined) throw new Error('there is nothing to pick from')
    return one
  }
  return {
    next,
    int,
    pick,
    chance: (share) => next() < share,
    some: (of, count) => {
      const left = [...of]
      while (left.length > count) left.splice(int(0, left.length - 1), 1)
      return left
    },
  }
}

/** Two of three templates are trained on; the others are only ever looked at. */
export function splitOf(template: Pick<Template, 'id'>): 'train' | 'held-out' {
  return createHash('sha256').update(template.id).digest().readUInt32LE(0) % 3 === 0 ? 'held-out' : 'train'
}

/** Message number `index` of a template. */
export function sampleOf(template: Template, index: number): Sample {
  const { html, replyTo, links, recipientCount, attachments, ...made } = template.make(
    createRandom(`${template.id}#${index}`),
  )
  return {
    ...made,
    label: template.label,
    source: 'generated',
    template: template.id,
    language: template.language,
    html: html ?? null,
    replyTo: replyTo ?? [],
    links: links ?? [],
    recipientCount: recipientCount ?? 1,
    attachments: attachments ?? [],
  }
}
