/** How the inbox looks: the list, a conversation, messages and their frames. */

/** Heights of the frame of an HTML message, in lines (inbox/html-frame.ts). */
export const FRAME_LINES = [6, 10, 16, 24, 36, 60] as const

export const INBOX = `
main nav ul { padding: 0 }
main.wide > .messages { max-width: 60rem }
.views { border-bottom: 1px solid var(--line); margin: 0 0 var(--space-3) }
.find { display: flex; flex-wrap: wrap; align-items: end; gap: var(--space-2) var(--space-3); margin: var(--space-3) 0 }
main.wide > form.find { max-width: none }
.find label { margin: 0; flex: 1 1 14rem; min-width: 0 }
.find label:has(select) { flex: 0 1 18rem }
.find label > :is(input, select) { display: block; width: 100%; max-width: none }
.find button { width: auto; margin: 0 }
.find details { flex: 1 0 100% }
.find :is(summary, p) { margin: 0; padding: 0 }
.bulk { margin: 0 }
main.wide > form:has(.mails, .bar) { max-width: none }
.fresh { min-height: 1.55em; margin: var(--space-2) 0 }
.fresh.has-come { font-weight: 600 }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); margin: var(--space-2) 0 }
.bar :is(button, .button) { width: auto; margin: 0 }
.bar form { margin: 0 }
.joined { display: inline-flex; flex: 0 1 auto; min-width: 0 }
.joined input[type=text] { width: 10rem; min-width: 5rem; border-start-end-radius: 0; border-end-end-radius: 0 }
.joined button { border-start-start-radius: 0; border-end-start-radius: 0; border-inline-start: 0; white-space: nowrap }
main .mails, main .messages { list-style: none; margin: 0; padding: 0 }
.mails { border-top: 1px solid var(--line) }
.mail { display: flex; border-bottom: 1px solid var(--line) }
.mail.unread { background: var(--card) }
.mail:hover, .mail:focus-within { background: var(--tint) }
.pick { display: flex; flex: none; align-items: center; justify-content: center; width: 2.75rem; margin: 0 }
.pick input[type=checkbox] { margin: 0 }
.mail > a { display: grid; flex: 1; min-width: 0; grid-template-columns: minmax(8rem, 13rem) minmax(0, 1fr) minmax(0, auto) minmax(6.5rem, auto); gap: var(--space-1) var(--space-3); align-items: baseline; padding: var(--space-2) var(--space-2) var(--space-2) 0; color: inherit; text-decoration: none }
.mail > a:first-child { padding-left: var(--space-2) }
.mail > a > * { min-width: 0 }
.who, .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.preview { color: var(--soft) }
.unread .who, .unread .subject { font-weight: 700 }
.mail:hover .subject, .mail > a:focus .subject { text-decoration: underline }
.facts { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: var(--space-1); max-width: 18rem }
.facts .label { max-width: 9rem; overflow: hidden; text-overflow: ellipsis }
.label.bad { border-color: var(--danger) }
.when { text-align: right; white-space: nowrap }
.dot { display: inline-block; width: 0.6rem; height: 0.6rem; margin-inline-end: var(--space-2); border-radius: 50%; background: var(--accent) }
.pager { margin: var(--space-3) 0 }
.message > details > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-3); min-height: 2.75rem }
.message > details > summary .who { font-weight: 600; max-width: 100% }
.message > details > summary .preview { flex: 1 1 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.message details[open] > summary .preview { display: none }
.message.card { padding-block: var(--space-1) }
.message.card:has(> details[open]) { padding-bottom: var(--space-3) }
main .message dl { margin: var(--space-2) 0 var(--space-3); gap: 0 var(--space-3); grid-template-columns: minmax(5rem, auto) 1fr }
.mail-text { max-width: var(--measure); overflow-wrap: anywhere; white-space: pre-wrap; margin: var(--space-3) 0 }
.message summary { padding-block: 0 }
.message h2 { font-size: var(--text-m); margin: var(--space-3) 0 var(--space-1) }
.mail-frame { display: block; width: 100%; height: calc(var(--lines) * var(--line-height) + 3rem); --line-height: 1.5rem; min-height: 8rem; border: 1px solid var(--line); border-radius: var(--round); background: #fff; resize: vertical }
${FRAME_LINES.map((lines) => `.lines-${lines} { --lines: ${lines} }`).join('\n')}
.preview-picture { display: block; max-width: min(100%, 24rem); max-height: 20rem; margin: var(--space-2) 0; border: 1px solid var(--line); border-radius: var(--round) }
.file-text { white-space: pre-wrap; overflow-wrap: anywhere }
.pictures button { min-height: 2.25rem; padding-block: 0; font-size: var(--text-s); font-weight: 400 }
.senders { list-style: none; margin: 0; padding: 0 }
.senders li { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-3) }
.senders button { width: auto; margin: 0; margin-inline-start: auto }
main .labels { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3); list-style: none; margin: var(--space-2) 0; padding: 0 }
.labels li { display: flex; align-items: center; min-width: 0 }
.labels form { margin: 0 }
.labels a { min-height: 1.75rem; line-height: 1.75rem; color: var(--ink); text-decoration: none; overflow: hidden; text-overflow: ellipsis }
.labels a:hover { text-decoration: underline }
.labels button { width: auto; min-width: 1.75rem; min-height: 1.75rem; margin: 0; padding: 0; color: var(--soft); background: transparent; border-color: transparent; font-weight: 400 }
.code { font-size: var(--text-l); font-weight: 600 }
button.copy { width: auto; min-height: 2rem; padding: 0 var(--space-2) }
.deliveries { padding-left: 0; list-style: none }
.keys { max-width: 24rem; padding: var(--space-4); color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: var(--round) }
.keys dl { grid-template-columns: 3rem 1fr; margin-top: 0 }
kbd { padding: 0 var(--space-2); font-family: var(--mono); border: 1px solid var(--edge); border-radius: 0.25rem }
main.wide > form.write { max-width: 60rem }
.write label > :is(input[type=text], textarea) { display: block; max-width: none }
.write textarea { min-height: 16rem }
.write .files ul { list-style: none; margin: 0; padding: 0 }
.write summary { min-height: 2rem }
.write > .bar { position: sticky; bottom: 0; margin: 0; padding: var(--space-2) 0; background: var(--ground) }
html:has(.write) { scroll-padding-bottom: 5rem }
@media (max-width: 48rem) {
  .mail > a { grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--space-2) }
  .mail .who { grid-area: 1 / 1 }
  .mail .when { grid-area: 1 / 2 }
  .mail .what { grid-area: 2 / 1 / 3 / 3 }
  .mail .facts { grid-area: 3 / 1 / 4 / 3; justify-content: flex-start; max-width: none }
  .mail .subject, .mail .preview { display: block; overflow: hidden; text-overflow: ellipsis }
  .views ul { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap }
  .bulk { display: flex; flex-direction: column }
  .bar button { padding-inline: var(--space-2) }
}
@media (max-width: 48rem) {
  @supports selector(:has(a)) {
    /* Where there is little room, what can be done with the selected is shown once something is. */
    .bulk > .bar { display: none }
    .bulk:has(.pick :checked) > .bar { display: flex; order: 1; position: sticky; bottom: 0; margin: 0 calc(-1 * var(--space-3)); padding: var(--space-2) var(--space-3); background: var(--card); border-top: 1px solid var(--line) }
  }
}
@media (max-width: 36rem) {
  /* Lines have half as many words, so there are more of them. */
  .mail-frame { --line-height: 2.5rem }
  .find label, .find label:has(select) { flex: 1 1 100% }
}`
