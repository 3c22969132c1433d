/** The words with which mail programs introduce what they quote, in the languages they are translated to. Data for `reply.ts`. */

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

/** `-----Original Message-----`, with the dashes of whichever program. */
export const ORIGINAL_MESSAGE = new RegExp(`^[-_=*\\s]{2,}${ORIGINAL}\\s?:?\\s?[-_=*]{2,}`, 'iu')
export const FORWARDED = new RegExp(
  `^(?:[-_=*\\s]{2,}${FORWARD}\\s?:?\\s?[-_=*]{2,}|begin forwarded message\\s?:|anfang der weitergeleiteten nachricht\\s?:|début du message réexpédié\\s?:|inicio del mensaje reenviado\\s?:|inizio messaggio inoltrato\\s?:|início da mensagem encaminhada\\s?:)`,
  'iu',
)

export const ATTRIBUTION = {
  /** How such a line begins: a preposition of the date, or a day of the week. */
  opener: new RegExp(
    `^[-*\\s]{0,3}${oneOf(
      `on|at|in|am|um|den|le|el|il|in data|em|op|på|w dniu|dnia|dne|dňa|ke|tir|ons|tor|fre|lør|søn|man|lör|sön|mån|tis|el día|a|la data de|
      pe|στις|la|в|на|у|във|вт|ср|чт|пт|сб|вс|пн|mon|tue|wed|thu|fri|sat|sun|в понедельник|во вторник|since|vào|pada|tarihinde`,
    )}(?![\\p{L}\\p{N}])`,
    'iu',
  ),
  /** How it ends: the verb of saying. */
  verb: new RegExp(
    `(?:^|[\\s>)"])${oneOf(
      `wrote|writes|said|a écrit|écrit|schrieb|hat geschrieben|schrieb am .{1,60}|schreef|escribió|escribio|ha escrito|escreveu|ha scritto|scrive|
      napisał|napisała|napisał\\(a\\)|pisze|skrev|kirjoitti|kirjutas|napsal|napsal\\(a\\)|napísal|napísal\\(a\\)|írta|ezt írta|a scris|yazdı|şunu yazdı|
      έγραψε|написал|написала|написал\\(а\\)|пишет|пише|написав|написа|đã viết|menulis|写道|寫道|のメール|작성|כתב|كتب`,
    )}(?: .{1,80})?\\s?[:：]?\\s?$`,
    'iu',
  ),
}

/** What phones and apps put below. A sentence that only begins so goes on with a comma or ends with a full stop. */
export const MOBILE_SIGNATURE = new RegExp(
  `^${oneOf(
    `sent (?:from|via|with|using)|sent a|gesendet (?:von|mit)|von (?:meinem|meiner) .{1,40} gesendet|diese nachricht wurde von .{1,60} gesendet|
    envoyé (?:de|depuis|à partir|avec)|enviado (?:desde|do|da|de|com|a partir)|inviato (?:da|dal)|verzonden (?:vanaf|via|met|vanuit)|verstuurd vanaf|
    skickat från|sendt fra|lähetetty|wysłane z|wysłano z|отправлено (?:с|из)|надіслано з|odesláno z|poslané z|elküldve|trimis de|gönderildi|
    get outlook for|outlook für|télécharger outlook|descargar outlook|obter o outlook|scarica outlook|download outlook|
    从我的.{1,20}发送|發自我的|发自我的|iphoneから送信|내 .{1,20}에서 보냄`,
  )}[^,.;!?]{0,80}(?:<?https?:[^\\s>]+>?|\\([^)]*\\))?\\s*$`,
  'iu',
)

/** Of those the ones that name the device or the app: below them there is nothing but history. */
export const DEVICE_SIGNATURE = new RegExp(
  `^${oneOf(
    `sent from (?:my|outlook|yahoo|mail|proton|samsung|huawei|xiaomi)|gesendet (?:von|mit) (?:meine[mr]|outlook|mail|der)|
    von meine[mr] .{1,40} gesendet|envoyé (?:de|depuis|à partir de) (?:mon|ma|outlook|mail|yahoo|l['’]application)|enviado (?:desde|do|de) (?:mi|meu|outlook|mail|yahoo)|
    inviato da(?:l mio| iphone| ipad| outlook| libero| mail)|verzonden (?:vanaf|via|met|vanuit) (?:mijn|outlook|mail)|skickat från (?:min|outlook)|
    sendt fra (?:min|outlook)|lähetetty (?:iphone|outlook|puhelim)|wysłan[eo] z (?:iphone|outlook|telefonu|mojego)|отправлено (?:с|из) (?:моего|iphone|outlook|мобильн)|
    get outlook for|télécharger outlook|descargar outlook|obter o outlook|scarica outlook`,
  )}[^,.;!?]{0,80}(?:<?https?:[^\\s>]+>?|\\([^)]*\\))?\\s*$`,
  'iu',
)

const LABELS: [string, string][] = [
  [
    'from',
    `from|von|de|van|da|från|fra|lähettäjä|od|nadawca|от|від|kimden|feladó|expeditor|από|发件人|寄件者|差出人|보낸 사람|من|מאת|remitente|mittente|remetente`,
  ],
  [
    'sent',
    `sent|date|gesendet|datum|envoyé|envoyé le|message du|date d['’]envoi|enviado|enviado el|enviado em|fecha|data|verzonden|inviato|data invio|skickat|sendt|dato|lähetetty|päiväys|
     päivämäärä|wysłano|wysłane|отправлено|дата|надіслано|odesláno|dátum|elküldve|tarih|gönderildi|gönderme tarihi|trimis|dată|ημερομηνία|στάλθηκε|发送时间|日期|送信日時|日付|보낸 날짜|날짜`,
  ],
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

/** Which field of a quoted header block a line is, in one of the languages; undefined when it is none. */
export function headerLabel(line: string): string | undefined {
  if (!line.includes(':') && !line.includes('：')) return undefined
  const label = /^[\s|*]{0,8}([\p{L}'’ ]{1,24}?)\s?\*?[:：]\*?/u.exec(line)?.[1]
  return label === undefined ? undefined : LABEL_OF.get(label.trim().toLowerCase())
}
