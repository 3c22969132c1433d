/** One labelled message, from a corpus or made from a template. */
import type { AbuseClass } from './scenes/classes.js'

export type Label = 'legitimate' | 'bulk' | 'spam' | 'phishing' | 'scam'

export interface Sample {
  label: Label
  /** Where it is from: a file of the corpora, `generated`, or `scenes/` and the style. Splits run between sources. */
  source: string
  /** Of a generated one: the template, which stands in one split only, however many messages are made of it. */
  template?: string
  /** Of a scene: what its abusive side is after; said of the honest side too. */
  abuse?: AbuseClass
  /** ISO 639-1, where it is known. */
  language?: string
  subject: string
  /** The plain part, or '' where there is only HTML. */
  text: string
  html: string | null
  from: { address: string; name: string } | null
  replyTo: { address: string; name: string }[]
  links: { target: string; text: string }[]
  recipientCount: number
  attachments: { filename: string; contentType: string; sizeBytes: number }[]
}

/** `bulk` is mail that people asked for. */
export function isUnwanted(label: Label): boolean {
  return label === 'spam' || label === 'phishing' || label === 'scam'
}
