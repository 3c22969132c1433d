/** What stands in front of the text, or around it. */
import { escaped, inHtml, inText, lines, padding, type Evasion } from './written.js'

export const AROUND: Record<string, Evasion> = {
  'a picture in front': (text) => inHtml(`<img src="data:image/png;base64,${'A'.repeat(60_000)}">${lines(text)}`),
  'styles in front': (text) => inHtml(`<style>${'.x{color:#123456;margin:0}'.repeat(3000)}</style>${lines(text)}`),
  'a comment in front': (text) => inHtml(`<!-- ${'figures '.repeat(10_000)} -->${lines(text)}`),
  'attributes in front': (text) => inHtml(`<p title="${'figures > '.repeat(8000)}">x</p>${lines(text)}`),
  'a script in front': (text) => inHtml(`<script>var a = "${'b<c '.repeat(20_000)}"</script>${lines(text)}`),
  'harmless text above': (text) => inText(`${padding(9000)}\n\n${text}`),
  'much harmless text above': (text) => inText(`${padding(60_000)}\n\n${text}`),
  'harmless text around': (text) => inText(`${padding(8000)}\n\n${text}\n\n${padding(8000)}`),
  'hidden harmless text above': (text) => inHtml(`<div style="display:none">${padding(40_000)}</div>${lines(text)}`),
  'many blank lines above': (text) => inText(`Hello\n${'\n \n\t\n'.repeat(20_000)}${text}`),
  'many blank paragraphs above': (text) => inHtml(`<p>Hello</p>${'<p>&nbsp;<br></p>'.repeat(10_000)}${lines(text)}`),
  'a signature above': (text) => inText(`Hello,\n\nplease see below.\n\n-- \nAna Marsh\nOffice\n\n${text}`),
  'the mark of an original message above': (text) =>
    inText(`Please see below.\n\n-----Original Message-----\nFrom: Ana <ana@a.example>\nSent: Monday\nTo: Ben\nSubject: Figures\n\n${text}`), // prettier-ignore
  'the mark of a forwarded message above': (text) =>
    inText(`FYI\n\n---------- Forwarded message ---------\nFrom: Ana <ana@a.example>\nDate: Mon, 2 Mar 2026\nSubject: Figures\nTo: Ben <b@b.example>\n\n${text}`), // prettier-ignore
  'marks of quotes without history': (text) => inText(text.split('\n').map((line) => `> > ${line}`).join('\n')), // prettier-ignore
  'a style that quotes': (text) =>
    inHtml(`<p>${padding(200)}</p><div class="gmail_quote"><blockquote>${lines(text)}</blockquote></div>`),
  'invented history': (text) =>
    inText(
      `Thank you for the answer, I have read it and will come back to it on Tuesday, when I am in the office again.\n\nOn Mon, 2 Mar 2026 at 10:00, Ana <ana@a.example> wrote:\n${text.split('\n').map((line) => `> ${line}`).join('\n')}`, // prettier-ignore
    ),
  'a comment that ends at once': (text) => inHtml(`<p>Hello</p><!-->${lines(text)}<!-- x -->`),
  'a comment in a field': (text) => inHtml(`<p>Hello</p><textarea><!--</textarea>${lines(text)}<!-- x -->`),
  'a comment in preformatted text': (text) => inHtml(`<p>Hello</p><xmp><!--</xmp>${lines(text)}<!-- x -->`),
  'a comment in a style': (text) => inHtml(`<style>a::before{content:"<!--"}</style>${lines(text)}<!-- x -->`),
  'a rule in a string': (text) => inHtml(`<style>.t::before{content:"} p{display:none} i{"}</style>${lines(text)}`),
  'the end of a style in a comment': (text) => inHtml(`<!-- <style> -->${lines(text)}<!-- </style> -->`),
  'quotes in attributes': (text) => inHtml(lines(text, (line) => `<p title='a"' id=b"c data-x="'>'">${line}</p>`)),
  'attributes that come twice': (text) =>
    inHtml(lines(text, (line) => `<p style="display:block" style="display:none" hidden=>${line}</p>`).replaceAll(' hidden=', '')), // prettier-ignore
  'a style that never ends': (text) => ({ text: '', html: `<style>${lines(text)}` }),
  'tags that are not nested': (text) =>
    inHtml(lines(text, (line) => `<table><b><div hidden><table></div></table><p>${line}</b></table>`).replaceAll('<div hidden><table></div></table>', '<i><table></i></table>')), // prettier-ignore
  'a message in plain text': (text) =>
    inHtml(`<p>Hello</p><plaintext><style><!--\n${text.split('\n').map(escaped).join('\n')}`),
}
