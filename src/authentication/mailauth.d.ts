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

  /** A DKIM-Signature, or the newest ARC-Message-Signature. */
  export interface SignatureField {
    type: 'DKIM' | 'ARC'
    /** Why it can't be processed at all. */
    skip?: string
    /** Why it counts for nothing, whatever its key. */
    invalid?: string
    signingDomain: string
    selector: string
    /** `a=`, and its two parts in lower case. */
    algorithm: string
    signAlgo: string
    hashAlgo: string
    parsed: { b?: { value: string } }
  }

  export interface BodyHash {
    update(chunk: Buffer): void
    digest(encoding: 'base64'): string
    /** Where the signatures look for the digest. */
    hash?: string
  }

  interface Headers {
    parsed: { key: string; casedKey: string; line: Buffer }[]
  }

  /**
   * Its stream takes a message apart and calls `messageHeaders`; feeds each of `bodyHashes` with the body and puts down their digests; and
   * calls `verifySignature` for each of `signatureHeaders`, but for those to be skipped.
   */
  export class DkimVerifier {
    constructor(options: { resolver: DNSResolver; minBitLength: number; strict: boolean; curTime: Date })
    keyCache: KeyCache
    arc: Omit<ARCData, 'chain'> & {
      chain: ARCData['chain'] | false
      lastEntry?: { messageSignature?: DKIMResult }
      keyCache: KeyCache
    }
    headers: Headers
    headerFrom: string[]
    fromFields: number
    signatureHeaders: SignatureField[]
    bodyHashes: Map<string, BodyHash>
    messageHeaders(headers: Headers): Promise<void>
    /** Asks `keyCache` before it waits for anything. */
    verifySignature(signature: SignatureField): Promise<DKIMResult>
  }
}

declare module 'mailauth/lib/spf/spf-verify.js' {
  import type { DNSResolver } from 'mailauth'

  export interface SpfOptions {
    sender: string
    ip: string
    helo: string
    /** For `%{r}`. */
    mta: string
    strict: boolean
    /** Shared with included records. */
    ctx: { warnings: Set<string> }
    resolver: DNSResolver
    /** For explanations. */
    expResolver: DNSResolver
    /** For the addresses of one `mx` or `ptr`. */
    createSubResolver(options?: { ignoreVoid?: boolean }): DNSResolver
  }

  /**
   * check_host() of RFC 7208 §4 from the look-up of the record on.
   *
   * @returns the term that matched, or the error of an included record; undefined or false when none matched. Rejects with an error that has
   * `spfResult.error`
   */
  export function spfVerify(
    domain: string,
    options: SpfOptions,
  ): Promise<{ qualifier?: string; error?: string } | false | undefined>
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

  /** The first of the domains that has the organizational domain of another, as the public suffix list tells; false when none has. */
  export function getAlignment(fromDomain: string, domains: string[]): { domain: string } | false

  export function getPublicKey(
    type: string,
    name: string,
    minBitLength: number,
    resolver: DNSResolver,
    options: KeyOptions,
  ): Promise<PublicKey>
}
