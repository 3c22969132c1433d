/** Messages as the parser would hand them over, well made but for what a test changes. */
import type { AuthenticationResults } from '../../src/authentication/types.js'
import type { ParsedAttachment, ParsedMessage } from '../../src/mime/types.js'
import { findLinks } from '../../src/mime/html/links.js'

export const NO_AUTH: AuthenticationResults = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
  arc: { result: 'none' },
}

interface Content {
  subject: string
  text: string
  html?: string | null
  links?: { target: string; text: string }[]
  /** Those of the parser; found in the text and the HTML when not given. */
  foundLinks?: string[]
  attachments?: (Partial<ParsedAttachment> & { filename: string; contentType: string })[]
}

export function htmlEscape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function incoming(content: Content = { subject: 'Lunch', text: 'At noon?' }): ParsedMessage {
  const { subject, text, links = [], attachments = [] } = content
  const anchors = links.map((link) => `<a href="${link.target}">${link.text}</a>`)
  const html = content.html ?? (anchors.length > 0 ? anchors.join('\n') : null)
  return {
    from: { address: 'ana@a.example', name: 'Ana' },
    fromCount: 1,
    to: [{ address: 'agent@agents.test', name: '' }],
    cc: [],
    bcc: [],
    replyTo: [],
    subject,
    messageId: '1@a.example',
    inReplyTo: subject.startsWith('Re:') ? '0@a.example' : null,
    references: [],
    date: Date.UTC(2026, 0, 1),
    headers: {},
    text,
    html,
    preview: text.slice(0, 200),
    extractedText: text,
    extracted: { codes: [], links: content.foundLinks ?? findLinks(text, html) },
    attachments: attachments.map((attachment, part) => ({
      part,
      sizeBytes: 1,
      sha256: '',
      disposition: 'attachment',
      contentId: null,
      ...attachment,
    })),
    report: null,
    automation: null,
  }
}
