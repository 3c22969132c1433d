/** Tables of pages. */
import { html, type Html } from './html.js'

/**
 * A table that scrolls sideways on narrow screens.
 *
 * @param label for those who do not see it
 * @param rows each a `<tr>`
 */
export function table(
  label: string,
  columns: readonly (string | Html[])[],
  rows: readonly Html[],
  isWide = false,
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table${isWide && html` class="wide"`}>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

export const row = (cells: readonly (string | Html | Html[])[]): Html =>
  html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`
