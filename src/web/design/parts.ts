/** The parts that pages are made of: cards, buttons, notices, tables, empty states, charts. */

export const PARTS = `
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: var(--space-3); margin: var(--space-3) 0 }
.card > :first-child { margin-top: 0 }
.card > :last-child { margin-bottom: 0 }
ul:has(> li.card) { list-style: none; padding: 0 }
.notice { border-left: 0.25rem solid var(--accent); background: var(--tint) }
.notice.bad, .card.bad { border-left: 0.25rem solid var(--danger); background: var(--danger-tint) }
.notice.warn { border-left-color: var(--warn); background: var(--warn-tint) }
.empty { color: var(--soft); border: 1px dashed var(--edge); border-radius: var(--round); padding: var(--space-4) var(--space-3); text-align: center }
.empty > p:first-child { margin-top: 0; color: var(--ink); font-weight: 600 }
.empty > p:last-child { margin-bottom: 0 }
.address { font-size: var(--text-l); font-weight: 600; overflow-wrap: anywhere }
.small { color: var(--soft); font-size: var(--text-s) }
.good { color: var(--good) }
.bad { color: var(--danger) }
.label { display: inline-block; padding: 0 var(--space-2); border: 1px solid var(--edge); border-radius: 1rem; font-size: var(--text-s); white-space: nowrap }
button, .button { display: inline-block; min-height: 2.75rem; padding: var(--space-2) var(--space-3); margin: var(--space-1) var(--space-2) var(--space-1) 0; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: var(--round); text-decoration: none; cursor: pointer }
:is(button, .button).plain { color: var(--ink); background: transparent; border-color: var(--edge) }
:is(button, .button).danger { color: var(--danger); background: transparent; border-color: var(--danger) }
:is(button, .button).danger.first { color: var(--on-danger); background: var(--danger) }
table { width: 100%; border-collapse: collapse; margin: var(--space-2) 0 }
th, td { text-align: left; vertical-align: top; padding: var(--space-2) var(--space-3) var(--space-2) 0; border-bottom: 1px solid var(--line) }
th { color: var(--soft); font-size: var(--text-s); font-weight: 600 }
.scroll { overflow-x: auto }
.scroll td code { overflow-wrap: normal }
.legend { display: flex; flex-wrap: wrap; gap: 0 var(--space-3); list-style: none; margin: var(--space-1) 0 var(--space-2); font-size: var(--text-s) }
main .legend { padding: 0 }
.sample { width: 1.75rem; height: 0.6rem; margin-right: var(--space-2); vertical-align: middle }
.chart { display: grid; grid-template-columns: auto 1fr; gap: 0.15rem var(--space-2) }
.chart > svg { width: 100%; height: 9rem; overflow: visible }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; line-height: 1; white-space: nowrap }
.times { grid-column: 2; display: flex; justify-content: space-between }
.grid { stroke: var(--line); stroke-width: 1; fill: none; vector-effect: non-scaling-stroke }
.line { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke }
.line1 { stroke: var(--line1) }
.line2 { stroke: var(--line2); stroke-dasharray: 6 3 }
.line3 { stroke: var(--line3); stroke-dasharray: 2 3 }
dl.numbers { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: var(--space-3) }
dl.numbers dd { font-size: var(--text-xl); font-weight: 600 }
@media (max-width: 40rem) {
  button, .button { width: 100%; margin-right: 0; text-align: center }
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table.cards :is(tbody, tr, td) { display: block }
  table.cards tr { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: var(--space-2) var(--space-3); margin: var(--space-3) 0 }
  table.cards td { padding: var(--space-1) 0; border: 0; overflow-wrap: anywhere }
  table.cards td[data-label]::before { content: attr(data-label); display: block; color: var(--soft); font-size: var(--text-s) }
}`
