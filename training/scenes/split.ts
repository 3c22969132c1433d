/**
 * Which styles are trained on. A style stands in one split only: lines of the guard are tuned on one half of the styles that are held out, and the
 * other half is reported. Nothing of a language in `HELD_OUT_LANGUAGES` is trained on, in any style.
 */
export type Split = 'train' | 'tune' | 'report'

const STYLES: Record<string, Split> = {
  acacia: 'train',
  alder: 'train',
  almond: 'train',
  ash: 'tune',
  aspen: 'train',
  beech: 'train',
  birch: 'train',
  cedar: 'train',
  cherry: 'train',
  chestnut: 'train',
  cypress: 'train',
  elder: 'train',
  elm: 'train',
  fig: 'train',
  fir: 'train',
  hawthorn: 'train',
  hazel: 'train',
  holly: 'train',
  hornbeam: 'train',
  ivy: 'train',
  jasmine: 'train',
  juniper: 'train',
  larch: 'train',
  laurel: 'train',
  lilac: 'train',
  linden: 'train',
  magnolia: 'train',
  maple: 'train',
  medlar: 'train',
  mimosa: 'train',
  myrtle: 'train',
  oak: 'train',
  olive: 'train',
  pine: 'train',
  plum: 'train',
  poplar: 'train',
  quince: 'train',
  rowan: 'train',
  spruce: 'tune',
  sycamore: 'report',
  walnut: 'train',
  willow: 'tune',
  yew: 'tune',
}
/** Of scenes; the word lists and templates may know words of theirs. */
export const HELD_OUT_LANGUAGES = ['hu', 'da', 'ms', 'sk']

/** The styles that stand in a split. */
export function stylesOf(split: Split): string[] {
  return Object.keys(STYLES).filter((style) => STYLES[style] === split)
}

export function splitOf(style: string, language: string): Split {
  const split = STYLES[style]
  if (split === undefined) throw new Error(`training/scenes/split.ts does not name the style ${style}`)
  return split === 'train' && HELD_OUT_LANGUAGES.includes(language) ? 'tune' : split
}
