/** How the plain elements look, and where a page puts them: header, main, text, lists, forms. */

export const BASE = `
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--ground); color: var(--ink); font: var(--text-m)/1.55 var(--sans) }
body { --page: var(--measure) }
body:has(> main.wide) { --page: var(--measure-wide) }
body > header { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--space-4); border-bottom: 1px solid var(--line); padding: var(--space-1) max(var(--space-3), (100% - var(--page)) / 2) }
.brand { display: inline-flex; align-items: center; gap: var(--space-2); min-height: 2.75rem; color: var(--ink); font-weight: 700; text-decoration: none; overflow-wrap: anywhere }
.brand img { flex: none }
nav ul { display: flex; flex-wrap: wrap; gap: 0 var(--space-3); margin: 0; padding: 0; list-style: none }
nav a { display: inline-block; padding: var(--space-2) 0; color: var(--soft); text-decoration: none; border-bottom: 2px solid transparent }
nav a:hover { color: var(--ink); text-decoration: underline }
nav a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent) }
main { max-width: calc(var(--page) + 2 * var(--space-3)); margin: 0 auto; padding: var(--space-4) var(--space-3) var(--space-5) }
main.wide > :is(p, ul, ol, dl, pre, blockquote, form) { max-width: var(--measure) }
h1 { overflow-wrap: anywhere; font-size: var(--text-xxl); line-height: 1.2; margin: var(--space-2) 0 var(--space-3) }
h2 { font-size: var(--text-l); line-height: 1.3; margin: var(--space-4) 0 var(--space-2) }
h3 { font-size: var(--text-m); margin: var(--space-3) 0 var(--space-1) }
hr { border: 0; border-top: 1px solid var(--line); margin: var(--space-4) 0 }
a { color: var(--accent) }
main ul, main ol { padding-left: 1.25rem }
main li { overflow-wrap: anywhere }
blockquote { margin: var(--space-3) 0; padding: var(--space-2) var(--space-3); background: var(--quote); border-left: 0.25rem solid var(--line); overflow-wrap: anywhere; white-space: pre-wrap }
code, pre { font-family: var(--mono); font-size: 0.92em }
code { overflow-wrap: anywhere }
pre { background: var(--quote); padding: var(--space-2) var(--space-3); border-radius: var(--round); margin: var(--space-3) 0; overflow-wrap: anywhere; white-space: pre-wrap }
mark { background: #ffe08a; color: #1c1b1a; padding: 0 0.1em; border-radius: 0.15em }
dl { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: var(--space-1) var(--space-3); margin: var(--space-3) 0 }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
form { margin: var(--space-3) 0 }
fieldset { border: 1px solid var(--line); border-radius: var(--round); margin: var(--space-3) 0; padding: var(--space-2) var(--space-3) }
label { display: block; margin: var(--space-2) 0 }
label.tick { display: flex; gap: var(--space-1); align-items: baseline }
label.tick input { flex: none }
input:is([type=text], [type=email], [type=number], [type=search], [type=datetime-local]), select, textarea { width: 100%; max-width: 28rem; padding: var(--space-2); font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: var(--round) }
textarea { max-width: 100%; min-height: 8rem; resize: vertical }
input[type=checkbox] { margin-right: var(--space-2); width: 1.1em; height: 1.1em; vertical-align: -0.15em }
summary { cursor: pointer; padding: var(--space-1) 0 }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (max-width: 40rem) {
  body > header nav { max-width: 100% }
  body > header nav ul { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap }
}
@media (max-width: 30rem) {
  h1 { font-size: var(--text-xl) }
  dl:not(.numbers) { grid-template-columns: 1fr; gap: 0 }
  dl:not(.numbers) > dd { margin-bottom: var(--space-2) }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } }`
