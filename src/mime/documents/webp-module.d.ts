/** Its own types need those of browsers. */
declare module '@jsquash/webp/codec/dec/webp_dec.js' {
  interface Decoder {
    decode(picture: Uint8Array): { data: Uint8ClampedArray; width: number; height: number } | null
  }
  export default function moduleOf(options: { noInitialRun: boolean; wasmBinary: Uint8Array }): Promise<Decoder>
}
