/** Styles that take an element out of sight, with all that is in it. */
import { opacityOf } from './declarations.js'
import { pixelsOf } from './lengths.js'

/** The value of a property of the element. */
export type Get = (name: string) => string | undefined

const FAR_PX = 100
const FAR_BEYOND_PX = 3000
/** Letters rotated further out of the plane are a line. */
const EDGE_DEGREES = 88

export function isRemoved(get: Get, size: number): boolean {
  if (get('display') === 'none' || get('content-visibility') === 'hidden') return true
  const zoom = get('zoom')
  if (zoom !== undefined && (pixelsOf(zoom, 1) ?? 1) <= 0.05) return true
  if (/opacity\(\s*(?:0(?:\.0\d*)?|\.0\d*)%?\s*\)/.test(get('filter') ?? '') && !isAnimated(get)) return true
  if ((pixelsOf(get('text-indent')?.split(' ')[0], size) ?? 0) <= -FAR_PX) return true
  if ((pixelsOf(get('margin-left'), size) ?? 0) <= -FAR_PX) return true
  if ((pixelsOf(get('margin-top'), size) ?? 0) <= -FAR_PX) return true
  return (
    isMovedAway(get, size) ||
    isClipped(get, size) ||
    isMasked(get) ||
    (isTransformedAway(get, size) && !isAnimated(get))
  )
}

/** An animation may show what its first frame hides. */
export function isAnimated(get: Get): boolean {
  return (get('animation-name') ?? 'none') !== 'none'
}

/** How much of an element is seen through, 0 to 1. */
export function opacityIn(get: Get): number {
  const opacity = get('opacity')
  return opacity === undefined || isAnimated(get) ? 1 : (opacityOf(opacity) ?? 1)
}

function isMovedAway(get: Get, size: number): boolean {
  const position = get('position')
  if (position === undefined || position === 'static') return false
  return ['left', 'top', 'right', 'bottom'].some((side) => {
    const moved = pixelsOf(get(side), size) ?? 0
    return moved <= -FAR_PX || moved >= FAR_BEYOND_PX
  })
}

function isClipped(get: Get, size: number): boolean {
  if (/rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?/.test(get('clip') ?? '')) return true
  const path = get('clip-path')
  if (path !== undefined && path !== 'none' && isEmptyShape(path)) return true
  const overflow = `${get('overflow-y') ?? ''} ${get('overflow-x') ?? ''}`
  if (!/hidden|clip/.test(overflow)) return false
  return ['max-height', 'height', 'max-width', 'width'].some((side) => (pixelsOf(get(side), size) ?? 99) <= 1)
}

/** CSS Shapes 1, §3. */
function isEmptyShape(path: string): boolean {
  if (/inset\(\s*(?:[5-9]\d(?:\.\d+)?|100)%|(?:circle|ellipse)\(\s*0/.test(path)) return true
  const points = /polygon\(\s*(?:(?:evenodd|nonzero)\s*,)?([^()]*)/.exec(path)?.[1]?.split(',')
  if (!points) return false
  const [across, down] = [0, 1].map((axis) => points.map((point) => Number.parseFloat(point.trim().split(/\s+/)[axis] ?? '') || 0)) // prettier-ignore
  const isLine = (axis: number[] = []): boolean => axis.every((value) => value === axis[0])
  return isLine(across) || isLine(down)
}

function isMasked(get: Get): boolean {
  return /^[a-z-]*gradient\((?:\s*(?:transparent|#0000(?:0000)?)\s*,?)+\)$/.test(get('mask-image') ?? '')
}

const FUNCTION = /([a-z\d]{1,20})\(([^()]{0,200}(?:\([^()]{0,100}\)[^()]{0,100})?)\)/g

function isTransformedAway(get: Get, size: number): boolean {
  const scale = get('scale')
  if (scale !== undefined && scale.split(/\s+/).some((part) => isNothing(part))) return true
  const translate = get('translate')
  if (translate !== undefined && translate.split(/\s+/).some((part) => isFar(part, size))) return true
  if (isOnEdge(/^(?:[xy]|[01] [01] 0) +(\S+)$/.exec(get('rotate') ?? '')?.[1])) return true
  for (const [, name = '', written = ''] of (get('transform') ?? '').matchAll(FUNCTION)) {
    const values = written.split(',').map((part) => part.trim())
    if (name.startsWith('scale') && name !== 'scalez' && values.slice(0, 2).some(isNothing)) return true
    if (name.startsWith('translate') && name !== 'translatez' && values.slice(0, 2).some((part) => isFar(part, size))) return true // prettier-ignore
    if ((name === 'rotatex' || name === 'rotatey') && isOnEdge(values[0])) return true
    if (name === 'skew' && values.some(isOnEdge)) return true
    if (name === 'matrix') {
      const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = values.map(Number)
      if (Math.abs(a * d - b * c) < 0.01 || Math.min(x, y) <= -10 * FAR_PX) return true
    }
  }
  return false
}

function isNothing(scale: string): boolean {
  return Math.abs(pixelsOf(scale, 1) ?? 1) <= 0.05
}

function isFar(moved: string, size: number): boolean {
  const pixels = moved.endsWith('%') ? 0 : (pixelsOf(moved, size) ?? 0)
  return pixels <= -5 * FAR_PX || pixels >= FAR_BEYOND_PX
}

function isOnEdge(angle: string | undefined): boolean {
  const [, amount, unit] = /^(-?[\d.]{1,9})(deg|turn|rad|grad)$/.exec(angle ?? '') ?? []
  if (amount === undefined) return false
  const degrees = Math.abs(Number(amount) * (unit === 'turn' ? 360 : unit === 'rad' ? 57.3 : unit === 'grad' ? 0.9 : 1))
  const within = degrees % 180
  return within >= EDGE_DEGREES && within <= 180 - EDGE_DEGREES
}
