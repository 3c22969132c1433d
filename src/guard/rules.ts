/**
 * The first classifier: a small set of rules, each of which says what it found and how much that weighs. Findings of one category add
 * up as independent evidence; the strongest category decides. It is meant to let ordinary mail through without a word and to hold what
 * a person should look at; it knows no sender's history but the trust it is told.
 */
import { attachmentFindings } from './attachments.js'
import { risk } from './finding.js'
import type { Finding } from './finding.js'
import { BRANDS, hostsOf, linkFindings, linksOf } from './links.js'
import { phraseFindings } from './phrases.js'
import { matcherOf } from './prefilter.js'
import type { Matcher } from './prefilter.js'
import { brokenWords, disguisedWords, MAX_CHARS, readable, wordsOfHtml } from './text.js'
import type { Category, Decision, Guard, GuardSubject, GuardVerdict } from './types.js'

export interface RuleGuardOptions {
  /** Risk from which a message waits for review, 0 to 1. */
  holdAt?: number
  /** Risk from which it is refused for good. */
  blockAt?: number
}

const RISKS = ['bulk', 'spam', 'phishing', 'scam', 'malware'] as const satisfies Category[]
const BRAND_NAMES = BRANDS.map((name) => ({ name, pattern: new RegExp(`\\b${name}\\b`) }))
/** Subjects are a line; what comes after is nothing a reader is shown. */
const MAX_SUBJECT_CHARS = 500

export function createRuleGuard({ holdAt = 0.5, blockAt = 0.9 }: RuleGuardOptions = {}): Guard {
  return {
    check: async (subject) => {
      const findings = findingsOf(subject)
      const scores = scoresOf(findings)
      const [category, worst] = worstOf(scores)
      const decision: Decision = worst >= blockAt ? 'block' : worst >= holdAt ? 'hold' : 'send'
      return {
        category: decision === 'send' ? 'legitimate' : category,
        scores: { legitimate: rounded(1 - worst), ...mapped(scores) },
        decision,
        reasons:
          findings.length > 0
            ? findings.map(({ code, detail }) => ({ code, detail }))
            : [{ code: 'no_risk_found', detail: 'no rule found anything' }],
      } satisfies GuardVerdict
    },
  }
}

/** The words of a message as a reader sees them. */
export function wordsOf(subject: GuardSubject): string {
  return readable(`${titleOf(subject)}\n${bodyOf(subject)}`)
}

function titleOf({ subject }: GuardSubject): string {
  return subject.slice(0, MAX_SUBJECT_CHARS)
}

function bodyOf({ html, text }: GuardSubject): string {
  const plain = text.slice(0, MAX_CHARS)
  return html === null ? plain : `${wordsOfHtml(html).slice(0, MAX_CHARS / 2)}\n${plain}`
}

/**
 * Everything that the rules find in a message, strongest first.
 *
 * @param matches tells of the words of `wordsOf`
 */
export function findingsOf(subject: GuardSubject, matches = matcherOf(wordsOf(subject))): Finding[] {
  const title = titleOf(subject)
  const html = subject.html?.slice(0, MAX_CHARS) ?? null
  const text = subject.text.slice(0, MAX_CHARS)
  const body = bodyOf(subject)
  const links = linksOf(subject.links, text)
  const phrases = phraseFindings(matches, links.length > 0)
  return [
    ...linkFindings(links),
    ...attachmentFindings(subject.attachments),
    ...phrases,
    ...brandFindings(matches, hostsOf(links), phrases),
    ...disguiseFindings(`${title}\n${body}`, subject.hiddenWords),
    ...htmlFindings(html),
    ...shoutingFindings(title, body),
    ...recipientFindings(subject, links.length > 0),
  ].sort((a, b) => b.weight - a.weight)
}

/** A threat or a request in a well-known name, with links to somebody else's hosts only. */
function brandFindings(matches: Matcher, hosts: string[], phrases: Finding[]): Finding[] {
  const lure = phrases.some(({ code }) =>
    /^(?:credential_request|secret_on_page|account_threat|reward_lure)$/.test(code),
  )
  if (!lure || hosts.length === 0) return []
  const brand = BRAND_NAMES.find(({ pattern }) => matches(pattern))?.name
  if (brand === undefined || hosts.some((host) => host.includes(brand))) return []
  const detail = `speaks for ${brand} and links to ${hosts[0] ?? 'other hosts'}`
  return [{ code: 'brand_without_its_host', category: 'phishing', weight: 0.35, detail }]
}

function disguiseFindings(text: string, hiddenWords = 0): Finding[] {
  const found: Finding[] = []
  const broken = Math.max(brokenWords(text), hiddenWords)
  if (broken >= 3) {
    found.push({
      code: 'hidden_characters',
      category: 'spam',
      weight: 0.35,
      detail: `${broken} words hide invisible characters`,
    })
  }
  const disguised = disguisedWords(text)
  if (disguised >= 3) {
    found.push({
      code: 'disguised_words',
      category: 'spam',
      weight: 0.5,
      detail: `${disguised} words have letters of another script in them`,
    })
  }
  return found
}

function htmlFindings(html: string | null): Finding[] {
  if (html === null) return []
  if (/<input\b[^<>]{0,300}\btype\s*=\s*["']?password/i.test(html)) {
    return [
      { code: 'password_field', category: 'phishing', weight: 0.75, detail: 'asks for a password within the message' },
    ]
  }
  if (/<form\b/i.test(html)) {
    return [
      { code: 'form', category: 'phishing', weight: 0.35, detail: 'holds a form to be filled in within the message' },
    ]
  }
  return []
}

function shoutingFindings(subject: string, body: string): Finding[] {
  const found: Finding[] = []
  const letters = subject.match(/\p{L}/gu)?.length ?? 0
  const capitals = subject.match(/\p{Lu}/gu)?.length ?? 0
  if (letters >= 12 && capitals / letters > 0.8 && subject.trim().includes(' ')) {
    found.push({ code: 'shouting', category: 'spam', weight: 0.2, detail: 'the subject is in capitals' })
  }
  const marks = body.match(/!!+/g)?.length ?? 0
  if (marks >= 3 || subject.includes('!!')) {
    found.push({ code: 'exclamation_marks', category: 'spam', weight: 0.15, detail: 'many exclamation marks' })
  }
  return found
}

function recipientFindings({ recipientCount, newRecipientCount, trust }: GuardSubject, hasLink: boolean): Finding[] {
  const found: Finding[] = []
  if (recipientCount > 20) {
    const weight = recipientCount >= 40 ? 0.4 : 0.25
    found.push({ code: 'many_recipients', category: 'bulk', weight, detail: `goes to ${recipientCount} recipients` })
  }
  // Doubles with each level, as the number of new recipients in a day does.
  const many = (hasLink ? 10 : 20) * 2 ** trust
  if (newRecipientCount >= many) {
    const detail = `goes to ${newRecipientCount} people who were never written to${hasLink ? ', with a link' : ''}`
    found.push({ code: 'many_new_recipients', category: 'bulk', weight: hasLink ? 0.55 : 0.4, detail })
  }
  return found
}

type Scores = Map<Exclude<Category, 'legitimate'>, number>

function scoresOf(findings: Finding[]): Scores {
  const scores: Scores = new Map()
  for (const category of RISKS) {
    const own = findings.filter((finding) => finding.category === category)
    if (own.length > 0) scores.set(category, risk(own))
  }
  return scores
}

function worstOf(scores: Scores): [Category, number] {
  let worst: [Category, number] = ['legitimate', 0]
  for (const [category, score] of scores) if (score > worst[1]) worst = [category, score]
  return worst
}

function mapped(scores: Scores): Partial<Record<Category, number>> {
  return Object.fromEntries([...scores].map(([category, score]) => [category, rounded(score)]))
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000
