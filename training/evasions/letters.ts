/** Characters that look like letters, or that are not seen. */
import { escaped, inHtml, inText, letters, mapped, reversed, shifted, some, words, type Evasion } from './written.js'

const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LOOKALIKES: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' }

/** As generators of fancy text write them. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ'
const RAISED = 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ'
const UPSIDE_DOWN = 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz'
const LISU = 'ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑQꓣꓢꓔꓴꓦꓪꓫꓬꓜ'
const SYLLABICS = 'ᗩᗷᑕᗪEᖴGᕼIᒍKᒪᗰᑎOᑭᑫᖇSTᑌᐯᗯ᙭Yᘔ'
const CHEROKEE = 'ᎪᏴᏟᎠᎬFᏀᎻᏆᎫᏦᏞᎷNOᏢQᏒᏚᎢUᏙᏔXᎩᏃ'
const ARMENIAN = 'abcdefցհiյklmոօpզrstսvwxyz'
const GREEK = 'αβcdεfghιjκlmηορqrsτυνωχγz'
const CURRENCY = '₳฿₵ĐɆ₣₲ⱧIJ₭Ⱡ₥₦Ø₱QⱤ₴₮ɄV₩ӾɎⱫ'
const STROKED = 'ⱥƀȼđɇfǥħɨɉꝁłmnøᵽꝗɍsŧʉvwxɏƶ'
const PHONETIC = 'ɑɓɕɗɘʄɠɦɩʝƙɭɱɳʘρʠɽʂʈυʋɯxʏʐ'

export const LETTERS: Record<string, Evasion> = {
  'zero-width characters': (text) => inText(words(text, (word) => letters(word).join('\u200b'))),
  'tag characters': (text) => inText(words(text, (word) => letters(word).join('\u{e0041}'))),
  'piled marks': (text) => inText(words(text, (word) => letters(word).join('\u0336\u0301\u0353'))),
  'look-alike letters': (text) => inText(text.replace(/[aceiopsxy]/g, (sign) => LOOKALIKES[sign] ?? sign)),
  'fullwidth letters': (text) => inText(shifted(text, 0xff21, 0xff41)),
  'mathematical letters': (text) => inText(shifted(text, 0x1d400, 0x1d41a)),
  'letters in circles': (text) => inText(shifted(text, 0x24b6, 0x24d0)),
  'gothic letters': (text) => inText(shifted(text, 0x1d56c, 0x1d586)),
  'letters of typewriters': (text) => inHtml(`<p>${letters(shifted(text, 0x1d670, 0x1d68a)).map((sign) => (sign === '\n' ? '<br>' : `&#${sign.codePointAt(0)};`)).join('')}</p>`), // prettier-ignore
  'letters in black squares': (text) => inText(shifted(text.toUpperCase(), 0x1f170, 0)),
  'letters in white squares': (text) => inText(shifted(text.toUpperCase(), 0x1f130, 0)),
  'letters in parentheses': (text) => inText(shifted(text.toLowerCase(), 0, 0x249c)),
  'letters of flags': (text) =>
    inText(text.toUpperCase().replace(/[A-Z]/g, (sign) => `${shifted(sign, 0x1f1e6, 0)}\u200c`)),
  'letters on keys': (text) => inText(words(text, (word) => letters(word).map((sign) => `${sign}\ufe0f\u20e3`).join(''))), // prettier-ignore
  'small capitals': (text) => inText(mapped(text.toLowerCase(), SMALL, SMALL_CAPITALS)),
  'raised letters': (text) => inText(mapped(text.toLowerCase(), SMALL, RAISED)),
  'letters upside down': (text) =>
    inText(text.split('\n').map((line) => mapped(reversed(line.toLowerCase()), SMALL, UPSIDE_DOWN)).join('\n')), // prettier-ignore
  'letters upside down, turned': (text) =>
    inHtml(text.split('\n').map((line) => `<p><span style="display:inline-block;transform:rotate(180deg)">${escaped(mapped(reversed(line.toLowerCase()), SMALL, UPSIDE_DOWN))}</span></p>`).join('')), // prettier-ignore
  'letters of Lisu': (text) => inText(mapped(text.toUpperCase(), CAPITALS, LISU)),
  'syllabics as letters': (text) => inText(mapped(text.toUpperCase(), CAPITALS, SYLLABICS)),
  'letters of Cherokee': (text) => inText(mapped(text.toUpperCase(), CAPITALS, CHEROKEE)),
  'letters of Armenian': (text) => inText(mapped(text.toLowerCase(), SMALL, ARMENIAN)),
  'letters of Greek': (text) => inText(mapped(text.toLowerCase(), SMALL, GREEK)),
  'signs of currencies': (text) => inText(mapped(text.toUpperCase(), CAPITALS, CURRENCY)),
  'letters with strokes': (text) => inText(mapped(text.toLowerCase(), SMALL, STROKED)),
  'letters of phonetics': (text) => inText(mapped(text.toLowerCase(), SMALL, PHONETIC)),
  'ligatures and old letters': (text) =>
    inText(
      text
        .replace(/s(?=\p{L})/gu, 'ſ')
        .replaceAll('fi', 'ﬁ')
        .replaceAll('i', 'ı')
        .replaceAll('ſt', 'ﬅ'),
    ),
  'numerals as letters': (text) => inText(mapped(text.toLowerCase(), 'cdilmvx', 'ⅽⅾⅰⅼⅿⅴⅹ')),
  'accents on letters': (text) => inText(mapped(text.toLowerCase(), SMALL, 'ąḅçđęḟğħįĵķłṃņőṗqŗşţųṽŵẋÿž')),
  'variation selectors': (text) => inText(words(text, (word) => letters(word).join('\ufe0e\u{e0100}'))),
  'Hangul fillers': (text) => inText(words(text, (word) => letters(word).join('\u3164\uffa0'))),
  'invisible operators': (text) => inText(words(text, (word) => letters(word).join('\u2063\u2061'))),
  'vowel separators': (text) => inText(words(text, (word) => letters(word).join('\u180e\u17b5'))),
  'isolates in words': (text) => inText(words(text, (word) => letters(word).join('\u2068\u200f\u2069\u200e'))),
  'annotation marks': (text) => inText(words(text, (word) => letters(word).join('\ufff9\u{1d173}'))),
  'hair spaces between letters': (text) => inText(some(text, (word) => letters(word).join('\u200a'))),
  'hair spaces as references': (text) => inHtml(some(escaped(text), (word) => letters(word).join('&#8202;')).replaceAll('\n', '<br>')), // prettier-ignore
}
