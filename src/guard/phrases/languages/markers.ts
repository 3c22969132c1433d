/**
 * Detects the languages that a text may be in, so that patterns of others are skipped. A text of some length has marker
 * words, and the shortest lures have the word for their target; a language too many only costs time.
 */
import { unitsOf } from '../../../lib/units.js'

// prettier-ignore
const MARKERS: Record<string, string> = {
  de: 'und sie ihr ihre ihren ihrem ihrer ihres der das den dem ein eine einen einer fur auf von wir ist nicht haben hat wurde wird bitte konto paket dein deine deinen sich oder bei nach noch kann werden jetzt zum zur im am uns mich ich du zu aus bankverbindung zahlung rechnung passwort uber assistent agenten anweisungen ignoriere mama papa geben melden diesen vertraulich umgehend dringend',
  fr: 'votre vos vous nous est des les une pour dans avec sur pas que qui par compte colis cette cet ces afin aux etre ont sont merci veuillez bonjour mot et du au je mes mon tres gagnez rib virement notre nos urgent le la un consignes ignore oublie maman papa',
  es: 'su sus tu tus el los las una para por con que del esta este ha han hemos cuenta paquete usted y en se le es ya hola gracias gana nuestros nuestra pago urgente contrasena premio mi lo asistente agente instrucciones ignora mama movil codigo',
  it: 'il lo gli una per con che del della dei delle suo sua suoi tuo tua tuoi e stato stata sono non conto pacco gentile clicca di si ha hai nostre nostro bonifico urgente ore entro vincitore guadagna assistente agente istruzioni ignora inoltra mamma codice',
  pt: 'o os seu sua seus suas voce para por com que do da dos das uma nao foi conta encomenda e em no na ja ola obrigado ganhe nossos pagamento urgente senha assistente agente instrucoes envie mande celular codigo mae pai agora hoje',
  nl: 'uw je jouw u de het een en van voor met niet is wordt zijn heeft hebt wij onze account rekening pakket op te dat om bij naar aan verdien bankgegevens betaling dringend assistent negeer instructies mam pap deze dit',
  pl: 'na nie jest sie do w z i oraz twoje twoj twoja swoje swoj swoja panstwa zostalo zostala zostal konto paczka przesylka prosimy za od przez tego ze dla potwierdz zweryfikuj podaj numer rachunku pilne zarabiaj haslo kup asystenta agenta instrukcje zignoruj mamo kod',
  id: 'yang dan di ke dari untuk dengan ini itu anda kamu kami kita saya aku tidak bisa sudah akan pada dalam atau agar jika bila oleh lalu dulu ya nya tolong mohon silakan akun rekening paket bayar kirim balas buka kode kerja gaji hari bapak ibu terima kasih pesan asisten abaikan instruksi teruskan mama pulsa hadiah',
  sv: 'och att det som av med inte har jag du er ditt din dina mitt min pa fran kan ska skall eller vill vara ar var blir annars konto paket betala skicka koden losenord bankid snalla tack hej mamma pappa kort kronor senast inom detta denna ni svara agenten assistenten instruktioner faktura nagon alla fick via sms',
  tr: 've bir bu icin ile hesabiniz hesabinizi hesap hesabi sifrenizi sizin sayin lutfen kargonuz kargo paketiniz gonderiniz icinde tiklayin olarak kadar acil derhal banka kart yeni odeme evden gunde hediye piyango miras milyon bitcoin yapay merhaba gunaydin selamlar degil sonra simdi sana bana olan gore daha var yok anne kod adresine saygilarimla iyi calismalar talimat onay sahibin hesabina',
}

const LANGUAGE_NAMES = Object.keys(MARKERS)

/** Bits of the languages that a word marks, in a hash table with linear probing. No bits mean a free place. */
const PLACES = 1 << 14
const BITS = new Uint16Array(PLACES)
const HASHES = new Int32Array(PLACES)
const WORD_SEED = 0x811c9dc5 | 0
for (const [index, words] of Object.values(MARKERS).entries()) {
  for (const word of words.split(' ')) {
    let hash = WORD_SEED
    for (let at = 0; at < word.length; at++) hash = grown(hash, word.charCodeAt(at))
    const place = placeOf(hash)
    HASHES[place] = hash
    BITS[place] = (BITS[place] ?? 0) | (1 << index)
  }
}

/** @param text as `plainWords` gives it */
export function languagesIn(text: string): ReadonlySet<string> {
  const found = new Set(['en'])
  /** First marker of each language that was found; a second, different one is required. */
  const firsts = new Int32Array(LANGUAGE_NAMES.length)
  let settled = 0
  let hash = WORD_SEED
  let scripts = 0
  const units = unitsOf(`${text} `)
  for (let at = 0; at < units.length; at++) {
    const code = units[at] ?? 0
    if (code >= 0x61 && code <= 0x7a) {
      hash = grown(hash, code)
      continue
    }
    if (code >= 0x400) scripts |= scriptOf(code)
    const word = hash
    hash = WORD_SEED
    for (let bits = (BITS[placeOf(word)] ?? 0) & ~settled; bits !== 0; bits &= bits - 1) {
      const language = 31 - Math.clz32(bits & -bits)
      const first = (firsts[language] ||= word)
      if (first === word) continue
      settled |= 1 << language
      found.add(LANGUAGE_NAMES[language] ?? '')
    }
  }
  if (scripts & CYRILLIC) found.add('ru')
  if (scripts & (KANA | HAN)) found.add('ja').add('zh')
  return found
}

const CYRILLIC = 1
const KANA = 2
const HAN = 4

function scriptOf(code: number): number {
  if (code <= 0x52f) return CYRILLIC
  if (code >= 0x3040 && code <= 0x30ff) return KANA
  return code >= 0x4e00 && code <= 0x9fff ? HAN : 0
}

function placeOf(hash: number): number {
  let place = (hash ^ (hash >>> 14)) & (PLACES - 1)
  while (BITS[place] !== 0 && HASHES[place] !== hash) place = (place + 1) & (PLACES - 1)
  return place
}

/** FNV-1a. */
function grown(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x0100_0193)
}
