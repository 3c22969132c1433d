/** Character references (HTML Standard, §13.2.5.73 and §13.5), as browsers decode them: also without a semicolon, and numbers of Windows-1252. */

/** Names that browsers decode without a semicolon too, in the order of Latin-1 from U+00A0. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm ' +
  'raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde ' +
  'Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave ' +
  'eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** Names that need a semicolon: those of mail programs, and those that spell letters and signs of addresses. */
const NAMED: Record<string, string> = {
  apos: "'", Tab: '\t', NewLine: '\n', excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', plus: '+', comma: ',',
  period: '.', sol: '/', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@', lsqb: '[', bsol: '\\', rsqb: ']', lowbar: '_', lbrace: '{',
  vert: '|', rbrace: '}', hyphen: '\u2010', dash: '\u2010', ndash: '\u2013', mdash: '\u2014', lsquo: '\u2018', rsquo: '\u2019', ldquo: '\u201c',
  rdquo: '\u201d', sbquo: '\u201a', bdquo: '\u201e', bull: '\u2022', hellip: '\u2026', euro: '\u20ac', trade: '\u2122', ensp: '\u2002',
  emsp: '\u2003', thinsp: '\u2009', hairsp: '\u200a', zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f', ZeroWidthSpace: '\u200b',
  NoBreak: '\u2060', NonBreakingSpace: '\u00a0', InvisibleTimes: '\u2062', InvisibleComma: '\u2063', ApplyFunction: '\u2061', OElig: '\u0152',
  oelig: '\u0153', Scaron: '\u0160', scaron: '\u0161', Yuml: '\u0178', fnof: '\u0192', inodot: '\u0131', imath: '\u0131', alpha: '\u03b1',
  omicron: '\u03bf', rho: '\u03c1', nu: '\u03bd', af: '\u2061', it: '\u2062', ic: '\u2063', NegativeThinSpace: '\u200b',
  NegativeMediumSpace: '\u200b', NegativeThickSpace: '\u200b', NegativeVeryThinSpace: '\u200b', fjlig: 'fj', fllig: '\ufb02', filig: '\ufb01', fflig: '\ufb00',
 rarr: '\u2192', larr: '\u2190', raquo: '\u00bb', check: '\u2713',
} // prettier-ignore

const SHORT = new Map<string, string>([
  ...LATIN_1.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
  ...([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['AMP', '&'], ['LT', '<'], ['GT', '>'], ['QUOT', '"'], ['COPY', '\u00a9'], ['REG', '\u00ae']] as [string, string][]), // prettier-ignore
])
const LONG = new Map(Object.entries(NAMED))
const MAX_SHORT_CHARS = 6

/** Numbers 128 to 159 as browsers read them. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

const REFERENCE = /&(?:#x([\da-f]{1,16});?|#(\d{1,16});?|([a-z][a-z\d]{1,24})(;?))/gi

export function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    REFERENCE,
    (whole: string, hex: string | undefined, decimal: string | undefined, name = '', end = '') => {
      if (hex !== undefined) return ofNumber(Number.parseInt(hex, 16))
      if (decimal !== undefined) return ofNumber(Number.parseInt(decimal, 10))
      const meant = SHORT.get(name) ?? (end === ';' ? (LONG.get(name) ?? mathematical(name)) : undefined)
      if (meant !== undefined) return meant
      // `&ampverify`: the longest name at the start counts.
      for (let length = Math.min(MAX_SHORT_CHARS, name.length - 1); length > 1; length--) {
        const short = SHORT.get(name.slice(0, length))
        if (short !== undefined) return `${short}${name.slice(length)}${end}`
      }
      return whole
    },
  )
}

/** Letters of formulas, of which each is named with its script: `&vfr;`, `&vopf;`, `&vscr;`. */
function mathematical(name: string): string | undefined {
  return name.length > 5 ? undefined : /^([a-z])(?:fr|opf|scr)$/i.exec(name)?.[1]
}

function ofNumber(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80] ?? ''
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  // Control characters are shown as nothing, so they would only split words.
  if (code < 0x20 || code === 0x7f) return code === 9 || code === 10 || code === 12 || code === 13 ? ' ' : ''
  return String.fromCodePoint(code)
}
