/** A QR code as an inline SVG, which the policy of the pages allows: no picture is loaded, and nothing in it is style or script. Loaded when one is shown. */
import encodeQR from 'qr'
import { html, type Html } from '../page/html.js'

/** ISO/IEC 18004 §6.3.8: the quiet zone, in modules. */
const QUIET = 4
const MODULE_PX = 4

/** Dark on white in dark mode too, as scanners expect it. @param label for those who can't see it */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
  const size = rows.length
  const path = rows.map((row, y) => [...runs(row)].map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`).join(''))
  return html`<svg
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${size} ${size}"
    width="${size * MODULE_PX}"
    height="${size * MODULE_PX}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path fill="#000" d="${path.join('')}" />
  </svg>`
}

/** Starts and lengths of the dark runs of a row. */
function* runs(row: readonly boolean[]): Generator<[x: number, length: number]> {
  let from: number | undefined
  for (const [x, isDark] of [...row, false].entries()) {
    if (isDark) from ??= x
    else if (from !== undefined) {
      yield [from, x - from]
      from = undefined
    }
  }
}
