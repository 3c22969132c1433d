/** Search over the docs: operations, errors, and the headings of the guide. Browsers with scripts search by the same function, in the same index. */
import { ERROR_STATUS } from '../../lib/errors.js'
import { ERROR_MEANINGS } from '../../http/answers/error-meanings.js'
import type { Route } from '../../http/routing/route.js'
import type { GuidePage } from './blocks.js'
import { pythonMethod } from './client-code.js'

/** Something that can be found. */
export interface Entry {
  title: string
  /** A line about it, beside its title. */
  about: string
  /** Other words by which it is found. */
  words: string
  href: string
}

/** The index, as JSON. */
export const SEARCH_PATH = '/docs/search.json'
/** Max characters of a search. */
export const MAX_QUERY = 100

type Operation = Pick<Route<never>, 'operationId' | 'summary' | 'method' | 'path' | 'tag' | 'scopes'>

export function searchEntries(pages: readonly GuidePage[], routes: readonly Operation[]): Entry[] {
  return [
    ...routes.map(({ operationId, summary, method, path, tag, scopes }) => ({
      title: summary,
      about: `${method} ${path}`,
      words: [operationId, pythonMethod(operationId), tag, ...scopes].join(' '),
      href: `/docs/api/${operationId}`,
    })),
    ...Object.entries(ERROR_MEANINGS).map(([code, { meaning, next }]) => ({
      title: code,
      about: meaning.replaceAll('`', ''),
      words: `error ${ERROR_STATUS[isCode(code) ? code : 'internal']} ${next.replaceAll('`', '')}`,
      href: `/docs/errors#${code}`,
    })),
    ...pages.flatMap(({ name, title, about, blocks }) => [
      { title, about: about.replaceAll('`', ''), words: 'guide', href: `/docs/${name}` },
      ...blocks.flatMap((block) =>
        typeof block === 'object' && block.kind === 'heading'
          ? [{ title: block.text, about: title, words: 'guide', href: `/docs/${name}#${anchorOf(block.text)}` }]
          : [],
      ),
    ]),
  ]
}

function isCode(code: string): code is keyof typeof ERROR_STATUS {
  return code in ERROR_STATUS
}

/**
 * Entries that have every word of the query, those with it in their title first, and those whose title begins with it before them. At most 20.
 *
 * Browsers get the text of this function: it uses nothing from outside.
 */
export function matching(entries: readonly Entry[], query: string): Entry[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  const rankOf = ({ title, about, words }: Entry): number => {
    const name = title.toLowerCase()
    const all = `${name} ${about} ${words}`.toLowerCase()
    if (asked.length === 0 || !asked.every((word) => all.includes(word))) return -1
    if (name.startsWith(asked.join(' '))) return 0
    return asked.every((word) => name.includes(word)) ? 1 : 2
  }
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry) }))
  return [0, 1, 2]
    .flatMap((rank) => ranked.filter((each) => each.rank === rank))
    .slice(0, 20)
    .map(({ entry }) => entry)
}

/** How many were found, in words. Browsers get the text of this function too. */
export function foundWords(count: number): string {
  if (count === 0) return 'Nothing found. Try a single word, a path such as /v1/send, or the code of an error.'
  return count === 1 ? '1 result' : `${count} results`
}

/** Name of a heading, to which links lead. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
