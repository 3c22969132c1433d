/** Suspicious phrases in German. */
import type { Phrases } from './types.js'

export const GERMAN: Phrases = {
  run_command_request: [
    /(?:druck\w{0,4}|halt\w{0,3})[^.!?]{0,40}\b(?:windows|win)[- ]?(?:taste)? ?(?:\+|und) ?(?:die )?(?:taste )?r\b|(?:offne\w{0,2})[^.!?]{0,40}(?:terminal|powershell|eingabeaufforderung|ausfuhren)[^.!?]{0,120}(?:einfug|fug\w{0,3})/,
    /verifizier|bestatig|captcha|roboter|beheb|reparier|anzeig|ansehen|wiederherstell|freischalt|fortfahren/,
  ],
  credential_request:
    /(?:bestatigen|verifizieren|aktualisieren|uberprufen|validieren|reaktivieren|entsperren|vervollstandigen|legitimieren|abgleichen) sie (?:bitte )?(?:umgehend |sofort |jetzt |erneut |hier )?(?:ihr|ihre|ihren|die) (?:[a-z-]{1,30} ){0,3}(?:konto|kontos|kundenkonto|bankkonto|daten|kontodaten|kundendaten|zugangsdaten|bankdaten|zahlungsdaten|kreditkarte|identitat|postfach|passwort|zugang|zahlungsmethode|zahlungsinformationen|rechnungsdaten)\b|(?:ihr|ihre|ihren|ihrer) (?:[a-z-]{1,30} ){0,3}(?:konto|daten|kundendaten|kontodaten|zahlungsdaten|zugangsdaten|identitat|bankdaten|postfach|zahlungsinformationen|angaben|tan-verfahren|pushtan)[^.!?]{0,30} (?:zu (?:bestatigen|verifizieren|aktualisieren|uberprufen|validieren)|bestatigen|verifizieren|aktualisieren|erneut zu)/,
  secret_on_page:
    /(?:geben sie|gib) (?:bitte |hier )?(?:ihre?n?|deine?n?) (?!neue)(?:[a-z-]{1,30} ){0,3}(?:passwort|kennwort|pin|tan|kreditkartennummer|kartennummer|kartendaten|zugangsdaten|online-banking-daten)[^.!?]{0,30}(?: ein\b| an\b)|melden sie sich [^.!?]{0,60}(?:zugangsdaten|passwort)/,
  secret_by_mail:
    /(?:senden|schicken|teilen|nennen) sie (?:uns |mir )(?:bitte )?(?:ihre?n? |die |das )(?:[a-z-]{1,30} ){0,3}(?:passwort|kennwort|pin|tan|kartennummer|kreditkartennummer|zugangsdaten)\b/,
  account_threat:
    /(?:konto|zugang|postfach|karte|kreditkarte|profil|mailbox|kundenkonto|benutzerkonto) (?:wurde|wird|ist|werden|konnte|muss)[^.!?]{0,40}(?:gesperrt|eingeschrankt|deaktiviert|geschlossen|geloscht|blockiert|limitiert|suspendiert)|ungewohnliche (?:aktivitat|anmeldung|zugriff|transaktion)|verdachtige (?:aktivitat|anmeldung|transaktion|zugriff)|unbefugte[rn]? (?:zugriff|zugang|transaktion)|(?:sperrung|deaktivierung|loschung|schliessung) (?:ihres|des|ihrer) (?:konto|kontos|zugang|karte|postfach)|(?:postfach|speicher) (?:ist )?(?:fast )?voll\b|passwort (?:lauft|wird) [^.!?]{0,20}(?: ab\b|ablaufen)/,
  payment_problem:
    /(?:zahlung|abbuchung|lastschrift)[^.!?]{0,30} (?:fehlgeschlagen|abgelehnt|nicht verarbeitet|nicht abgebucht|zuruckgewiesen)[^!?]{0,120}(?:aktualisieren|zahlungsdaten|zahlungsmethode|zahlungsinformationen)/,
  urgency:
    /(?:innerhalb|binnen) (?:von |der nachsten )?(?:24|48|72|12|6|2) ?(?:stunden|std)|\bumgehend\b|\bdringend|unverzuglich|letzte (?:mahnung|warnung|erinnerung|chance)|handeln sie (?:jetzt|sofort)|sofortige[rns]? (?:handlung|reaktion|massnahme)|(?:noch|nur) heute [^.!?]{0,30}(?:sonst|andernfalls)/,
  reward_lure:
    /sie haben (?:[a-z0-9.-]{1,20} ){0,6}gewonnen|(?:gewinn|preis|pramie|gutschein|ruckerstattung|bonus)(?: jetzt| hier)? (?:einlosen|abholen|anfordern|beanspruchen|sichern)|(?:anspruch|berechtigt)[^.!?]{0,40}(?:ruckerstattung|erstattung|steuererstattung|ruckzahlung)|(?:ruckerstattung|steuererstattung|erstattung) (?:in hohe )?(?:von )?[^.!?]{0,30}(?:eur|€)/,
  parcel_fee:
    /(?:paket|sendung|lieferung|zustellung)[^!?]{0,120}(?:zollgebuhr|versandgebuhr|zustellgebuhr|liefergebuhr|bearbeitungsgebuhr|gebuhr von|nachgebuhr|portokosten)|(?:paket|sendung)[^.!?]{0,60}(?:konnte nicht zugestellt|nicht zugestellt werden|wird zuruckgehalten|wartet auf)[^!?]{0,120}(?:adresse bestatigen|bestatigen sie|zahlen sie|bezahlen|gebuhr)/,
  advance_fee: [
    /(?:erbschaft|erbe\b|nachlass|begunstigter|verstorbene[nrm]?|hinterlassen|nachste[rn]? angehorige)/,
    /(?:millionen|mio\.?) ?(?:us-?)?(?:dollar|euro|usd|eur)|\d{1,3}(?:[.,]\d{3}){2}/,
  ],
  lottery: [
    /(?:lotterie|lotto|gewinnspiel|ziehung)[^!?]{0,200}(?:gewonnen|gewinner|gewinn von)/,
    /(?:kontaktieren|anspruch|millionen|\d{1,3}\.\d{3}|gewinnnummer|losnummer|agent)/,
  ],
  extortion: [
    /(?:gehackt|aufgezeichnet|aufgenommen|gefilmt|trojaner|schadsoftware|zugriff auf (?:ihr|dein|alle))[^!?]{0,200}\b(?:ihr|ihre|ihrer|ihrem|dein|deine|deiner|dich|sie)\b/,
    /bitcoin|\bbtc\b|monero|kryptowahrung/,
    /(?:kontakte|freunde|familie|veroffentlich|kollegen|verschicke|verwandte)/,
  ],
  gift_cards: [
    /(?:kauf|besorg|brauche|benotige|hol)[^.!?]{0,60}(?:geschenkkarte|gutscheinkarte|guthabenkarte|steam-karte|google-play-karte|amazon-gutschein|gutscheincodes)/,
    /(?:code|foto|schick|send|freirubbel|ruckseite)/,
  ],
  changed_bank_details:
    /(?:neue|neuen|geanderte|geanderten|aktualisierte|andere) (?:bankverbindung|kontoverbindung|bankdaten|kontodaten|iban)|(?:bankverbindung|kontoverbindung|bankdaten|kontodaten)[^.!?]{0,30}(?:hat sich|haben sich|geandert|gewechselt)/,
  secrecy:
    /(?:streng|absolut|bitte) vertraulich|(?:niemandem|mit niemandem)[^.!?]{0,30}(?:sagen|sprechen|erzahlen|daruber)|(?:nicht anrufen|telefonisch nicht erreichbar|bin in (?:einer|einem) (?:besprechung|meeting|konferenz))/,
  money_in_haste: [
    /(?:uberweisung|uberweisen|zahlung|zahlen|anweisen)/,
    /\bdringend|umgehend|\bsofort|noch heute|unverzuglich/,
  ],
  guaranteed_profit:
    /(?:garantierte[rns]?|risikofreie[rns]?|risikolose[rns]?) (?:[a-z]{1,20} )?(?:rendite|gewinn|gewinne|ertrag|ertrage|einkommen)|verdoppeln sie ihr|\d{1,4} ?% (?:taglich|wochentlich|pro tag|rendite pro (?:tag|woche))|(?:krypto|bitcoin|trading)-?(?:plattform|roboter|bot|investition)[^.!?]{0,60}(?:verdien|gewinn|reich)/,
  job_scam:
    /(?:verdienen sie|verdiene|verdienst von)[^.!?]{0,40}(?:pro tag|am tag|taglich|pro stunde|pro woche|wochentlich)[^!?]{0,160}(?:whatsapp|telegram|von zu hause|ohne erfahrung|keine erfahrung)|(?:ohne erfahrung|keine erfahrung|von zu hause)[^!?]{0,160}verdien[^.!?]{0,60}(?:pro tag|am tag|taglich|pro stunde|pro woche|wochentlich)/,
  qr_code: /(?:scannen|scanne) (?:sie )?(?:bitte )?(?:den|diesen|folgenden|untenstehenden)[^.!?]{0,30} ?qr-?code/,
}
