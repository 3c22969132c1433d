/** Unwanted mail in German. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing, scam, spam } = templatesIn('de')

export const german: Template[] = [
  phishing('bank-tan-note', {
    from: 'brand {<brand>|<brand> {Kundenservice|Online-Banking|Sicherheit}}',
    brands: ['Sparkasse', 'Volksbank', 'Commerzbank', 'DKB', 'ING', 'Alpenkasse', 'N26'],
    subject:
      '{Wichtig: {Aktualisierung|Bestätigung} Ihrer {Daten|TAN-App}|Ihr {pushTAN|photoTAN}-Zugang läuft {ab|am <soon> ab}|{Sicherheitshinweis|Kontosperrung}: <brand>|Ihr Konto wurde {vorübergehend |}eingeschränkt}',
    body: `
      Sehr geehrte{r Kunde, sehr geehrte Kundin| Damen und Herren| <brand>-Kunden},
      {{aufgrund der neuen EU-Richtlinie PSD2|im Rahmen unserer {Sicherheitsüberprüfung|Systemumstellung}} {ist es erforderlich, dass Sie Ihre {Kontodaten|persönlichen Daten} {bestätigen|abgleichen}|müssen alle Kunden ihr {pushTAN-Verfahren|Konto} erneut {aktivieren|verifizieren}}.|{wir haben|unser System hat} {am <date> |}{ungewöhnliche Aktivitäten|einen Anmeldeversuch von einem unbekannten Gerät} auf Ihrem Konto festgestellt{ und {den Zugang|dieses} {vorsorglich|vorübergehend} gesperrt|}.|Ihre {Registrierung für|} {pushTAN|SecureGo} {läuft|läuft demnächst} ab.}
      ~ {{Bitte bestätigen Sie Ihre Identität|Führen Sie die {Aktualisierung|Verifizierung} durch} {innerhalb von <n 24-72> Stunden|bis zum <soon>}, um {weiterhin alle Funktionen nutzen zu können|eine Sperrung zu vermeiden}.|Der Vorgang dauert nur wenige Minuten.}
      ~ ? {Andernfalls {wird Ihr Konto {gesperrt|deaktiviert}|erheben wir eine Bearbeitungsgebühr von <price>}.|Nach Ablauf der Frist ist eine Freischaltung nur noch {in der Filiale|per Post} möglich.}
      @ {Jetzt {bestätigen|aktualisieren|verlängern}|Zum Online-Banking|Daten abgleichen|Konto entsperren}
      {Mit freundlichen Grüßen|Wir danken für Ihr Verständnis}<br>{Ihre|Ihr} {<brand>|<brand>-Team|Kundenservice}
      ? % Dies ist eine automatisch erstellte Nachricht, bitte antworten Sie nicht {darauf|auf diese E-Mail}.
    `,
  }),
  phishing('paket-zoll-letter', {
    from: 'brand {<brand>|<brand> {Paket|Zustellung|Sendungsverfolgung}}',
    brands: ['DHL', 'Hermes', 'DPD', 'GLS', 'Deutsche Post', 'Paketwerk'],
    subject:
      '{Ihr Paket {wartet|konnte nicht zugestellt werden|befindet sich in unserem Verteilzentrum}|{Sendung|Paket} <code>: {Zollgebühr|Versandkosten} {offen|<fee>}|{Letzte |}Erinnerung: {Zustellung|Lieferung} {ausstehend|fehlgeschlagen}}',
    body: `
      {Guten Tag|Hallo|Lieber Kunde|Sehr geehrter Kunde},
      {Ihr {Paket|Sendung mit der Nummer <code>} {konnte {heute|am <date>} nicht zugestellt werden, weil {die Adresse unvollständig ist|niemand angetroffen wurde}|wird {vom Zoll|in unserem Lager} {zurückgehalten|festgehalten}}.|Für Ihre Sendung {sind|fallen} {noch |}{Zoll- und Bearbeitungsgebühren|Versandkosten} in Höhe von <fee> {offen|an}.}
      * Sendungsnummer: <code>
      ? * Betrag: <fee>
      {Bitte {begleichen|bezahlen} Sie {den Betrag|<fee>}|{Bestätigen|Aktualisieren} Sie {bitte |}Ihre Lieferadresse}{ innerhalb von {48 Stunden|3 Werktagen}|}, {damit wir {erneut zustellen|das Paket ausliefern} können|sonst {geht|wird} das Paket {an den Absender zurück|zurückgesendet}}.
      @ {Zustellung {planen|bestätigen}|Jetzt bezahlen|Sendung verfolgen|Gebühr zahlen}
      ? {Ihr <brand>-Team|Vielen Dank, dass Sie <brand> nutzen.}
    `,
  }),
  phishing('postfach-voll', {
    from: 'own {E-Mail-Administrator|IT-{Support|Abteilung}|Webmail <domain>|Systemadministrator}',
    subject:
      '{Ihr Postfach {ist {fast |}voll|<user>: Speicher überschritten}|Passwort läuft {heute|in <n 1-3> Tagen} ab|<n 2-9> {E-Mails|Nachrichten} {nicht zugestellt|zurückgehalten}|{Wartung|Umstellung} der E-Mail-Konten}',
    body: `
      {Hallo|Sehr geehrter {Nutzer|Benutzer}|Guten Tag} {<local>|<user>},
      {Ihr {Postfach|E-Mail-Konto} hat {die Speichergrenze|<n 95-99> % des Speichers} {erreicht|überschritten}. {Sie können {bald |}keine E-Mails mehr {senden oder |}empfangen.|Eingehende Nachrichten werden abgewiesen.}|Das Passwort für <user> läuft {heute|am <soon>} ab.|<n 2-9> eingehende Nachrichten {wurden|konnten} aufgrund eines {Server|Synchronisierungs}fehlers {nicht zugestellt werden|zurückgehalten}.|Wir stellen {an diesem Wochenende|derzeit} alle Konten auf {einen neuen Server|Outlook Web} um.}
      {{Bitte |}{bestätigen|verifizieren} Sie Ihr Konto|Melden Sie sich {hier |}mit Ihren Zugangsdaten an|Klicken Sie auf {den Link|die Schaltfläche}}, um {den Speicher {kostenlos |}zu erweitern|Ihr {aktuelles |}Passwort zu behalten|{die|alle} Nachrichten {freizugeben|abzurufen}|Datenverlust zu vermeiden}.
      @ {Speicher erweitern|Passwort beibehalten|Nachrichten freigeben|Konto bestätigen|Hier anmelden}
      ? Wenn Sie {nicht reagieren|diese Nachricht ignorieren}, wird Ihr {Konto|Postfach} {am <soon>|innerhalb von 24 Stunden} {gesperrt|deaktiviert|gelöscht}.
      {IT-Support|Ihr Administrator|<domain> {Mailservice|IT}}
    `,
  }),
  phishing('rechnung-anhang-letter', {
    from: 'firm {<name>|Buchhaltung <company>|<company>}',
    looks: ['plain', 'plain', 'letter'],
    attach: '{Rechnung_<n 1000-9999>.html|RG-<n 10000-99999>.pdf.html|Mahnung_<n 100-999>.zip|Auftrag.shtml}',
    subject:
      '{Rechnung {Nr. |}<ref>|{Zahlungserinnerung|Letzte Mahnung} <ref>|{AW|WG}: {Bestellung|Zahlung|Angebot} <ref>|Zahlungsavis vom <date>}',
    body: `
      {Sehr geehrte Damen und Herren|Guten Tag|Hallo}{ <toname>|},
      {anbei {erhalten|finden} Sie {unsere Rechnung|die {fällige |}Rechnung <ref>}{ über <amount>|}.|trotz {unserer Erinnerung|mehrfacher Aufforderung} ist {die Rechnung|der Betrag von <amount>} {noch |}offen.|bitte prüfen Sie {den beigefügten Auftrag|die Zahlungsbestätigung im Anhang}.}
      ? {Die Datei ist geschützt: bitte mit Ihrem E-Mail-{Passwort|Konto} öffnen.|Zum {Anzeigen|Öffnen} melden Sie sich mit Ihrer E-Mail-Adresse an.}
      ? {{Zahlen Sie|Begleichen Sie den Betrag} bis zum <soon>, sonst {übergeben wir an {ein Inkassobüro|unsere Anwälte}|entstehen weitere Kosten}.|Bitte {um Rückmeldung|bestätigen Sie den Eingang}.}
      ? @ {Rechnung {ansehen|herunterladen}|Dokument öffnen}
      {Mit freundlichen Grüßen|MfG|Freundliche Grüße}<br><name>{<br><company>|<br>{Buchhaltung|Forderungsmanagement}}
    `,
  }),
  phishing('behoerde', {
    from: 'odd {<brand>|<brand> {Online|Portal}}',
    brands: [
      'ELSTER',
      'Bundeszentralamt für Steuern',
      'Finanzamt',
      'Rundfunkbeitrag',
      'Deutsche Rentenversicherung',
      'Krankenkasse',
      'KfW',
    ],
    subject:
      '{Ihre {Steuererstattung|Rückzahlung} {<amount>|wartet}|<brand>: {neue Nachricht|Mitteilung} {<ref>|in Ihrem Postfach}|{Bußgeldbescheid|Zahlungsaufforderung} <ref>|{Energiepauschale|Klimabonus|Zuschuss} {beantragen|auszahlen}|Ihre Gesundheitskarte läuft ab}',
    body: `
      Sehr geehrte{ Damen und Herren|r Steuerzahler|r Herr/Frau <tolast>},
      {nach {der letzten|} {Prüfung|Berechnung} {Ihrer Unterlagen |}haben Sie Anspruch auf eine {Erstattung|Rückzahlung} {von|in Höhe von} <amount>.|{im Rahmen|aufgrund} des Entlastungspakets steht Ihnen {ein Zuschuss|eine Zahlung} von <round> zu.|gegen Sie {liegt|wurde} {ein Bußgeld {wegen Geschwindigkeitsüberschreitung |}in Höhe von <price> vor|eine Forderung von <price> festgestellt}.|Ihre {Versichertenkarte|Gesundheitskarte} ist nur noch bis <soon> gültig.}
      {{Bitte |}{Füllen|füllen} Sie das {Formular|Onlineformular} aus|Bitte bestätigen Sie Ihre {Bankverbindung|Identität und IBAN}|Zahlen Sie {online |}bis zum <soon>}{, {sonst verfällt {der|Ihr} Anspruch|um {weitere Kosten|Vollstreckung} zu vermeiden}|}.
      @ {Zum Formular|Antrag stellen|{Erstattung|Auszahlung} anfordern|Bescheid ansehen|Jetzt {zahlen|beantragen}}
      {Mit freundlichen Grüßen|Hochachtungsvoll}<br>{<brand>|Im Auftrag, <last>}
      ? % Dieses Schreiben wurde maschinell erstellt und ist ohne Unterschrift gültig.
    `,
  }),
  phishing('abo-zahlung-mail', {
    from: 'brand <brand>{ Kundenservice|}',
    brands: ['Netflix', 'Amazon', 'PayPal', 'Disney+', 'Klarna', 'Telekom', 'Streamora'],
    subject:
      '{Ihre {letzte |}Zahlung {ist fehlgeschlagen|wurde abgelehnt}|Ihr {Konto|Abo} {wurde {ausgesetzt|eingeschränkt}|läuft ab}|{Bestätigen|Aktualisieren} Sie Ihre Zahlungs{daten|methode}|Sie haben {eine Zahlung von <amount>|<amount>} an <client> gesendet}',
    body: `
      {Hallo{ <to>|}|Sehr geehrter Kunde|Guten Tag},
      {{leider konnten wir|wir konnten} Ihre {letzte |}Zahlung {nicht {verarbeiten|einziehen}|für den kommenden Monat nicht abbuchen}.|Ihr <brand>-{Konto|Abonnement} wurde {vorübergehend |}{ausgesetzt|eingeschränkt}, {da|weil} {Ihre Zahlungsdaten veraltet sind|uns verdächtige Aktivitäten aufgefallen sind}.|Sie haben eine Zahlung über <amount> an <client> autorisiert. {Wenn Sie das nicht waren, stornieren Sie sie sofort.|}}
      {Aktualisieren Sie Ihre {Zahlungsmethode|Daten}|Bitte bestätigen Sie {Ihre Daten|Ihr Konto}}{ innerhalb von <n 24-72> Stunden|}, um {{unseren Dienst|<brand>} weiter zu nutzen|eine {Kündigung|Sperrung} zu vermeiden}.
      @ {Zahlung {aktualisieren|stornieren}|Konto {bestätigen|wiederherstellen}|Jetzt anmelden|Daten aktualisieren}
      {Ihr <brand>-Team|Viele Grüße<br><brand>}
    `,
  }),
  scam('erbschaft-spende', {
    from: 'free {{Frau|Herr} <name>|Rechtsanwalt <name>|<name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{Spende|{Wichtige|Dringende} {Nachricht|Mitteilung}|Erbschaft{ <tolast>|}|Lieber {Begünstigter|Freund}|{Geschäftsvorschlag|Vertraulich}|Hallo {Schatz|mein Lieber}}',
    body: `
      {Hallo{ mein Lieber|}|Lieber Freund|Sehr geehrter Begünstigter|Guten Tag},
      {{ich bin|mein Name ist} {Frau|Herr|Rechtsanwalt} <name>{ aus <city>|}. {Ein Kunde von mir mit Ihrem Nachnamen ist {bei einem Autounfall|an Krebs} verstorben und hat <million> {bei einer Bank|} hinterlassen{, ohne {Erben|nächste Angehörige}|}.|Ich {leide|bin} {an Krebs erkrankt|unter einer schweren Krankheit} und {habe nur noch wenige {Wochen|Monate} zu leben|möchte <million> an {Bedürftige|Waisen} spenden}.|Ich arbeite {bei|in} {einer Bank|der <bank>} und habe ein {ruhendes|verlassenes} Konto mit <million> entdeckt.}|Sie haben eine Spende {von|über} <million> erhalten. {Ich habe {im Lotto|die Lotterie} gewonnen und {gebe|spende} einen Teil {an|} {fünf|zehn} {Personen|Menschen}.|}}
      {{Ich brauche Ihre Hilfe|Ich bitte um Ihre Mitarbeit}, um {das Geld|die Summe} {zu überweisen|ins Ausland zu bringen}; {Sie erhalten 40 %|wir teilen 50/50}.|Ihre E-Mail-Adresse wurde {zufällig |}ausgewählt.}
      ? Diese {Transaktion|Sache} ist {100 % |}{risikofrei|legal}{ und {streng |}vertraulich|}.
      {Antworten Sie {mir |}{schnell |}{an|auf}|Kontaktieren Sie mich {unter|per E-Mail}:} <mail>{ {mit|und senden Sie} {Name, Adresse und Telefonnummer|Ihren Daten}|}.
      {Mit freundlichen Grüßen|Gott segne Sie|Hochachtungsvoll}<br>{<name>|<first>}
    `,
  }),
  scam('erpressung', {
    from: 'odd',
    looks: ['plain'],
    subject:
      '{Ihr {Konto|Gerät|Passwort} wurde {gehackt|kompromittiert}|{Zahlung|Zahlungsaufforderung} {von Ihrem Konto|ausstehend}|Ich habe {Sie|alles} {aufgenommen|gesehen}|{Letzte |}Warnung{: <user>|}}',
    body: `
      {Hallo|Guten Tag|Grüße}{!|,}
      {Ich {habe|hatte} {vor einigen Monaten |}Zugriff auf {Ihre Geräte|Ihren Computer} {erhalten|bekommen}{ und Ihre {Aktivitäten|Kamera} {verfolgt|eingeschaltet}|}.|Ihr {Passwort|Kennwort} {lautet|ist} <code>. Ich weiß {es|noch mehr} über Sie.}
      {Ich habe ein Video{, {auf|in} dem Sie {sich befriedigen|Erwachsenenseiten besuchen}|}. {Mit einem Klick {kann|werde} ich es an {alle Ihre Kontakte|Familie und Kollegen} senden|}.|Während Sie {Pornoseiten|Seiten für Erwachsene} besuchten, hat {mein Trojaner|Ihre Webcam} alles aufgenommen.}
      {Überweisen|Senden} Sie <round> in Bitcoin {an|auf diese Wallet:} <wallet>. {Danach lösche ich {alles|das Video}.|}
      ~ ? Sie haben {48|50} Stunden Zeit{ ab dem Öffnen dieser E-Mail|}.
      ~ ? {Gehen Sie nicht zur Polizei|Antworten Sie nicht}, {das ist sinnlos|die Adresse ist {gefälscht|generiert}}.
    `,
  }),
  scam('chef', {
    from: 'free {<name>|<toname>|Geschäftsführung}',
    looks: ['plain'],
    replyTo: 'free',
    subject:
      '{{Dringend|Eilig|Anfrage}|Hallo <to>|{Überweisung|Zahlung} {heute|erforderlich}|Kurze {Frage|Bitte}|{Änderung|Neue} {der |}Bankverbindung|Sind Sie {da|im Büro}?}',
    body: `
      {Hallo|Guten {Morgen|Tag}}{ <to>|},
      {sind Sie {gerade |}{am Platz|verfügbar|im Büro}? Ich {brauche|benötige} {kurz |}Ihre Hilfe{ bei {einer {dringenden|vertraulichen} {Zahlung|Überweisung}|etwas}|}.|ich brauche {sofort|heute} {einige |}{Google-Play|Apple|Amazon}-{Gutscheine|Geschenkkarten} für {Kunden|Mitarbeiter}: <n 4-10> Stück zu je {100|200} €. {Rubbeln Sie den Code frei und schicken Sie mir {die Fotos|die Codes}.|}|wir müssen heute <sum> {an einen neuen Lieferanten|ins Ausland} überweisen. {Können Sie das {erledigen|veranlassen}?|}|ich habe {die Bank|mein Konto} gewechselt. Bitte {ändern|aktualisieren} Sie {meine Bankverbindung|die IBAN} für {das nächste Gehalt|die nächste Zahlung}.}
      ? {Ich bin in einer {Besprechung|Sitzung}, {bitte |}nur per E-Mail{ antworten|}.|Bitte {behandeln Sie das vertraulich|sprechen Sie mit niemandem darüber}.}
      {Danke|Viele Grüße|Gruß}{,|}<br>{<first>|<name>}{<br>Von meinem iPhone gesendet|}
    `,
  }),
  scam('kredit-krypto', {
    from: 'free {<name>|<company>|Kredit{agentur|service} <last>}',
    replyTo: 'free',
    many: true,
    subject:
      '{{Kredit|Darlehen}{sangebot|} {ab 2 %|zwischen Privatpersonen}|{Bitcoin|Krypto}: <round> {pro Tag|im Monat}|{Nebenjob|Heimarbeit}: <round> {im Monat|}|{Passives|Sicheres} Einkommen}',
    body: `
      {Guten Tag|Hallo|Sehr geehrte Damen und Herren},
      {{benötigen|brauchen} Sie {dringend |}{einen Kredit|ein Darlehen}? {Wir|Ich} {vergeben|gewähre} {Kredite|Darlehen} von 5.000 € bis <million> zu {2|3} % Zinsen{, ohne Schufa|}.|{verdienen|Verdienen} Sie {bis zu |}<round> {täglich|pro Woche} mit {Bitcoin|unserer Trading-KI}, {schon ab|Einsatz nur} 250 €. {Bekannte aus dem Fernsehen {nutzen es|sind dabei}.|Keine Erfahrung nötig.}|wir suchen {Mitarbeiter|Finanzassistenten} {in Teilzeit|von zu Hause}: {Sie empfangen {Zahlungen|Pakete} {für unsere Kunden |}und leiten sie weiter|Apps testen, <n 15-40> € pro Stunde}.}
      ? {{Schnell|Diskret}, {seriös|sicher} und {ohne {Risiko|Vorkosten}|unkompliziert}.|{Tausende|Viele} {Kunden|Menschen} {vertrauen uns|verdienen schon}.}
      {{Schreiben Sie|Bewerbung} {uns |}{an|:} <mail>|WhatsApp: <chat>|{Jetzt anmelden|Mehr erfahren}: <link>}
      {Mit freundlichen Grüßen|Ihr}<br><name>
    `,
  }),
  spam('casino-gewinn', {
    from: 'odd {<brand>|{Gewinn|Prämien}{zentrale|team}}',
    brands: ['Lidl', 'Aldi', 'Rossmann', 'MediaMarkt', 'NeonBet', 'Goldklee Casino'],
    looks: ['plain', 'letter', 'card', 'image'],
    subject:
      '{{Herzlichen Glückwunsch|Glückwunsch}{, <local>|}!|Sie {haben gewonnen|wurden ausgewählt}|<n 50-200> Freispiele {warten|gratis}|{Ihr|<brand>} {Gutschein|Geschenk}: <round>|Letzte Chance: {Bonus|Prämie}}',
    body: `
      # {Sie wurden ausgewählt!|Herzlichen Glückwunsch!|<n 100-300> % Bonus}
      {{Nehmen Sie an|Beantworten Sie} {unserer {kurzen |}Umfrage teil|<n 3-9> {kurze |}Fragen} und {erhalten|sichern} Sie {sich |}{einen {<brand>|} Gutschein {über|im Wert von} <round>|ein iPhone|eine Heißluftfritteuse}.|{Registrieren|Melden} Sie sich {heute|jetzt} an und {erhalten|kassieren} Sie bis zu <round> {Bonus |}{und <n 50-200> Freispiele|}{ ohne Einzahlung|}!}
      ? {Nur noch <n 2-20> {Stück|Plätze} {verfügbar|frei}.|Das Angebot {endet|gilt} {heute|bis <soon>}.}
      @ {Jetzt {teilnehmen|spielen|sichern}|Gutschein {einlösen|abholen}|Bonus holen}
      ? % {Sie erhalten diese Mail, weil Sie sich angemeldet haben.|Werbung.} <a Abmelden>
    `,
  }),
  spam('abnehmen-potenz', {
    from: 'odd {<name>|{Gesundheit|Apotheke|Vital} {Aktuell|Online|Tipps}}',
    subject:
      '{<n 8-25> {Kilo|kg} {weniger|in <n 3-6> Wochen}|{Potenzmittel|^Viagra^} {rezeptfrei|ohne Rezept}|{Höhle der Löwen|Ärzte}: {Abnehm|Diabetes}-{Sensation|Trick}|{Schluss mit|Nie wieder} {Bauchfett|Knieschmerzen|Tinnitus}}',
    body: `
      {{Ohne {Sport|Diät}|Mit diesem {einfachen |}Trick} {<n 8-25> kg {abnehmen|verlieren}|Bauchfett verbrennen}{: {ein Löffel|zwei Kapseln} {vor dem Schlafen|täglich}|}.|{^Viagra^|^Potenzmittel^|^Cialis^} {ab|für nur} <n 1-3>,<n 10-99> € {pro Pille|}, {rezeptfrei und diskret|Lieferung in {24|48} Stunden}.|{Forscher|Ein Arzt aus {München|Wien}} {entdeckte|hat entdeckt}, {was wirklich gegen {Tinnitus|Schmerzen|Haarausfall} hilft|warum Diäten nicht wirken}.}
      ? {{Bekannt aus|Gesehen in} {TV und Presse|„Die Höhle der Löwen“}.|{Nur heute|Jetzt} <n 40-70> % {Rabatt|günstiger}!|100 % natürlich, {ohne Nebenwirkungen|Geld-zurück-Garantie}.}
      @ {Jetzt {bestellen|ansehen|testen}|Zum {Shop|Video|Angebot}|Mehr erfahren}
      ? % <a Newsletter abbestellen>
    `,
  }),
  spam('seo-adressen', {
    from: 'free {<name>|<name> | {SEO|Webdesign|Marketing}}',
    looks: ['plain'],
    subject:
      '{{Platz 1|Erste Seite} bei Google{ für <domain>|}|{Firmenadressen|Unternehmensdaten} {kaufen|zu verkaufen}|{Frage|Verbesserung} zu {Ihrer Website|<domain>}|{Photovoltaik|PKV|Immobilien}: {Angebot|Leads}|Gastbeitrag auf <domain>}',
    body: `
      {Hallo{ <domain>-Team|}|Sehr geehrte Damen und Herren|Guten Tag},
      {{ich habe|beim Besuch von} {mir Ihre Website <domain> angesehen und|<domain> habe ich} {einige Fehler|großes Potenzial} {gefunden|bemerkt}. {Wir bringen Sie {auf Seite 1|unter die Top 10}{ in <n 30-90> Tagen|}.|}|wir {verkaufen|bieten} {über <n 1-9> Millionen|aktuelle} {Firmenadressen|E-Mail-Adressen|Leads} {aus {Deutschland|DACH}, {nach Branchen sortiert|mit Ansprechpartner}|ab <price>}.|{möchten|würden} Sie {einen Artikel mit Link|einen Gastbeitrag} {von uns |}{veröffentlichen|aufnehmen}? {Wir zahlen {gern|<price>}.|}|{senken|Senken} Sie Ihre {Stromkosten|Beiträge} um bis zu <n 40-70> %{ mit {Solar|der PKV}|}: {unverbindliches|kostenloses} Angebot.}
      ? {Darf ich Ihnen {ein Angebot|die Preisliste|eine Analyse} {senden|schicken}?|{Nur|Aktion} {diese Woche|heute}: <n 20-60> % Rabatt.}
      {Ich freue mich auf {Ihre Antwort|Rückmeldung}.|Antworten Sie einfach mit „Ja“.}
      {Beste|Viele} Grüße<br><name>{<br>{Marketing|Vertrieb}|}
      ? % Wenn Sie keine Mails mehr {wünschen|möchten}, antworten Sie mit „{Abmelden|Stopp}“.
    `,
  }),
]
