/** How the docs look: listings with their button, the languages of an example, what a search found. */

export const DOCS = `
.listing { position: relative; margin: var(--space-3) 0 }
.listing pre { margin: 0 }
main.wide > .listing { max-width: var(--measure) }
.listing > .copy { position: absolute; inset: var(--space-1) var(--space-1) auto auto; margin: 0; background: var(--ground) }
.listing:has(> .copy) pre { padding-inline-end: 5.5rem }
.samples fieldset { display: none }
.samples .listing > p { margin: 0 0 var(--space-1) }
.errors dt { overflow-wrap: anywhere }
.find[action="/docs"] { flex-wrap: nowrap }
.find[action="/docs"] label { flex: 1 1 auto }
main .found { list-style: none; padding: 0; margin: var(--space-2) 0 var(--space-4) }
.found li { padding: var(--space-2) 0; border-bottom: 1px solid var(--line) }
.found li > .small { display: block; overflow-wrap: anywhere }
tr:has(:target) { background: var(--tint) }
[data-found] > p { margin: var(--space-2) 0; color: var(--soft) }
@media (max-width: 40rem) {
  /* Where there is little room, the button has a line of its own. */
  .listing:has(> .copy) pre { padding-inline-end: var(--space-3); padding-block-start: 2.75rem }
}
@supports selector(:has(a)) {
  .samples fieldset { display: flex; gap: 0 var(--space-3); margin: 0; padding: 0; border: 0; border-bottom: 1px solid var(--line) }
  .samples :is(legend, .listing > p, input) { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }
  .samples label { position: relative; margin: 0; padding: var(--space-2) var(--space-1); min-height: 2.75rem; color: var(--soft); border-bottom: 2px solid transparent; cursor: pointer }
  .samples label:has(:checked) { color: var(--ink); font-weight: 600; border-color: var(--accent) }
  .samples label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: -2px }
  .samples .listing { margin-top: var(--space-2) }
  .samples:has([value=sh]:checked) > .listing:not([data-language=sh]),
  .samples:has([value=typescript]:checked) > .listing:not([data-language=typescript]),
  .samples:has([value=python]:checked) > .listing:not([data-language=python]) { display: none }
}`
