/** Measures of how well scores separate two classes of examples. */

export interface Scored {
  score: number
  isUnwanted: boolean
}

/** Area under the receiver operating characteristic: how often an unwanted one scores higher than a wanted one; ties count half. */
export function auc(scored: Scored[]): number {
  const sorted = [...scored].sort((a, b) => a.score - b.score)
  let ranks = 0
  let unwanted = 0
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to++
    for (let i = from; i < to; i++) {
      if (!sorted[i]?.isUnwanted) continue
      ranks += (from + to + 1) / 2
      unwanted++
    }
    from = to
  }
  const wanted = sorted.length - unwanted
  return (ranks - (unwanted * (unwanted + 1)) / 2) / (unwanted * wanted)
}

/** The score that this share of wanted ones is above. */
export function lineAt(scored: Scored[], falsePositives: number): number {
  const wanted = scored.filter(({ isUnwanted }) => !isUnwanted).map(({ score }) => score)
  wanted.sort((a, b) => b - a)
  return wanted[Math.floor(wanted.length * falsePositives)] ?? -Infinity
}

/** Shares that are above a line. */
export function sharesAbove(scored: Scored[], line: number): { recall: number; falsePositives: number } {
  const share = (of: Scored[]): number => of.filter(({ score }) => score > line).length / Math.max(1, of.length)
  return {
    recall: share(scored.filter(({ isUnwanted }) => isUnwanted)),
    falsePositives: share(scored.filter(({ isUnwanted }) => !isUnwanted)),
  }
}
