/** The names of HTML elements, by what they do to text. */

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Begin a new line. All others, known or not, are within a line, so that `Ver<b></b>ify` is one word. */
export const BLOCK = named(
  'address article aside blockquote body br center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html ' +
    'legend li main menu nav ol optgroup option p pre search section select summary table tbody tfoot thead tr ul caption title',
)
export const CELL = named('td th')
export const VOID = named('area base br col embed hr img input link meta param source track wbr')
/** Their content is no text of the message. */
export const UNREAD = named('style script title template iframe noembed noframes')
/** Shown by programs that do not know the element, or have no frames. */
export const SOMETIMES_READ = named('iframe noembed noframes')
/** Their content is text, whatever markup it looks like. */
export const RAW_TEXT = named('textarea xmp plaintext')
/** Never seen: parentheses for programs without annotations, descriptions of drawings and formulas. */
export const UNSEEN = named('rp desc metadata defs annotation annotation-xml area param')
/** Seen where a program does not know the element, or opens it. */
export const PARTLY_SEEN = named('audio video canvas datalist')
/** Ignored outside of tables. */
export const TABLE_PART = named('caption tbody thead tfoot tr td th')
/** End an open paragraph. */
export const ENDS_PARAGRAPH = named(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu ' +
    'nav ol p pre search section summary table ul dd dt td th tr tbody',
)
/** A start tag ends an open element of these names. */
export const ENDS: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  dd: ['dd', 'dt'],
  dt: ['dd', 'dt'],
  option: ['option'],
  a: ['a'],
  button: ['button'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  tr: ['td', 'th', 'tr'],
  tbody: ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot'],
  thead: ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot'],
  tfoot: ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot'],
}
/** Elements past which an end is not implied. */
export const SCOPE = named('table ul ol dl select html')

const ATTRIBUTE = /([^\s"'<>/=]{1,60})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g
const READ = named(
  'style class id hidden dir bgcolor background color text alt href src srcdoc type value placeholder open name action label x y width height size title',
)
const MAX_ATTRIBUTES = 60

/** The attributes that matter here, by lower-case name; the first of a name counts. @param more names that matter too */
export function attributesIn(text: string, more?: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>()
  let count = 0
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    if (++count > MAX_ATTRIBUTES) break
    const key = name.toLowerCase()
    if ((READ.has(key) || key.startsWith('data-') || more?.has(key) === true) && !found.has(key))
      found.set(key, double ?? single ?? bare ?? '')
  }
  return found
}
