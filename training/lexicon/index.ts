/** Lists of words that belong together, drawn from the topics. */
import { createRandom, type Random } from '../generated/template.js'
import { isUnwanted, type Label } from '../sample.js'
import { arabic } from './ar.js'
import { czech } from './cs.js'
import { danish } from './da.js'
import { german } from './de.js'
import { english } from './en.js'
import { spanish } from './es.js'
import { french } from './fr.js'
import { hindi } from './hi.js'
import { italian } from './it.js'
import { japanese } from './ja.js'
import { korean } from './ko.js'
import { dutch } from './nl.js'
import { polish } from './pl.js'
import { portuguese } from './pt.js'
import { russian } from './ru.js'
import { swedish } from './sv.js'
import { turkish } from './tr.js'
import { ukrainian } from './uk.js'
import { chinese } from './zh.js'
import type { Topic } from './topic.js'

export const topics: Topic[] = [
  ...arabic,
  ...czech,
  ...danish,
  ...german,
  ...english,
  ...spanish,
  ...french,
  ...hindi,
  ...italian,
  ...japanese,
  ...korean,
  ...dutch,
  ...polish,
  ...portuguese,
  ...russian,
  ...swedish,
  ...turkish,
  ...ukrainian,
  ...chinese,
]

interface WordList {
  label: Label
  language: string
  words: string
}

/** Mostly words of one topic, and some of another that is wanted or unwanted alike. */
export function listsOf(each: number): WordList[] {
  return topics.flatMap((topic) => {
    const alike = topics.filter(
      ({ language, label }) => language === topic.language && isUnwanted(label) === isUnwanted(topic.label),
    )
    const random = createRandom(`${topic.language} ${topic.label} ${topic.name}`)
    return Array.from({ length: each }, () => ({
      label: topic.label,
      language: topic.language,
      words: draw(random, entriesOf(topic), entriesOf(random.pick(alike))),
    }))
  })
}

function draw(random: Random, own: string[], other: string[]): string {
  const count = random.int(3, 24)
  return Array.from({ length: count }, () => random.pick(random.chance(0.75) ? own : other)).join(' . ')
}

const known = new Map<Topic, string[]>()

function entriesOf(topic: Topic): string[] {
  const entries = known.get(topic) ?? topic.words.split(',').map((entry) => entry.trim())
  known.set(topic, entries)
  return entries
}
