/** All findings of the rules in a message. */
import { attachmentFindings, filesOf, linksInFiles } from '../signals/attachments.js'
import { found } from '../reason-codes.js'
import { combinedFindings, withQrCode } from '../signals/combined.js'
import { finderIn } from '../text/excerpt.js'
import type { Finding } from '../finding.js'
import { identityFindings, likenessFindings } from '../signals/identity.js'
import { hostsOf, linkFindings, linksOf, readLinks, type Link } from '../links/links.js'
import { isShownToo } from '../reading/html.js'
import { hiddenOrder, phraseFindings } from '../phrases/phrases.js'
import { recipientFindings } from '../signals/recipients.js'
import { nameFindings, storyFindings } from '../signals/story.js'
import { brokenWords, disguisedWords, MAX_CHARS, readingOf, writtenInFiles, type Reading } from '../text/text.js'
import type { GuardSubject } from '../types.js'

export interface FindingContext {
  /** True if a host, in ASCII, is on the list of bad ones. */
  isKnownBad?: ((host: string) => boolean) | undefined
  /** Daily limit of new recipients at the lowest trust level. */
  newRecipientsPerDay?: number | undefined
}

/** The words of a message as a reader sees them, in the form for patterns. */
export function wordsOf(subject: GuardSubject): string {
  return readingOf(subject).all
}

export function findingsOf(subject: GuardSubject, { isKnownBad, newRecipientsPerDay }: FindingContext = {}): Finding[] {
  const reading = readingOf(subject)
  const links = readLinks(linksOf(subject.links, subject.text).filter((link) => !isOfParent(link, subject)))
  const asWritten = finderIn(reading.written)
  const inFiles = readLinks(linksInFiles(filesOf(subject)))
  const hasLink = links.length > 0 || inFiles.length > 0
  const phrases = [
    ...withQrCode(
      [...phraseFindings(reading.all, { hasLink, asWritten }), ...ofFiles(subject, reading, hasLink)],
      subject,
    ),
    ...historyFindings(subject, reading, hasLink, asWritten),
    ...hiddenOrder(reading.hidden, reading.words),
  ]
  const ofLinks = linkFindings([...links, ...inFiles], isKnownBad)
  const byCode = new Map<string, Finding>()
  for (const finding of [
    ...ofLinks,
    ...attachmentFindings(subject.attachments),
    ...phrases,
    ...identityFindings(subject.from, subject.replyTo),
    ...likenessFindings(subject, hostsOf(links)),
    ...combinedFindings({ subject, reading, phrases, ofLinks, hosts: hostsOf([...links, ...inFiles]) }),
    ...disguiseFindings(reading, subject.hiddenWords),
    ...readingFindings(reading),
    ...shoutingFindings(subject.subject, reading),
    ...recipientFindings(subject, hasLink, newRecipientsPerDay),
    ...nameFindings(subject),
    ...storyFindings(subject),
  ]) {
    const known = byCode.get(finding.code)
    if (!known || known.weight < finding.weight) byCode.set(finding.code, finding)
  }
  return [...byCode.values()].sort((a, b) => b.weight - a.weight)
}

/**
 * Links of incoming mail that the mailbox itself has sent or got. What an agent sends is judged by all of its links: its author may have put the parent into
 * the mailbox.
 */
function isOfParent({ target }: Link, { kind, parentText = '' }: GuardSubject): boolean {
  return kind === 'inbound' && parentText !== '' && parentText.includes(target)
}

/** The text of attachments is judged like the message's own: the author gives it to read. */
function ofFiles(subject: GuardSubject, { files }: Reading, hasLink: boolean): Finding[] {
  return files === '' ? [] : phraseFindings(files, { hasLink, asWritten: finderIn(writtenInFiles(subject)) })
}

/** Quoted text counts less, and nothing if the recipient is known to have written it. */
function historyFindings(
  { isAnswer }: GuardSubject,
  { history }: Reading,
  hasLink: boolean,
  asWritten: (words: string) => string,
): Finding[] {
  if (history === '' || isAnswer === true) return []
  return phraseFindings(history, { hasLink, isHistory: true, asWritten })
}

/** Hidden text up to this length is the preview of newsletters. */
const PREVIEW_CHARS = 300

/** A text part that shares less than this with the HTML says something else. */
const DIFFERING_SHARE = 0.5
/** Long mail is often honest, and its unread middle hides little; only a mail of mostly unread text is strange. */
const MUCH_UNREAD_CHARS = 256 * 1024
/** A mail with fewer letters besides its pictures consists of them. */
const FEW_LETTERS = 60

function readingFindings({ words, html, unread, differing }: Reading): Finding[] {
  const findings: Finding[] = []
  if (unread > 0) {
    const weight = unread > MUCH_UNREAD_CHARS ? 0.3 : 0.1
    findings.push(found('not_all_read', weight, `${unread} characters of a long text were not read`))
  }
  if (differing >= DIFFERING_SHARE) {
    const detail = `${Math.round(100 * differing)} % of the words of the text part are not in the HTML`
    findings.push(found('parts_differ', 0.15, detail))
  }
  if (html && html.linkedPictures > 0 && (words.match(/\p{L}/gu)?.length ?? 0) < FEW_LETTERS)
    findings.push(found('only_linked_picture', 0.2, 'consists of a picture that is a link'))
  return findings
}

function disguiseFindings({ written, hidden, words, html, torn }: Reading, hiddenWords = 0): Finding[] {
  const findings: Finding[] = []
  const broken = Math.max(brokenWords(written), hiddenWords)
  if (broken >= 3) findings.push(found('hidden_characters', 0.35, `${broken} words contain invisible characters`))
  const disguised = disguisedWords(written)
  if (disguised >= 3)
    findings.push(found('disguised_words', 0.5, `${disguised} words contain letters of another script`))
  else if (torn >= 4)
    findings.push(found('disguised_words', 0.2, `${torn} words have their letters set apart or replaced by digits`))
  const hiddenChars = html?.hiddenChars ?? 0
  if (hidden.length > PREVIEW_CHARS && !isShownToo(hidden, words)) {
    const weight = hidden.length > words.length ? 0.3 : 0.15
    findings.push(found('hidden_text', weight, `${hiddenChars} characters are hidden by CSS`, hidden))
  }
  if (written.includes('EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'))
    findings.push(found('test_virus', 0.95, 'contains the test file of virus scanners (EICAR)'))
  return findings
}

function shoutingFindings(subject: string, { written }: Reading): Finding[] {
  const findings: Finding[] = []
  const title = subject.slice(0, 500)
  const letters = title.match(/\p{L}/gu)?.length ?? 0
  const capitals = letters >= 12 ? (title.match(/\p{Lu}/gu)?.length ?? 0) : 0
  if (letters >= 12 && capitals / letters > 0.8 && title.trim().includes(' '))
    findings.push(found('shouting', 0.2, 'the subject is in capitals', title))
  const marks = written.includes('!!') ? (written.slice(0, MAX_CHARS).match(/!!+/g)?.length ?? 0) : 0
  if (marks >= 3 || title.includes('!!')) findings.push(found('exclamation_marks', 0.15, 'has many exclamation marks'))
  return findings
}
