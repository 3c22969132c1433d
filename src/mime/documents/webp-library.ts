/** libwebp in WebAssembly, from the package's own file: without this the library fetches it from a server. */
import './image-data.js'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import moduleOf from '@jsquash/webp/codec/dec/webp_dec.js'

const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')))
const library = await moduleOf({ noInitialRun: true, wasmBinary })

/** @returns null for what is no picture, or an animation */
export const decodeWebp = (picture: Uint8Array): ReturnType<typeof library.decode> => library.decode(picture)
