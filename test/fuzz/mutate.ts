/** Small random changes to bytes: what a careless program or a careful attacker makes of good input. */
import { below, pick, type Random } from '../support/random.js'

type Mutation = (random: Random, input: Buffer, other: Buffer, dictionary: readonly string[]) => Buffer

/** Bytes that mean something to a parser of mail. */
const SPECIAL = [...Buffer.from('\0\t\n\r "()<>@,;:\\/[]?=.-_%&#*\x1b\x7f\x80\xbf\xc3\xe2\xf0\xff', 'latin1')]
const MAX_REPEATS = 64

function splice(input: Buffer, at: number, removed: number, inserted: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, at), inserted, input.subarray(at + removed)])
}

function span(random: Random, input: Buffer): [at: number, length: number] {
  const at = below(random, input.length + 1)
  // Mostly short: the cube of a number under one is small.
  return [at, Math.ceil(random() ** 3 * (input.length - at))]
}

const word = (random: Random, dictionary: readonly string[]): Buffer => Buffer.from(pick(random, dictionary), 'utf8')

const MUTATIONS: Mutation[] = [
  (random, input) => splice(input, below(random, input.length + 1), 1, Buffer.from([below(random, 256)])),
  (random, input) => splice(input, below(random, input.length + 1), 1, Buffer.from([pick(random, SPECIAL)])),
  (random, input) => splice(input, below(random, input.length + 1), 0, Buffer.from([pick(random, SPECIAL)])),
  (random, input) => splice(input, ...span(random, input), Buffer.alloc(0)),
  (random, input, _other, dictionary) => splice(input, below(random, input.length + 1), 0, word(random, dictionary)),
  (random, input, _other, dictionary) => splice(input, ...span(random, input), word(random, dictionary)),
  // A piece of itself, again and again.
  (random, input) => {
    const [at, length] = span(random, input)
    const piece = input.subarray(at, at + Math.min(length, 256))
    return splice(input, at, 0, Buffer.concat(Array.from({ length: 1 + below(random, MAX_REPEATS) }, () => piece)))
  },
  // Cut short, and joined with another one.
  (random, input) => input.subarray(0, below(random, input.length + 1)),
  (random, input, other) =>
    Buffer.concat([
      input.subarray(0, below(random, input.length + 1)),
      other.subarray(below(random, other.length + 1)),
    ]),
  // Two pieces change places.
  (random, input) => {
    const [at, length] = span(random, input)
    const piece = Buffer.from(input.subarray(at, at + length))
    const rest = splice(input, at, length, Buffer.alloc(0))
    return splice(rest, below(random, rest.length + 1), 0, piece)
  },
]

/** One to five changes, often one. */
export function mutate(random: Random, input: Buffer, other: Buffer, dictionary: readonly string[]): Buffer {
  let result = input
  for (let changes = 1 + Math.floor(random() ** 2 * 5); changes > 0; changes--) {
    result = pick(random, MUTATIONS)(random, result, other, dictionary)
  }
  return result
}
