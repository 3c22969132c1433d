/** Styles that elements have by default, and those set by attributes (HTML Standard, §15.3). */
import type { Declarations } from './declarations.js'
import { UNSEEN } from './tags.js'

export function defaultStyle(name: string, attributes: ReadonlyMap<string, string>): Declarations | undefined {
  const isUnseen = UNSEEN.has(name) || attributes.has('hidden')
  if (!isUnseen && !hasAny(attributes)) return undefined
  const given: Declarations = new Map()
  const set = (property: string, value: string | undefined): void => {
    if (value !== undefined) given.set(property, value.trim().toLowerCase())
  }
  if (isUnseen) given.set('display', 'none')
  set('background-color', attributes.get('bgcolor'))
  if (attributes.has('background')) given.set('background-image', 'url()')
  set('color', name === 'body' ? attributes.get('text') : attributes.get('color'))
  const direction = attributes.get('dir')?.trim().toLowerCase()
  if (direction === 'rtl' || direction === 'ltr') given.set('direction', direction)
  if (name === 'bdo' && direction !== undefined) given.set('unicode-bidi', 'bidi-override')
  return given.size === 0 ? undefined : given
}

const STYLING: ReadonlySet<string> = new Set(['bgcolor', 'background', 'text', 'color', 'dir'])

function hasAny(attributes: ReadonlyMap<string, string>): boolean {
  for (const name of attributes.keys()) if (STYLING.has(name)) return true
  return false
}

/** The position of an element among others: lower rows first, then lower columns. */
export interface Place {
  row: number
  column: number
}

const LINE_PX = 8

/** Undefined for an element that stands where it is written. @param index its number among the children */
export function placeOf(
  name: string,
  attributes: ReadonlyMap<string, string>,
  given: Declarations,
  index: number,
): Place | undefined {
  if (name === 'text' || name === 'tspan') {
    const [x, y] = [attributes.get('x'), attributes.get('y')]
    return x === undefined ? undefined : { row: lineOf(y), column: Number.parseFloat(x) || 0 }
  }
  if (given.size === 0) return undefined
  if (given.get('float') === 'right') return { row: 0, column: 1e9 - index }
  const position = given.get('position')
  if (position === 'absolute' || position === 'relative') {
    const [left, top] = [given.get('left'), given.get('top')]
    if (left !== undefined && position === 'absolute') return { row: lineOf(top), column: Number.parseFloat(left) || 0 }
  }
  const [row, column, order] = [given.get('grid-row'), given.get('grid-column'), given.get('order')]
  if (row === undefined && column === undefined && order === undefined) return undefined
  return { row: numberOf(row), column: numberOf(column ?? order) }
}

const numberOf = (written: string | undefined): number => Number.parseInt(written ?? '', 10) || 0
const lineOf = (written: string | undefined): number => Math.round((Number.parseFloat(written ?? '') || 0) / LINE_PX)
