/**
 * Findings from the account's own story: what it sends now, compared with what it has sent before. They weigh little where the words are harmless, count
 * in the one number (verdict/guard.ts) and as no evidence for a block. Weights are given as steps of the log odds.
 */
import { found } from '../reason-codes.js'
import type { Finding } from '../finding.js'
import { brandOf, imitationOf } from '../links/lookalike.js'
import { ownerOf } from '../links/domains.js'
import { domainOf } from '../../mime/address.js'
import type { Address } from '../../mime/types.js'
import type { GuardSubject, Story } from '../types.js'

/** What all findings of the story add together at most: enough to hold a message by themselves only when nearly all of it is used. */
export const MAX_STORY_ODDS = 4

/** Odds for each doubling, roughly, of what can be expected. */
const BURST_ODDS = 1.5
const MAX_BURST_ODDS = 3.2
/** Mail to known recipients that comes all at once is a newsletter more often than abuse. */
const MAX_MESSAGES_ODDS = 0.5
const SILENCE_ODDS = { week: 0.5, fortnight: 1 }
const FIRST_CONTACT_ODDS = 0.6
const LINKS_ODDS = 0.4
const LANGUAGE_ODDS = 0.4
const RECIPIENTS_ODDS = 0.3

const STORY_CODES: ReadonlySet<string> = new Set([
  'burst',
  'first_contact_with_link',
  'unusual_links',
  'unusual_language',
  'unusual_recipients',
])

/** True for findings that count only together with the words. */
export const isOfStory = ({ code }: Pick<Finding, 'code'>): boolean => STORY_CODES.has(code)

/** What the story adds to the log odds: the account's own past, and whom it writes to now (signals/recipients.ts). */
export function storyOdds(findings: readonly Finding[]): number {
  const odds = findings
    .filter(({ category }) => category === 'bulk')
    .reduce((sum, { weight }) => sum - Math.log(1 - Math.min(weight, 0.999)), 0)
  return Math.min(MAX_STORY_ODDS, odds)
}

export function storyFindings({ story, isAnswer, newRecipientCount, recipientCount }: GuardSubject): Finding[] {
  if (!story || isAnswer === true) return []
  const { burst, newHosts, firstContacts, newLanguage, fewRecipients } = story
  const findings: Finding[] = []
  if (burst) findings.push(found('burst', weightOf(burstOdds(burst)), burstDetail(burst)))
  const hosts = newHosts?.map((host) => JSON.stringify(host)).join(', ')
  if (hosts !== undefined) {
    findings.push(found('unusual_links', weightOf(LINKS_ODDS), `links to ${hosts}, as no earlier mail of the account`))
  }
  if (hosts !== undefined && firstContacts) {
    const whom = newRecipientCount === 1 ? 'a new recipient' : `${newRecipientCount} new recipients`
    const detail = `the first mail to ${whom} links to ${hosts}; ${Math.round(100 * firstContacts.share)} % of the account's mail were first contacts with a link`
    findings.push(found('first_contact_with_link', weightOf(FIRST_CONTACT_ODDS), detail))
  }
  if (newLanguage) {
    const detail = `written in ${newLanguage.language}; the account usually writes ${newLanguage.usual}`
    findings.push(found('unusual_language', weightOf(LANGUAGE_ODDS), detail))
  }
  if (fewRecipients) {
    const detail = `goes to ${recipientCount} recipients; a message of the account usually goes to ${fewRecipients.usual}`
    findings.push(found('unusual_recipients', weightOf(RECIPIENTS_ODDS), detail))
  }
  return findings
}

/** The weight of a finding that takes this step. */
const weightOf = (odds: number): number => 1 - Math.exp(-odds)

function burstOdds({ of, times, silentDays }: NonNullable<Story['burst']>): number {
  const odds = BURST_ODDS * Math.log(times)
  if (of === 'messages') return Math.min(MAX_MESSAGES_ODDS, odds)
  const silence = silentDays >= 14 ? SILENCE_ODDS.fortnight : silentDays >= 7 ? SILENCE_ODDS.week : 0
  return Math.min(MAX_BURST_ODDS, odds + silence)
}

function burstDetail({ of, count, within, perWeek, silentDays }: NonNullable<Story['burst']>): string {
  const when = within === 'hours' ? 'the last two hours' : 'a day'
  const silence = silentDays >= 7 ? `, after ${silentDays} days without mail` : ''
  return `about ${count} ${of} within ${when}${silence}; usually about ${perWeek} a week`
}

/** Made with other letters or misspelt, or with words of bait beside the name. */
const NAME_WEIGHTS = { letters: 0.25, misspelt: 0.25, bait: 0.15 } as const

/** The sender's address, or name, made like a brand's. A brand's exact name in the sender's name is judged in identity.ts. */
export function nameFindings({ from, kind }: GuardSubject): Finding[] {
  if (!from || kind === 'inbound') return []
  const domain = domainOf(from.address)
  const imitated =
    imitatedBy(localPart(from), ['letters', 'misspelt', 'bait']) ?? imitatedBy(from.name, ['letters', 'misspelt'])
  if (!imitated || brandOf(ownerOf(domain)) === imitated.brand) return []
  const detail = `${JSON.stringify(imitated.brand.domains[0] ?? imitated.brand.name)} \u2192 ${JSON.stringify(imitated.words)} at ${JSON.stringify(domain.slice(0, 100))}: made like the other's name`
  return [found('name_like_brand', imitated.weight, detail, imitated.words)]
}

const localPart = ({ address }: Address): string => address.slice(0, address.lastIndexOf('@'))

function imitatedBy(words: string, hows: readonly (keyof typeof NAME_WEIGHTS)[]) {
  // As a label of a host, for which likeness is defined.
  const label = words
    .slice(0, 63)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  if (label === '') return undefined
  const imitation = imitationOf(`${label}.invalid`)
  const how = hows.find((each) => each === imitation?.how)
  return imitation && how && { brand: imitation.brand, words: words.slice(0, 63), weight: NAME_WEIGHTS[how] }
}
