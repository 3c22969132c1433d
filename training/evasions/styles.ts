/** Letters between those of words that styles take away, and text that only styles seem to take away. */
import { hiddenBy, hiddenInline, inHtml, lines, woven, type Evasion } from './written.js'

export const STYLES: Record<string, Evasion> = {
  'hidden letters in words': hiddenInline('font-size:0'),
  'letters hidden by a class': (text) => inHtml(`<style>.k{display:none}</style>${woven(text, '<i class="k">zq</i>')}`),
  'letters in the colour of the ground': (text) =>
    inHtml(`<div style="background:#f0f0f0">${woven(text, '<font color="#eeeeee">q</font>')}</div>`),
  // Selectors
  'hidden by an element within another': hiddenBy('p > span i{display:none}', '<span><i>zq</i></span>'),
  'hidden by an attribute': hiddenBy('[data-k^="z"]{display:none}', '<i data-k="zx">zq</i>'),
  'hidden by several classes': hiddenBy('.a{display:none}.a.b{display:inline}.a.b.c{display:none}', '<i class="c b a">zq</i>'), // prettier-ignore
  'hidden by a sibling': hiddenBy('b + i{font-size:0}', '<b></b><i>zq</i>'),
  'hidden by its order': hiddenBy('span i:first-child{display:none}', '<span><i>zq</i></span>'),
  'hidden by what it is not': hiddenBy('i:not(.seen){display:none}', '<i>zq</i>'),
  'hidden by the stronger rule': hiddenBy('#k.k{display:none}i.k{display:inline}.k{display:inline}', '<i id="k" class="k">zq</i>'), // prettier-ignore
  'hidden by importance': hiddenBy('.k{display:none!important}', '<i class="k" style="display:inline">zq</i>'),
  'hidden by nested rules': hiddenBy('p{color:#222; & .k{display:none} margin:0}'),
  'hidden by a rule for screens': hiddenBy('@media only screen and (min-width:1px){.k{display:none}}'),
  'hidden by a rule for light screens': hiddenBy('@media (prefers-color-scheme:light){@supports (display:flex){.k{display:none}}}'), // prettier-ignore
  'hidden by a layer': hiddenBy('@charset "utf-8";@import url("x;{.css");@layer a{.k{display:none}}'),
  'hidden by escaped names': hiddenBy('.k\\31 {d\\isplay:no\\6e e}', '<i class="k1">zq</i>'),
  'hidden by a variable': hiddenBy(':root{--zq:none}.k{display:var(--zq)}'),
  'hidden by the default of a variable': hiddenBy('.k{font-size:var(--no,0px)}'),
  // Sizes
  'hidden by a calculation': hiddenInline('font-size:calc(1px - 1px)'),
  'hidden by the least of sizes': hiddenInline('font-size:min(16px,.5px)'),
  'hidden by the shorthand of fonts': hiddenInline('font:italic bold 1px/30px Georgia,serif'),
  'hidden in a box without height': hiddenInline('display:inline-block;height:0;overflow:hidden'),
  'hidden in a box without size by hyphenated names': hiddenInline('display:inline-block;inline-size:0;overflow-x:hidden'), // prettier-ignore
  'hidden by the height of lines': hiddenInline('display:inline-block;line-height:0;overflow:hidden'),
  // Places
  'hidden outside the window': hiddenInline('position:absolute;inset:0 auto auto -120vw'),
  'hidden by a clip': hiddenInline('position:absolute;clip:rect(0,0,0,0)'),
  'hidden by a clipping path': hiddenInline('clip-path:polygon(0 0,0 0,0 0)'),
  'hidden by a turn': hiddenInline('display:inline-block;transform:rotateY(90deg);width:0'),
  'hidden by a matrix': hiddenInline('position:absolute;transform:matrix(0,0,0,0,0,0)'),
  'hidden by a move': hiddenInline('position:absolute;translate:-9999px'),
  'hidden by scale': hiddenInline('position:absolute;scale:0'),
  // Colours
  'hidden by layers of opacity': (text) =>
    inHtml(woven(text, '<span style="opacity:.2"><span style="opacity:20%">zq</span></span>')),
  'hidden by an inherited colour': (text) =>
    inHtml(woven(text, '<span style="color:#fff"><font style="color:inherit">zq</font></span>')),
  'hidden by the colour of the letters': (text) =>
    inHtml(woven(text, '<span style="color:#123;background:currentColor">zq</span>')),
  'hidden by a colour with alpha': hiddenInline('color:#00000001'),
  'hidden by shares of a colour': hiddenInline('color:rgb(100% 100% 100% / 1)'),
  'hidden by hue': hiddenInline('color:hsl(0turn 0% 100%)'),
  'hidden by white and black': hiddenInline('color:hwb(0 100% 0%)'),
  'hidden by a rare name': (text) =>
    inHtml(`<div style="background:papayawhip">${woven(text, '<span style="color:PapayaWhip">zq</span>')}</div>`),
  'hidden on the ground of a cell': (text) =>
    inHtml(`<table><tr><td bgcolor="f8f8f0">${woven(text, '<font color="#F9F9F1">zq</font>')}</table>`),
  'hidden by a mask': hiddenInline('-webkit-mask-image:linear-gradient(transparent,transparent)'),
  'hidden by visibility of content': hiddenInline('display:inline-block;width:0;content-visibility:hidden'),
  'hidden as the first letter': (text) =>
    inHtml(`<style>.f{display:inline-block}.f::first-letter{font-size:0}</style>${lines(text, (line) => `<p>${line.replace(/[A-Za-z]+/g, '<span class="f">z$&</span>')}</p>`)}`), // prettier-ignore
  // Seen, though it seems not to be
  'seen by its shadow': (text) => inHtml(`<div style="color:transparent;text-shadow:0 0 #222">${lines(text)}</div>`),
  'seen by its ground': (text) =>
    inHtml(`<div style="background-color:#222;-webkit-background-clip:text;color:transparent">${lines(text)}</div>`),
  'seen by the colour of its filling': (text) =>
    inHtml(`<div style="color:#fff;-webkit-text-fill-color:#222">${lines(text)}</div>`),
  'seen by its outline': (text) => inHtml(`<div style="color:#fff;-webkit-text-stroke:1px #222">${lines(text)}</div>`),
  'seen on a dark page': (text) => inHtml(`<style>body{background:#111}</style><div style="color:#fff">${lines(text)}</div>`), // prettier-ignore
  'seen by a later declaration': (text) =>
    inHtml(`<div style="display:none;opacity:0;opacity:1;display:block">${lines(text)}</div>`),
  'seen on all but print': (text) => inHtml(`<style>@media print{p{display:none}}</style>${lines(text)}`),
  'seen because a value is wrong': (text) => inHtml(`<div style="display:none none;font-size:0 px">${lines(text)}</div>`), // prettier-ignore
}
