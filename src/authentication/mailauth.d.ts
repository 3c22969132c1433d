/** Types for the used parts of mailauth 7.1.0 that have none. */

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
   * check_host() of RFC 7208 §4 after the look-up of the record.
   *
   * @returns the matching term, or the error of an included record; undefined or false when none matched. Rejects with an error that has
   *   `spfResult.error`
   */
  export function spfVerify(
    domain: string,
    options: SpfOptions,
  ): Promise<{ qualifier?: string; error?: string } | false | undefined>
}

declare module 'mailauth/lib/tools.js' {
  /** The first of the domains with the same organizational domain, by the public suffix list; false for none. */
  export function getAlignment(fromDomain: string, domains: string[]): { domain: string } | false
}
