/** Samples as the trainer takes them: which features are there, what it should answer, and what the rules find. */
import { findingsOf } from '../src/guard/verdict/findings.js'
import { doubtLess } from '../src/guard/verdict/guard.js'
import { createExtractor, type Beginning, type ReadableMessage } from '../src/guard/model/features.js'
import { readingOf } from '../src/guard/text/text.js'
import type { GuardSubject } from '../src/guard/types.js'
import { listsOf } from './lexicon/index.js'
import { isUnwanted, type Label, type Sample } from './sample.js'
import type { AbuseClass } from './scenes/classes.js'

/**
 * Sources that come from one place are one family: whoever is trained on four mailboxes of a company knows the fifth. Nazario's phishing and the
 * mailing lists have one label each, and are looked at together.
 */
export const FAMILIES = ['enron', 'spamassassin', 'recent', 'generated', 'scenes'] as const
export type Family = (typeof FAMILIES)[number]

export interface Example {
  /** `lists` are the word lists, which are only trained on; each style of scenes is a source of its own. */
  family: Family | 'lists'
  source: string
  label: Label
  isUnwanted: boolean
  /** What a scene is about. */
  abuse: AbuseClass | undefined
  /** Of a generated one. */
  template: string | undefined
  language: string | undefined
  words: Uint32Array
  pieces: Uint32Array
  turns: Uint32Array
  beginnings: Beginning[]
  /** What the rules found, as the calibration takes it. */
  findings: number
}

const CORPORA: readonly string[] = ['enron', 'spamassassin', 'recent']
export const isOfCorpora = ({ family }: Example): boolean => CORPORA.includes(family)
export const isOfScenes = ({ family }: Example): boolean => family === 'scenes'

function familyOf(source: string): Family {
  if (source.startsWith('scenes')) return 'scenes'
  if (source === 'generated' || source === 'spamassassin') return source
  return source.startsWith('enron') ? 'enron' : 'recent'
}

/** As an agent of the lowest trust would send it, to somebody who was written to before. */
export function subjectOf(sample: Sample): GuardSubject {
  return {
    kind: 'outbound',
    subject: sample.subject,
    text: sample.text,
    html: sample.html,
    links: sample.links,
    recipientCount: sample.recipientCount,
    newRecipientCount: 0,
    attachments: sample.attachments,
    trust: 0,
    from: sample.from,
    replyTo: sample.replyTo,
  }
}

const extractor = createExtractor()

export function exampleOf(sample: Sample): Example {
  const subject = subjectOf(sample)
  return {
    family: familyOf(sample.source),
    source: sample.source,
    template: sample.template,
    language: sample.language,
    abuse: sample.abuse,
    ...labelled(sample.label),
    ...featuresOf(learntOf(subject, familyOf(sample.source) === 'scenes')),
    findings: doubtLess(findingsOf(subject)),
  }
}

/** @param each lists of each topic */
export function listExamples(each: number): Example[] {
  return listsOf(each).map(({ label, language, words }) => ({
    family: 'lists' as const,
    source: 'lists',
    template: undefined,
    language,
    abuse: undefined,
    ...labelled(label),
    ...featuresOf(learntOf({ ...subjectOf(EMPTY), text: words }, false)),
    findings: 0,
  }))
}

const EMPTY: Sample = {
  label: 'legitimate',
  source: 'lists',
  subject: '',
  text: '',
  html: null,
  from: null,
  replyTo: [],
  links: [],
  recipientCount: 1,
  attachments: [],
}

function labelled(label: Label): Pick<Example, 'label' | 'isUnwanted'> {
  return { label, isUnwanted: isUnwanted(label) }
}

/**
 * The text from which the trainer learns.
 *
 * @param isScene in a scene with hidden text that makes the difference; what is shown is alike on both sides
 */
export function learntOf(subject: GuardSubject, isScene: boolean): ReadableMessage {
  const { title, words, hidden } = readingOf(subject)
  return { title, words: isScene && hidden !== '' ? hidden : words }
}

function featuresOf(message: ReadableMessage): Pick<Example, 'words' | 'pieces' | 'turns' | 'beginnings'> {
  const { words, pieces, turns, beginnings } = extractor.extract(message)
  return { words: words.slice(), pieces: pieces.slice(), turns: turns.slice(), beginnings }
}
