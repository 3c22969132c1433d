/** The modules of a QR code, as the path of an SVG. Loaded when one is shown. */
import encodeQR from 'qr'

/** ISO/IEC 18004 §6.3.8: the quiet zone, in modules. */
const QUIET = 4

export interface QrPath {
  /** Modules of a side, with the quiet zone. */
  size: number
  /** The dark ones, in units of a module. */
  path: string
}

export function qrPath(text: string): QrPath {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
  const path = rows.map((row, y) => [...runs(row)].map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`).join(''))
  return { size: rows.length, path: path.join('') }
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
