/** The guide as data: one text, served as Markdown (for agents) and as HTML (for humans). */

/** Text with inline code in backticks and links within the guide, `[label](/path)`. */
export type Text = string

/** A text is a paragraph. */
export type Block =
  | Text
  | { kind: 'heading'; text: Text }
  | { kind: 'list'; items: Text[]; ordered: boolean }
  /** `anchors`: a name for each row, to which links lead. */
  | { kind: 'table'; head: Text[]; rows: Text[][]; anchors?: readonly string[] }
  /** `isShort`: JSON written to save tokens; people see it indented. */
  | { kind: 'code'; language: Language; text: string; isShort?: true }
  /** The same in several languages; the Markdown has the first. */
  | { kind: 'samples'; samples: readonly Sample[] }
  /** Errors of an operation. */
  | { kind: 'errors'; errors: readonly ListedError[] }
  /** For people, behind its summary; the Markdown leaves it out, since each token costs. */
  | { kind: 'more'; summary: Text; blocks: readonly Block[] }

type Language = 'sh' | 'json' | 'toml' | 'python' | 'typescript' | 'text'

export interface Sample {
  label: string
  language: Language
  text: string
}

export interface ListedError {
  status: number
  code: string
  meaning: Text
  /** The next step for the caller. */
  next: Text
}

export interface GuidePage {
  /** Served at `/docs/<name>` as HTML, at `/docs/<name>.md` as Markdown. */
  name: string
  title: string
  /** One line for the index. */
  about: Text
  blocks: Block[]
}

/** The server's own values, shown in the texts. */
export interface Place {
  /** Without a trailing slash. */
  baseUrl: string
  /** The first domain with claimable addresses. */
  domain: string
}

export const heading = (text: Text): Block => ({ kind: 'heading', text })
export const list = (...items: Text[]): Block => ({ kind: 'list', items, ordered: false })
export const steps = (...items: Text[]): Block => ({ kind: 'list', items, ordered: true })
export const table = (head: Text[], ...rows: Text[][]): Block => ({ kind: 'table', head, rows })
/** Shell commands that run unchanged with the guide's variables set; a test runs them. */
export const shell = (text: string): Block => ({ kind: 'code', language: 'sh', text })
export const json = (value: unknown): Block => ({
  kind: 'code',
  language: 'json',
  text: JSON.stringify(value, undefined, 2),
})
export const code = (language: Language, text: string): Block => ({
  kind: 'code',
  language,
  text,
})
