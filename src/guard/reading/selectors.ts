/** Selectors (Selectors 4), as far as they can be told from what stands before an element. */
import { unescaped } from './css.js'

/** An element as selectors see it. */
export interface Subject {
  name: string
  id: string | undefined
  classes: readonly string[]
  attributes: ReadonlyMap<string, string>
  /** Number among the children of its parent, from 1. */
  index: number
  parent: Subject | undefined
  previous: Subject | undefined
}

export type PseudoElement = 'before' | 'after' | 'marker' | 'first-letter'

export interface Selector {
  /** The last is the element itself. */
  steps: readonly Step[]
  pseudo: PseudoElement | undefined
  /** By its ids, then classes, then names. */
  specificity: number
  /** An id, a class or a name that an element must have; '*' for any. */
  key: string
  /** True if an element that has the key, and its name, is selected. */
  isSimple: boolean
}

interface Step {
  compound: Compound
  /** To the step before it: ' ', '>', '+' or '~'. */
  combinator: string
}

interface Compound {
  name: string | undefined
  id: string | undefined
  classes: readonly string[]
  tests: readonly Test[]
}

type Test = (subject: Subject, steps: Steps) => boolean

/** Work that is left for one message: what strangers write may nest and repeat. */
export interface Steps {
  left: number
}

const MAX_CHARS = 300
const MAX_STEPS = 10
const MAX_NESTED = 3
const NAME = String.raw`(?:[\w-]|[^\x00-\x7f]|\\(?:[\da-f]{1,6}\s?|[^\n\da-f]))+`
const PART = new RegExp(
  String.raw`(\s*[>+~]\s*|\s+)|(\*|${NAME})|\.(${NAME})|#(${NAME})|\[\s*(${NAME})\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|${NAME})\s*(?:[is]\s*)?)?\]|::?([\w-]{1,30})(?:\(((?:[^()]|\([^()]*\)){0,200})\))?`,
  'iy',
)
const PSEUDO_ELEMENT = /^(?:before|after|marker|first-letter)$/
const PLAIN_LIST = /^[^("'[\\]*$/

/** @returns undefined for what is not read */
export function selectorIn(written: string, wanted: Set<string>): Selector | undefined {
  return selectorOf(written, wanted, 0)
}

/** The selectors of a list. */
export function listed(list: string): string[] {
  const plain = PLAIN_LIST.test(list) ? list.split(',') : (list.match(/(?:[^,("'[\\]|\\[^]|"[^"]*"?|'[^']*'?|\((?:[^()]|\([^()]*\))*\)?|\[[^\]]*\]?)+/g) ?? []) // prettier-ignore
  return [...new Set(plain.map((one) => one.trim()))].filter((one) => one !== '')
}

/** @param wanted names of attributes that selectors ask for, to which it adds */
function selectorOf(text: string, wanted: Set<string>, depth: number): Selector | undefined {
  if (text.length > MAX_CHARS) return undefined
  const steps: Step[] = []
  let compound = emptyCompound()
  let combinator = ' '
  let pseudo: PseudoElement | undefined
  let specificity = 0
  PART.lastIndex = 0
  let at = 0
  while (at < text.length) {
    PART.lastIndex = at
    const match = PART.exec(text)
    if (!match || match[0] === '' || pseudo !== undefined) return undefined
    at = PART.lastIndex
    const [, joint, name, className, id, attribute, operator, value = '', pseudoName, argument] = match
    if (joint !== undefined) {
      if (steps.length >= MAX_STEPS) return undefined
      steps.push({ compound, combinator })
      compound = emptyCompound()
      combinator = joint.trim() || ' '
    } else if (name !== undefined) {
      if (name === '*') continue
      compound.name = unescaped(name).toLowerCase()
      specificity += 1
    } else if (className !== undefined) {
      compound.classes.push(unescaped(className))
      specificity += 1 << 5
    } else if (id !== undefined) {
      compound.id = unescaped(id)
      specificity += 1 << 10
    } else if (attribute !== undefined) {
      const key = unescaped(attribute).toLowerCase()
      wanted.add(key)
      compound.tests.push(attributeTest(key, operator, unescaped(value.replace(/^["']|["']$/g, ''))))
      specificity += 1 << 5
    } else if (PSEUDO_ELEMENT.test(pseudoName ?? '')) pseudo = pseudoName as PseudoElement
    else {
      const test = pseudoTest(pseudoName?.toLowerCase() ?? '', argument ?? '', wanted, depth)
      if (!test) return undefined
      compound.tests.push(test)
      specificity += 1 << 5
    }
  }
  steps.push({ compound, combinator })
  const { name, id, classes, tests } = compound
  const key = id !== undefined ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : (name ?? '*')
  const isSimple =
    steps.length === 1 && tests.length === 0 && classes.length + (id === undefined ? 0 : 1) <= 1 && key !== '*'
  return { steps, pseudo, specificity: Math.min(specificity, 0x7fff), key, isSimple }
}

const emptyCompound = (): { name: string | undefined; id: string | undefined; classes: string[]; tests: Test[] } => ({
  name: undefined,
  id: undefined,
  classes: [],
  tests: [],
})

function attributeTest(key: string, operator: string | undefined, value: string): Test {
  const read = ({ attributes }: Subject): string | undefined => attributes.get(key)
  switch (operator) {
    case undefined:
      return (subject) => subject.attributes.has(key)
    case '~=':
      return (subject) => read(subject)?.split(/\s+/).includes(value) === true
    case '|=':
      return (subject) => read(subject) === value || read(subject)?.startsWith(`${value}-`) === true
    case '^=':
      return (subject) => value !== '' && read(subject)?.startsWith(value) === true
    case '$=':
      return (subject) => value !== '' && read(subject)?.endsWith(value) === true
    case '*=':
      return (subject) => value !== '' && read(subject)?.includes(value) === true
    default:
      return (subject) => read(subject) === value
  }
}

/** Undefined for what depends on the reader, or on what follows. */
function pseudoTest(name: string, argument: string, wanted: Set<string>, depth: number): Test | undefined {
  if (name === 'first-child') return ({ index }) => index === 1
  if (name === 'root') return (subject) => subject.name === 'html'
  if (name === 'link' || name === 'any-link') return (subject) => subject.name === 'a' && subject.attributes.has('href')
  if (name === 'nth-child') return nthTest(argument.trim().toLowerCase())
  if (!/^(?:not|is|where|matches|any|-webkit-any|-moz-any)$/.test(name) || depth >= MAX_NESTED) return undefined
  const selectors = listed(argument).map((one) => selectorOf(one, wanted, depth + 1))
  const known = selectors.filter((one) => one !== undefined)
  if (known.length < selectors.length || known.length === 0) return undefined
  const isWanted = name !== 'not'
  return (subject, steps) => known.some((one) => selects(one, subject, steps)) === isWanted
}

function nthTest(formula: string): Test | undefined {
  const [, a, b] = /^([+-]?\d{0,4})n(?:\s*([+-]\s*\d{1,4}))?$/.exec(
    formula === 'odd' ? '2n+1' : formula === 'even' ? '2n' : /^\d{1,4}$/.test(formula) ? `0n+${formula}` : formula,
  ) ?? [] // prettier-ignore
  if (a === undefined) return undefined
  const step = a === '' || a === '+' ? 1 : a === '-' ? -1 : Number(a)
  const offset = Number((b ?? '0').replace(/\s/g, ''))
  return ({ index }) => (step === 0 ? index === offset : (index - offset) % step === 0 && (index - offset) / step >= 0)
}

export function selects({ steps }: Selector, subject: Subject, work: Steps): boolean {
  return reaches(steps, steps.length - 1, subject, work)
}

function reaches(steps: readonly Step[], last: number, subject: Subject, work: Steps): boolean {
  const step = steps[last]
  if (!step || work.left-- <= 0 || !fits(step.compound, subject, work)) return false
  if (last === 0) return true
  const isSibling = step.combinator === '+' || step.combinator === '~'
  const isNext = step.combinator === '+' || step.combinator === '>'
  let other = isSibling ? subject.previous : subject.parent
  while (other) {
    if (reaches(steps, last - 1, other, work)) return true
    if (isNext || work.left <= 0) return false
    other = isSibling ? other.previous : other.parent
  }
  return false
}

function fits({ name, id, classes, tests }: Compound, subject: Subject, work: Steps): boolean {
  if (name !== undefined && name !== subject.name) return false
  if (id !== undefined && id !== subject.id) return false
  for (const one of classes) if (!subject.classes.includes(one)) return false
  for (const test of tests) if (!test(subject, work)) return false
  return true
}
