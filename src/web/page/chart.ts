/**
 * A chart over time as SVG, drawn here: no script, and nothing that the policy of the pages forbids. It stretches to any width, so its words stand beside it in
 * HTML; lines are told apart by their dashes as well as by colour, and the same numbers are there as a table.
 */
import { html, type Html } from './html.js'

export interface Series {
  name: string
  /** One for each step; null where nothing is known. */
  values: readonly (number | null)[]
}

export interface Chart {
  /** Stands in ids: small letters and dashes. */
  id: string
  title: string
  /** The unit of a step: `in ten minutes`. */
  per: string
  /** Three at most. */
  series: readonly Series[]
  /** Formats a number. */
  show: (value: number) => string
  /** The axis goes up to this at least: halves of what is counted would be no numbers of it. */
  least?: number
  /** A line in words for those who don't see it. */
  summary: string
  /** Shown in the place of a chart in which nothing is. */
  empty: string
  /** Times under the axis, from left to right. */
  ticks: readonly string[]
  /** Heading of the table. */
  numbers?: string
  table: Html
}

/** Height of the drawing, before scaling. */
const HEIGHT = 100
const STEP = 10

export function chart(spec: Chart): Html {
  const { id, title, per, series, show, least = 0, summary, empty, ticks, table } = spec
  const { numbers = 'Numbers by the hour' } = spec
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  if (highest === 0)
    return html`<section class="card" aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      <p>${empty}</p>
    </section>`
  const top = roundUp(Math.max(highest, least))
  const width = Math.max(1, ...series.map(({ values }) => values.length)) * STEP
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <ul class="legend">
      ${series.map(
        ({ name }, at) =>
          html`<li>
            <svg class="sample" viewBox="0 0 24 8" aria-hidden="true">
              <path class="line line${at + 1}" d="M0 4H24" /></svg
            >${name}
          </li>`,
      )}
    </ul>
    <div class="chart">
      <div class="scale small" aria-hidden="true">
        <span>${show(top)}</span><span>${show(top / 2)}</span><span>${show(0)}</span>
      </div>
      <svg
        viewBox="0 0 ${width} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-labelledby="${id}-title"
        aria-describedby="${id}-desc"
      >
        <title id="${id}-title">${title}, ${per}</title>
        <desc id="${id}-desc">${summary}</desc>
        <path class="grid" d="M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}" />
        ${series.map(({ values }, at) => html`<path class="line line${at + 1}" d="${pathOf(values, top)}" />`)}
      </svg>
      <div class="times small" aria-hidden="true">${ticks.map((tick) => html`<span>${tick}</span>`)}</div>
    </div>
    <details>
      <summary>${numbers}</summary>
      ${table}
    </details>
  </section>`
}

/** Steps, so that what stands alone between gaps is seen. */
export function pathOf(values: readonly (number | null)[], top: number): string {
  let path = ''
  let isDrawing = false
  values.forEach((value, at) => {
    if (value === null) {
      isDrawing = false
      return
    }
    const y = Math.round((1 - value / top) * HEIGHT * 10) / 10
    path += isDrawing ? `V${y}` : `M${at * STEP} ${y}`
    path += `H${(at + 1) * STEP}`
    isDrawing = true
  })
  return path
}

/** To 1 or an even number and noughts, which halve well. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const first = [1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10
  return first * power
}
