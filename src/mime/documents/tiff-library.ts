/** A CommonJS package, loaded by the first TIFF. */
import UTIF from 'utif2'

export const { decode, decodeImage, toRGBA8 } = UTIF
