/**
 * Which languages a text may be in, so that patterns of the others need no look at it. Every text of some length has such words, and the
 * shortest lures have the word for what they want; that a text is taken for too many languages costs time and nothing else.
 */
import { unitsOf } from '../../lib/units.js'

// prettier-ignore
const MARKERS: Record<string, string> = {
  de: 'und sie ihr ihre ihren ihrem ihrer ihres der das den dem ein eine einen einer fur auf von wir ist nicht haben hat wurde wird bitte konto paket dein deine deinen sich oder bei nach noch kann werden jetzt zum zur im am uns mich ich du zu aus bankverbindung zahlung rechnung passwort uber geben melden diesen vertraulich umgehend dringend',
  fr: 'votre vos vous nous est des les une pour dans avec sur pas que qui par compte colis cette cet ces afin aux etre ont sont merci veuillez bonjour mot et du au je mes mon tres gagnez rib virement notre nos urgent le la un',
  es: 'su sus tu tus el los las una para por con que del esta este ha han hemos cuenta paquete usted y en se le es ya hola gracias gana nuestros nuestra pago urgente contrasena premio mi lo',
  it: 'il lo gli una per con che del della dei delle suo sua suoi tuo tua tuoi e stato stata sono non conto pacco gentile clicca di si ha hai nostre nostro bonifico urgente ore entro vincitore guadagna',
  pt: 'o os seu sua seus suas voce para por com que do da dos das uma nao foi conta encomenda e em no na ja ola obrigado ganhe nossos pagamento urgente senha',
  nl: 'uw je jouw u de het een en van voor met niet is wordt zijn heeft hebt wij onze account rekening pakket op te dat om bij naar aan verdien bankgegevens betaling dringend',
  pl: 'na nie jest sie do w z i oraz twoje twoj twoja swoje swoj swoja panstwa zostalo zostala zostal konto paczka przesylka prosimy za od przez tego ze dla potwierdz zweryfikuj podaj numer rachunku pilne zarabiaj haslo kup',
  tr: 've bir bu icin ile hesabiniz hesabinizi hesap hesabi sifrenizi sizin sayin lutfen kargonuz kargo paketiniz gonderiniz icinde tiklayin olarak kadar acil derhal banka kart yeni odeme evden gunde hediye piyango miras milyon bitcoin',
}

const LANGUAGE_NAMES = Object.keys(MARKERS)
/** So many different words of a language make it one that is looked for. */
const ENOUGH = 2
const BIT_OF = new Map(LANGUAGE_NAMES.map((language, index) => [language, 1 << index]))

const MASKS = new Map<number, number>()
/** Which ends of hashes there are: most words are no markers, and this tells so at once. */
const ENDS = new Uint8Array(1 << 14)
for (const [language, words] of Object.entries(MARKERS)) {
  for (const word of words.split(' ')) {
    const hash = hashOf(word)
    ENDS[endOf(hash)] = 1
    MASKS.set(hash, (MASKS.get(hash) ?? 0) | (BIT_OF.get(language) ?? 0))
  }
}

/** @param text as `plainWords` gives it */
export function languagesIn(text: string): ReadonlySet<string> {
  const found = new Set(['en'])
  const hits = new Map<number, Set<number>>()
  let settled = 0
  let hash = 0
  let scripts = 0
  const units = unitsOf(text)
  for (let at = 0; at <= units.length; at++) {
    const code = units[at] ?? SPACE
    if (code >= 0x61 && code <= 0x7a) {
      hash = grown(hash, code)
      continue
    }
    if (code >= 0x400) scripts |= scriptOf(code)
    if (hash === 0) continue
    if (ENDS[endOf(hash)] === 0) {
      hash = 0
      continue
    }
    let mask = (MASKS.get(hash) ?? 0) & ~settled
    while (mask !== 0) {
      const bit = mask & -mask
      mask ^= bit
      const words = hits.get(bit) ?? new Set<number>()
      hits.set(bit, words.add(hash))
      if (words.size < ENOUGH) continue
      settled |= bit
      found.add(LANGUAGE_NAMES[31 - Math.clz32(bit)] ?? '')
    }
    hash = 0
  }
  if (scripts & CYRILLIC) found.add('ru')
  if (scripts & (KANA | HAN)) found.add('ja').add('zh')
  return found
}

const SPACE = 0x20
const CYRILLIC = 1
const KANA = 2
const HAN = 4

function scriptOf(code: number): number {
  if (code <= 0x52f) return CYRILLIC
  if (code >= 0x3040 && code <= 0x30ff) return KANA
  return code >= 0x4e00 && code <= 0x9fff ? HAN : 0
}

function hashOf(word: string): number {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = grown(hash, word.charCodeAt(at))
  return hash
}

function endOf(hash: number): number {
  return (hash ^ (hash >>> 14)) & 0x3fff
}

/** Never 0, which stands for no word. */
function grown(hash: number, code: number): number {
  return (Math.imul(hash, 0x0100_0193) ^ code) | 0 || 1
}
