/** Suspicious phrases in German. */
import { intentsOf } from './intents.js'
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
  ...intentsOf({
    machine:
      /\b(?:ki|kis|ki-\w+|assistent\w{0,3}|agent|agenten|agentin|bot|bots|chatbot|sprachmodell\w{0,2}|modell|automatische leser)\b/,
    owner: /\b(?:eigentumer\w{0,2}|inhaber\w{0,2}|besitzer\w{0,2}|betreiber)\b/,
    ignore:
      /\b(?:ignorier\w{0,4}|vergiss|vergesst|vergessen sie|missacht\w{0,4}|uberspring\w{0,3}|verwirf|umgeh\w{0,3})/,
    instructions: /(?:anweisung|vorgabe|instruktion|regel|befehl|richtlinie|system-?prompt|prompts?\b|auftrag)/,
    isVoid:
      /(?:anweisungen|regeln|vorgaben|einschrankungen|grenzen)[^.!?]{0,30} (?:gelten nicht|gilt nicht|sind aufgehoben|ausser kraft|sind aus\b|uberholt|hinfallig)|(?:wartungs|entwickler|debug)-?modus (?:ist )?(?:aktiv|an\b|eingeschaltet)|was dir (?:bisher|zuvor|vorher) gesagt wurde/,
    conceal:
      /ohne (?:ruckfrage|nachfrage|rucksprache|zu fragen|freigabe|den (?:eigentumer|inhaber|besitzer))|(?:eigentumer|inhaber|besitzer|betreiber|nutzer|mensch\w{0,2}|person)[^.!?]{0,30} (?:nicht (?:gefragt|informiert|einbezogen|benachrichtigt|wissen|sehen)|muss (?:davon )?nicht)|(?:nicht|nichts)[^.!?]{0,30} in (?:der|deiner|die|deine) (?:zusammenfassung|antwort|bericht)|erwahne? (?:es|das|dies|diese)[^.!?]{0,30} nicht|losch\w{0,2} (?:danach|anschliessend|im anschluss|dann|diese (?:mail|nachricht)|den verlauf)|eine nachfrage verzogert|bestatige nicht|bereits freigegeben|vom eigentumer genehmigt|keine (?:freigabe|zustimmung|bestatigung) (?:notig|erforderlich)/,
    give: /\b(?:sende?|senden|schick\w{0,3}|leit\w{0,3}|weiterleit\w{0,3}|gib|geben sie|nenn\w{0,3}|liste?|zeig\w{0,3}|antwort\w{0,3}|poste?|ubermittl\w{0,3}|exportier\w{0,3}|kopier\w{0,3}|lege?|sag\w{0,2}|lies|rufe?)\b/,
    machineSecrets:
      /(?:system-?prompt|api-?(?:schlussel|key)|zugangsschlussel|umgebungsvariable|deine (?:regeln|anweisungen|vorgaben|konfiguration|instruktionen)|mit deinem token|sitzungstoken|\.env\b|deinem? (?:token|schlussel))/,
    allMail:
      /(?:alle (?:mails|e-mails|nachrichten|eingehenden|kontakte)|das postfach|(?:die )?letzten \S{1,8} (?:mails|e-mails|nachrichten)|adressbuch|den gesamten (?:verlauf|posteingang)|alles,? was (?:eingeht|reinkommt)|kontaktliste|jede (?:mail|nachricht))/,
    takeover:
      /(?:wiederherstellungsadresse|weiterleitung(?:sregel)?)[^.!?]{0,60}(?:setz|ander|einricht|trag|stell|auf\b)|(?:setz|ander|richte|trag)\w{0,3}[^.!?]{0,60}(?:wiederherstellungsadresse|weiterleitung)|erteil\w{0,2}[^.!?]{0,40}schreibrecht|(?:installier|fuhr)\w{0,3}[^.!?]{0,50}(?:skript|befehl|curl)|(?:zahlung|uberweisung)[^.!?]{0,60}(?:gebe? (?:ich )?sie frei|geprufte?|freigeben|ohne)|als administrator/,
    code: /\b(?:code|codes|ziffern|sms-code)\b/,
    isSent:
      /(?:(?:bekommst|bekommen|erhaltst|erhalten|kommt|kam|angekommen|gekriegt|geschickt|gesendet)|per sms|aufs? handy)/,
    seed: /(?:(?:12|24|zwolf|vierundzwanzig) (?:worter|worte)|seed-?phrase|wiederherstellungs(?:phrase|worter)|wallet-?phrase)/,
    enter: /\b(?:gib|geben sie|eingeben|eintragen|tippen|importier\w{0,3}|ein\b)/,
    unprotect:
      /(?:virenscanner|antivirus\w{0,9}|virenschutz|defender|firewall)[^.!?]{0,30}(?:aus\b|deaktivier|abschalt|ausschalt)|(?:deaktivier|schalt)\w{0,3}[^.!?]{0,30}(?:virenscanner|antivirus|virenschutz|defender|firewall)|trotzdem (?:ausfuhren|installieren|offnen)|(?:inhalt\w{0,2}|makros?|bearbeitung) (?:aktivieren|zulassen)|"inhalt aktivieren"|unbekannte quellen/,
    oldAccount:
      /(?:alte|bisherige|ubliche|fruhere)[rns]? (?:iban|konto|bankverbindung|kontonummer)[^.!?]{0,50}(?:nicht mehr|gesperrt|geschlossen|gepruft|aufgelost)|(?:konto|iban)\w{0,9}[^.!?]{0,40}(?:kontoprufung|gesperrt|wird gepruft|aufgelost)|die neue lautet/,
    noCall:
      /(?:telefonisch|am telefon|per telefon)[^.!?]{0,40}(?:nicht|schlecht|kaum|keine)|(?:bitte |)nicht (?:anrufen|telefonieren|zuruckrufen)|anrufe? (?:gehen|geht)[^.!?]{0,20}nicht|(?:antworte\w{0,2}|schreib\w{0,3})[^.!?]{0,20} (?:nur|ausschliesslich) (?:an diese|hier|auf diese|per mail)|ruf\w{0,2}[^.!?]{0,12} nicht an|vier-augen-prinzip[^.!?]{0,30}aus|mikrofon/,
    pay: /\b(?:zahl\w{0,4}|bezahl\w{0,3}|uberweis\w{0,3}|rechnung|betrag|geld|schuld\w{0,3}|miete)\b/,
    wages: /\b(?:gehalt\w{0,9}|lohn\w{0,9}|bezuge)\b/,
    newAccount:
      /\b(?:neue[nrms]? (?:konto|iban|bankverbindung|bank)|anderes konto|die neue|konto gewechselt|bank gewechselt|geandert)/,
    channel: /(?:per|uber|auf|via|bei) (?:whatsapp|telegram|signal|viber)|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{3}/,
    secret:
      /(?:sag\w{0,2}|erzahl\w{0,2}|sprich|reden)[^.!?]{0,30}(?:niemandem?|nicht|keinem|nichts)|unter uns|fur sich behalten|fur dich behalten|(?:bank|portal|plattform|seite)[^.!?]{0,30}(?:probleme|blockier|langsam|verstehen)|nicht (?:anrufen|uber (?:das portal|die seite))|telefonisch nicht|vertraulich/,
    parent: /\b(?:mama|papa|mutti|vati|oma|opa|hallo mama|hallo papa)\b/,
    newPhone:
      /(?:neue (?:nummer|handynummer)|neues handy|handy (?:ist |)(?:kaputt|verloren|runter|ins)|nummer (?:loschen|speichern))/,
    deadline:
      /(?:\d{1,3} (?:stunden|tage)|frist|bis (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|zum)|sonst|andernfalls|wenn (?:sie|du) nicht)/,
    orElse:
      /(?:veroffentlich|kontakte|familie|kollegen|freunde|nachbarn|losche ich|schlechte bewertung|angriff|polizei|post\b|ins netz)/,
    task: /(?:bewerte\w{0,2}|bewerten|liken?|klicken?|testen?|abonnieren?|app-tester)[^.!?]{0,40}(?:video|hotel|unterkunfte|produkt|app|kanal|kanale|beitrag|beitrage)?/,
    perDay: /(?:pro|am|je|jeden) (?:tag|aufgabe|stunde|woche|klick)|taglich|provision/,
    topUp: /(?:aufladen|laden sie|lade\b|einzahl|nachste stufe|vorkasse|freischalt|startpaket)/,
    courier: /\b(?:kurier\w{0,6}|spedition|fahrer|transportdienst|bote)\b/,
    collects: /(?:holt|abhol|nimmt|bringt)/,
    card: /(?:karte|kartendaten|bank|iban|konto|online-?banking|geld (?:erhalten|empfangen|freigeben))/,
    unseen:
      /schlussel[^.!?]{0,60}(?:post|kurier|paket|geschickt|zugeschickt|agentur)|(?:ausland|anderen? (?:land|stadt))[^.!?]{0,100}(?:zeigen|besichtig|schlussel)|besichtigung[^.!?]{0,50}(?:nicht moglich|erst nach|vorher)|vor der besichtigung/,
    home: /(?:wohnung|zimmer|haus|miete|apartment)/,
    deposit: /(?:kaution|anzahlung|erste miete|uberweis|reservierung)/,
    toll: /\b(?:maut\w{0,9}|bussgeld\w{0,9}|strafzettel|parkgebuhr|knollchen|vignette)\b/,
    isOpen: /(?:offen\w{0,2}|unbezahlt|ausstehend|fallig|mahnung|nicht bezahlt|begleich|bezahlen)/,
    safeAccount:
      /(?:auf|in) (?:ein|das|unser|ihr|dein) (?:sicheres|sicherheits|geschutztes|treuhand)-?\s?(?:konto|wallet|depot)|(?:geld|guthaben|ersparnisse|coins)[^.!?]{0,30} in sicherheit/,
    notYou: /(?:abgebucht|abbuchung|verlangert|abo\b|abonnement|bestellung|stornier|widerruf|kundigen|rechnung uber)/,
    call: /\b(?:ruf\w{0,3}|anrufen|anruf|telefon\w{0,6}|hotline|kontaktieren)\b/,
    donation: /(?:spend\w{0,3}|hilfsfonds|opfer|waisen|hochwasser|erdbeben|gefluchtete)/,
    giftCards: /(?:geschenkkarte|gutscheinkarte|guthabenkarte|paysafe|steam-?karte|apple-?karte)/,
    threat:
      /(?:du wirst|sie werden) (?:es )?(?:bereuen|dafur bezahlen|leiden)|ich weiss,? wo (?:du|sie) wohn|pass (?:gut )?auf dich auf|dreh dich (?:lieber )?um|niemand wurde dich vermissen|bring dich um|du bist (?:abschaum|wertlos|nichts wert|dreck)|verschwinde,? (?:sonst|oder)/,
  }),
}
