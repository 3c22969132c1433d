/** Phrases with which mail programs introduce quotes, in the languages they are translated to. Data for `reply.ts`. */

const words = (list: string) => list.split('|').map((word) => word.trim())
const oneOf = (list: string) => `(?:${words(list).join('|')})`

const ORIGINAL = oneOf(
  `original message|original appointment|ursprüngliche nachricht|originalnachricht|message d['’]origine|message original|mensaje original|
  messaggio originale|mensagem original|oorspronkelijk bericht|originalmeddelande|ursprungligt meddelande|oprindelig meddelelse|
  opprinnelig melding|oprindelig besked|original melding|alkuperäinen viesti|исходное сообщение|оригинальное сообщение|wiadomość oryginalna|
  oryginalna wiadomość|původní zpráva|pôvodná správa|eredeti üzenet|mesaj original|mesajul original|orijinal mesaj|αρχικό μήνυμα|
  вихідне повідомлення|оригинално съобщение|原始邮件|原始郵件|邮件原件|元のメッセージ|원본 메시지|원본 메일|الرسالة الأصلية|הודעה מקורית|
  reply message|reply above this line|please reply above this line`,
)
const FORWARD = oneOf(
  `forwarded message|forwarded by .{1,80}|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|
  mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande|videresendt meddelelse|videresendt melding|välitetty viesti|
  пересылаемое сообщение|пересланное сообщение|wiadomość przekazana|przekazana wiadomość|přeposlaná zpráva|továbbított üzenet|
  mesaj redirecționat|iletilen mesaj|προωθημένο μήνυμα|переслане повідомлення|转发的邮件|轉寄的郵件|転送されたメッセージ|전달된 메시지`,
)

/** `-----Original Message-----`, with the dashes of any program. */
export const ORIGINAL_MESSAGE = new RegExp(`^[-_=*\\s]{2,}${ORIGINAL}\\s?:?\\s?[-_=*]{2,}`, 'iu')
export const FORWARDED = new RegExp(
  `^(?:[-_=*\\s]{2,}${FORWARD}\\s?:?\\s?[-_=*]{2,}|begin forwarded message\\s?:|anfang der weitergeleiteten nachricht\\s?:|début du message réexpédié\\s?:|inicio del mensaje reenviado\\s?:|inizio messaggio inoltrato\\s?:|início da mensagem encaminhada\\s?:)`,
  'iu',
)

/** First words of the signatures of phones and apps. */
const SENT = oneOf(
  `sent (?:from|via|with|using)|gesendet (?:von|mit|über)|diese nachricht wurde von|envoyé (?:de|depuis|à partir de|avec)|enviado (?:desde|do|da|de|com|a partir (?:do|de))|
  inviato (?:da|dal|con)|verzonden (?:vanaf|via|met|vanuit)|verstuurd (?:vanaf|vanuit|met)|skickat från|sendt fra|lähetetty|wysłan[eo] z|отправлено (?:с|из)|надіслано з|
  odesláno ze?|poslané z|elküldve|trimis de pe|dikirim dari|gửi từ|στάλθηκε από`,
)
const MINE = oneOf(`my|meine[mrn]?|mon|ma|mi|meu|minha|mio|mia|mijn|min|mitt|mojego|mojej|моего|мого|mého|mojho`)
/** Names of devices and programs without other meanings. */
const PRODUCT = oneOf(
  `iphone|ipad|ipod|macbook|android|samsung|huawei|xiaomi|redmi|oneplus|nokia|motorola|xperia|blackberry|windows mail|mail for windows|handy|smartphone|
  handheld|outlook|hotmail|yahoo|aol|gmail|gmx|web\\.de|proton ?mail|proton|tutanota|fastmail|icloud|thunderbird|superhuman|airmail|typeapp|bluemail|mailbird|zoho|aquamail|
  k-9|libero|t-online|yandex|яндекс|mail\\.ru|verizon|t-mobile`,
)
/** Names of programs that are also words, and so count only at the end. */
const WORD_PRODUCT = oneOf(`mail|spark|hey|front|missive|nine|boxer|newton|canary|shortwave|orange`)
const LINK = `(?:<?https?:[^\\s>]+>?|\\([^)]*\\))?`
const PLAIN = `[^,.;!?]`

/** Signatures of phones and apps. A sentence with the same beginning has a comma, ends with a full stop or names no device. */
export const MOBILE_SIGNATURE = new RegExp(
  `^(?:${SENT} (?:${MINE} ${PLAIN}{1,60}|${PLAIN}{0,40}?(?<!\\p{L})${PRODUCT}${PLAIN}{0,40}|${WORD_PRODUCT})|von meine[mr] ${PLAIN}{1,40} gesendet|get outlook for ${PLAIN}{1,40}|
  (?:outlook für|télécharger outlook|descargar outlook|obter o outlook|scarica outlook|download outlook)${PLAIN}{0,40}|从我的.{1,20}发送|[发發]自我的.{0,20}|iphoneから送信|${PLAIN}{0,40}(?:cihazımdan|['’]umdan) gönderildi|내 .{1,20}에서 보냄)\\s?${LINK}\\s*$`.replace(
    /\n\s+/g,
    '',
  ),
  'iu',
)

/** Phrases of authors who answer below or within the history. */
export const ANSWERS_BELOW = new RegExp(
  `(?<!\\p{L})(?:(?:answers?|answered|comments?|commented|repl(?:y|ies)|replied|responses?|responded|antworten?|kommentare?|réponses?|respuestas?|rispost[ae]|respostas?|antwoorden|svar|odpowiedzi|ответы?)(?!\\p{L})[^.\\n]{0,40}(?<!\\p{L})(?:below|inline|in-line|inside|in (?:red|blue|green|bold)|unten|in (?:rot|blau)|ci-dessous|en rouge|abajo|en rojo|sotto|in rosso|abaixo|hieronder|nedan|nedenfor|poniżej|ниже)|see (?:inline|in-line|below in)|in-?line (?:answers?|comments?|replies))(?!\\p{L})`,
  'iu',
)

const LABELS: [string, string][] = [
  [
    'from',
    `from|von|de|van|da|från|fra|lähettäjä|od|nadawca|от|від|kimden|feladó|expeditor|από|发件人|寄件者|差出人|보낸 사람|من|מאת|remitente|mittente|remetente`,
  ],
  [
    'sent',
    `sent|gesendet|envoyé|envoyé le|message du|date d['’]envoi|enviado|enviado el|enviado em|verzonden|inviato|data invio|skickat|sendt|lähetetty|wysłano|wysłane|отправлено|
     надіслано|odesláno|elküldve|gönderildi|gönderme tarihi|trimis|στάλθηκε|发送时间|送信日時|보낸 날짜`,
  ],
  ['date', `date|datum|fecha|data|dato|päiväys|päivämäärä|дата|dátum|tarih|dată|ημερομηνία|日期|日付|날짜`],
  [
    'to',
    `to|an|à|a|para|aan|till|til|vastaanottaja|do|кому|komu|kime|címzett|către|προς|收件人|宛先|받는 사람|destinatario|pour`,
  ],
  ['cc', `cc|copie à|copia|kopie|copie|cópia|kopia|kopi|копия|копія|másolatot kap|bilgi|抄送|副本`],
  [
    'subject',
    `subject|betreff|objet|sujet|asunto|onderwerp|oggetto|assunto|ämne|emne|aihe|temat|тема|předmět|predmet|tárgy|konu|subiect|θέμα|主题|主旨|件名|제목`,
  ],
]
const LABEL_OF = new Map(LABELS.flatMap(([label, list]) => words(list).map((word): [string, string] => [word, label])))

/** The field of a quoted header block on a line, in any of the languages; undefined for other lines. */
export function headerLabel(line: string): string | undefined {
  if (!line.includes(':') && !line.includes('：')) return undefined
  const label = /^[\s|*]{0,8}([\p{L}'’ ]{1,24}?)\s?\*?[:：]\*?/u.exec(line)?.[1]
  return label === undefined ? undefined : LABEL_OF.get(label.trim().toLowerCase())
}
