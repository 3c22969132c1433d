/** Tables of pages. */
import { html, type Html } from './html.js'

type Cell = string | Html | Html[]

/**
 * A table that scrolls sideways where it is too wide for the screen, and never breaks inside a word.
 *
 * @param label for those who do not see it
 * @param look `cards`: each row is a card on the screen of a phone; `heads`: the first cell of each row is its head
 */
export function table(
  label: string,
  columns: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  look?: 'cards' | 'heads',
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table${look === 'cards' && html` class="cards"`}>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, i) =>
                look === 'heads' && i === 0
                  ? html`<th scope="row">${cell}</th>`
                  : html`<td${look === 'cards' && labelOf(columns[i])}>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const labelOf = (column: Cell | undefined): Html | false => typeof column === 'string' && html` data-label="${column}"`
