/** Markup within words, none of which is seen. */
import { escaped, inHtml, lines, woven, type Evasion } from './written.js'

export const MARKUP: Record<string, Evasion> = {
  'empty tags in words': (text) => inHtml(woven(text, '<b></b>')),
  'unknown tags in words': (text) => inHtml(woven(text, '<x-y z="1"></x-y>')),
  'comments in words': (text) => inHtml(woven(text, '<!-- a -->')),
  'line break opportunities': (text) => inHtml(woven(text, '<wbr>')),
  'soft hyphens': (text) => inHtml(woven(text, '&shy;')),
  'references without semicolons': (text) => inHtml(woven(text, '&#8203')),
  'letters as numbers': (text) => inHtml(text.split('\n').map((line) => `<p>${[...line].map((sign) => `&#${sign.charCodeAt(0)}`).join(';')}</p>`).join('')), // prettier-ignore
  'named references': (text) => inHtml(lines(text).replaceAll(' ', '&nbsp;').replaceAll('.', '&period;')),
  'end tags without a name': (text) => inHtml(woven(text, '</>')),
  'end tags that are comments': (text) => inHtml(woven(text, '</ zq>')),
  'processing instructions': (text) => inHtml(woven(text, '<?zq zq?>')),
  'declarations in words': (text) => inHtml(woven(text, '<![if !zq]><!zq>')),
  'comments for Outlook in words': (text) => inHtml(woven(text, '<!--[if !mso]>zq<![endif]-->')),
  'comments with an unusual end': (text) => inHtml(woven(text, '<!--zq--!>')),
  'parentheses of annotations': (text) => inHtml(woven(text, '<rp>zq</rp>')),
  'closed dialogs in words': (text) => inHtml(woven(text, '<dialog>zq</dialog>')),
  'lists of suggestions in words': (text) => inHtml(woven(text, '<datalist><option>zq</option></datalist>')),
  'content of players in words': (text) => inHtml(woven(text, '<audio>zq</audio><video>zq</video><canvas>zq</canvas>')),
  'descriptions of drawings': (text) =>
    inHtml(woven(text, '<svg width="0" height="0"><title>zq</title><desc>zq</desc><defs><text>zq</text></defs></svg>')),
  'annotations of formulas': (text) =>
    inHtml(woven(text, '<math><semantics><annotation>zq</annotation></semantics></math>')),
  'templates in words': (text) => inHtml(woven(text, '<template>zq</template>')),
  'hidden fields in words': (text) => inHtml(woven(text, '<input type="hidden" value="zq">')),
  'the attribute that hides': (text) => inHtml(woven(text, '<i hidden="until-found">zq</i>')),
  'letters in bold and italics': (text) => inHtml(woven(text, '</font></b><font face="Arial"><b>')),
  'references to invisible characters': (text) =>
    inHtml(woven(text, '&zwnj;&NegativeThinSpace;&NoBreak;&af;&InvisibleComma;')),
  'hidden blocks in words': (text) => inHtml(woven(text, '<div style="display:none">zq</div>')),
  'end tags of nothing': (text) => inHtml(woven(text, '</div></td></li>')),
  'cells outside of tables': (text) => inHtml(woven(text, '<td>')),
  'letters of formulas': (text) => inHtml(lines(text, (line) => `<p>${line.replace(/[A-Za-z](?!\w{0,4};)/g, (letter) => `&${letter}${['fr', 'opf', 'scr'][letter.charCodeAt(0) % 3]};`)}</p>`)), // prettier-ignore
  'references in upper case': (text) =>
    inHtml(lines(text, (line) => `<p>${[...line].map((sign) => (/\w/.test(sign) ? `&#X${sign.charCodeAt(0).toString(16).toUpperCase().padStart(7, '0')};` : escaped(sign))).join('')}</p>`)), // prettier-ignore
}
