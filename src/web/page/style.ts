/** The one style of the pages: the system's font, light and dark by the reader's own setting, contrast of WCAG AA in both. */
export const STYLE = `:root{color-scheme:light dark;--ground:#fbfaf7;--card:#fff;--ink:#1c1b1a;--soft:#5a5650;--line:#d9d4ca;--accent:#0b5c5c;--on-accent:#fff;--danger:#a3232a;--quote:#f1eee6;--good:#1f6b3a;--line1:#1a5fb4;--line2:#b3410e;--line3:#6b3fa0}
@media (prefers-color-scheme:dark){:root{--ground:#161615;--card:#1f1f1d;--ink:#ecebe6;--soft:#b0aca2;--line:#3b3a36;--accent:#7fd1c7;--on-accent:#0d2321;--danger:#ff9b96;--quote:#2a2926;--good:#8fd6a4;--line1:#7db4ff;--line2:#ffab70;--line3:#d3a8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem 4rem}
header{border-bottom:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;max-width:44rem;margin:0 auto;padding:.75rem 1rem;list-style:none}
h1{overflow-wrap:anywhere;font-size:1.6rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:1.25rem 0 .4rem}
a{color:var(--accent)}
main ul{padding-left:1.25rem}
nav a[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.1rem;margin:1rem 0}
.card>h2:first-child{margin-top:0}
.card>p:last-child{margin-bottom:0}
.address{font-size:1.2rem;font-weight:600;overflow-wrap:anywhere}
.small{color:var(--soft);font-size:.875rem}
.good{color:var(--good)}
.bad{color:var(--danger)}
ul:has(>li.card){list-style:none;padding:0}
blockquote{margin:.75rem 0;padding:.6rem .9rem;background:var(--quote);border-left:.25rem solid var(--line);overflow-wrap:anywhere;white-space:pre-wrap}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.92em;overflow-wrap:anywhere;white-space:pre-wrap}
mark{background:#ffe08a;color:#1c1b1a;padding:0 .1em;border-radius:.15em}
pre{background:var(--quote);padding:.7rem .9rem;border-radius:.4rem;margin:.75rem 0}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.3rem 1rem;margin:.75rem 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.45rem .6rem .45rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
table.wide{min-width:34rem}
.scroll{overflow-x:auto}
form{margin:.75rem 0}
fieldset{border:1px solid var(--line);border-radius:.4rem;margin:.75rem 0;padding:.5rem .9rem .7rem}
label{display:block;margin:.4rem 0}
label.tick{display:flex;gap:.25rem;align-items:baseline}
label.tick input{flex:none}
input[type=text],input[type=email],input[type=number],select,textarea{width:100%;max-width:28rem;padding:.5rem .6rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.4rem}
input[type=checkbox]{margin-right:.5rem;width:1.1em;height:1.1em;vertical-align:-.15em}
button,.button{display:inline-block;padding:.6rem 1.1rem;margin:.2rem .5rem .2rem 0;font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:.45rem;text-decoration:none;cursor:pointer}
button.plain,.button.plain{color:var(--ink);background:transparent;border-color:var(--soft)}
button.danger{color:var(--danger);background:transparent;border-color:var(--danger)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;list-style:none;margin:.25rem 0 .5rem;padding:0;font-size:.875rem}
main .legend{padding:0}
.sample{width:1.75rem;height:.6rem;margin-right:.4rem;vertical-align:middle}
.chart{display:grid;grid-template-columns:auto 1fr;gap:.15rem .5rem}
.chart>svg{width:100%;height:9rem;overflow:visible}
.scale{display:flex;flex-direction:column;justify-content:space-between;text-align:right;line-height:1;white-space:nowrap}
.times{grid-column:2;display:flex;justify-content:space-between}
.grid{stroke:var(--line);stroke-width:1;fill:none;vector-effect:non-scaling-stroke}
.line{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}
.line1{stroke:var(--line1)}
.line2{stroke:var(--line2);stroke-dasharray:6 3}
.line3{stroke:var(--line3);stroke-dasharray:2 3}
textarea{max-width:45rem}
dl.numbers{grid-template-columns:repeat(auto-fit,minmax(6.5rem,1fr));gap:.75rem 1rem}
dl.numbers dd{font-size:1.35rem;font-weight:600}
@media (max-width:30rem){button,.button{width:100%;text-align:center}dl:not(.numbers){grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}
`
