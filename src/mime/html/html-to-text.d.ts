/** Types for the part of html-to-text that is used here; the package has none. */
declare module 'html-to-text' {
  interface Selector {
    selector: string
    format?: string
    options?: Record<string, unknown>
  }
  interface ConvertOptions {
    wordwrap?: number | false
    limits?: { maxInputLength?: number; maxDepth?: number; maxChildNodes?: number; ellipsis?: string }
    selectors?: Selector[]
  }
  /** Prepares a converter that can be called many times. */
  export function compile(options: ConvertOptions): (html: string) => string
}
