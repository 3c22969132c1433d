/** The guide for agents' developers, as data: one text, given out as Markdown (for agents) and as pages (for humans). */

/** Running text; what stands between backticks is code, `[label](/path)` a link within the guide. */
export type Text = string

export type Block =
  | { kind: 'heading'; text: Text }
  | { kind: 'paragraph'; text: Text }
  | { kind: 'list'; items: Text[]; ordered: boolean }
  | { kind: 'table'; head: Text[]; rows: Text[][] }
  | { kind: 'code'; language: 'sh' | 'json' | 'toml' | 'python' | 'typescript' | 'text'; text: string }

export interface GuidePage {
  /** `/docs/<name>` as a page, `/docs/<name>.md` as Markdown. */
  name: string
  title: string
  /** One line for the index. */
  about: Text
  blocks: Block[]
}

/** What the texts need to know of the server. */
export interface Place {
  /** Without a slash at the end. */
  baseUrl: string
  /** The first domain on which addresses can be claimed. */
  domain: string
}

export const heading = (text: Text): Block => ({ kind: 'heading', text })
export const paragraph = (text: Text): Block => ({ kind: 'paragraph', text })
export const list = (...items: Text[]): Block => ({ kind: 'list', items, ordered: false })
export const steps = (...items: Text[]): Block => ({ kind: 'list', items, ordered: true })
export const table = (head: Text[], ...rows: Text[][]): Block => ({ kind: 'table', head, rows })
/** Shell commands that work as they stand, given the variables that the guide speaks of; a test runs them. */
export const shell = (text: string): Block => ({ kind: 'code', language: 'sh', text })
export const json = (value: unknown): Block => ({
  kind: 'code',
  language: 'json',
  text: JSON.stringify(value, undefined, 2),
})
export const code = (language: Extract<Block, { kind: 'code' }>['language'], text: string): Block => ({
  kind: 'code',
  language,
  text,
})
