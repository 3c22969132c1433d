/** The parts of mailauth 7.1.0 that come without types, as far as they are used here. */

declare module 'mailauth/lib/dkim/dkim-verifier.js' {
  import type { ARCData, DKIMResult, DNSResolver } from 'mailauth'

  export interface KeyCache {
    resolver: DNSResolver
    get(type: string, name: string, minBitLength: number, options: KeyOptions): Promise<unknown>
  }

  export interface KeyOptions {
    strict?: boolean
    hashAlgo?: string
  }

  /** Its stream takes a message apart and calls, in this order, `messageHeaders`, `nextChunk` and `finalChunk`. */
  export class DkimVerifier {
    constructor(options: { resolver: DNSResolver; minBitLength: number; strict: boolean; curTime: Date })
    keyCache: KeyCache
    arc: Omit<ARCData, 'chain'> & { chain: ARCData['chain'] | false; keyCache: KeyCache }
    headerFrom: string[]
    fromFields: number
    results: DKIMResult[]
    messageHeaders(headers: {
      parsed: { key: string; casedKey: string; line: Buffer }[]
      original: Buffer
    }): Promise<void>
    ensureLinebreaks(chunk: Buffer): Iterable<Buffer>
    nextChunk(chunk: Buffer): Promise<void>
    finalChunk(): Promise<void>
    /** Called by `finalChunk` for one signature after the other; asks `keyCache` before it waits for anything. */
    verifySignature(signature: { signAlgo: string }, fallback?: boolean): Promise<unknown>
  }
}

declare module 'mailauth/lib/tools.js' {
  import type { DNSResolver } from 'mailauth'
  import type { KeyOptions } from 'mailauth/lib/dkim/dkim-verifier.js'

  export interface PublicKey {
    /** PEM. */
    publicKey: string
    rr: string
    modulusLength?: number
    keyType: string
    flags: string[]
    testing: boolean
    warnings: string[]
  }

  export function getPublicKey(
    type: string,
    name: string,
    minBitLength: number,
    resolver: DNSResolver,
    options: KeyOptions,
  ): Promise<PublicKey>
}
