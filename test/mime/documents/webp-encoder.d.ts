/** Its own types need those of browsers. */
declare module '@jsquash/webp/codec/enc/webp_enc.js' {
  interface Encoder {
    encode(pixels: Uint8Array, width: number, height: number, options: object): Uint8Array | null
  }
  export default function moduleOf(options: { noInitialRun: boolean; wasmBinary: Uint8Array }): Promise<Encoder>
}
declare module '@jsquash/webp/meta.js' {
  export const defaultOptions: object
}
