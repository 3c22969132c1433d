/** Wanted mail in German. */
import { mails } from './mails.js'

export const german = mails(`
### order/de/confirmed html
From: {company} <[bestellung|shop|service]@{host}>
Subject: [Ihre Bestellung {order}|Bestellbestätigung {order}|Danke für Ihre Bestellung bei {company}]

{dear}

[vielen Dank für Ihre Bestellung! Wir packen {product} noch heute ein.|wir haben Ihre Bestellung erhalten und kümmern uns darum.] [Sobald das Paket unterwegs ist, bekommen Sie eine weitere Nachricht.|Die Lieferung erfolgt voraussichtlich am {dateSoon}.]

| Bestellnummer | {order}
| Versand | [kostenfrei|{amount:3-7}]
| Gesamtbetrag inkl. MwSt. | {amount:20-300}

? [Zahlungsart: Rechnung. Bitte überweisen Sie erst nach Erhalt der Ware.|Der Betrag wird von Ihrer Karte mit der Endziffer {card} abgebucht.]

=> [Bestellung ansehen|Zu meiner Bestellung] -> https://{host}/konto/bestellungen/{token}

~ [Sie können Ihren Kauf innerhalb von 14 Tagen ohne Angabe von Gründen widerrufen.|Es gelten unsere AGB.] {legal}

### order/de/shipped html
From: {company} <[versand|info]@{host}>
Subject: [Ihr Paket ist unterwegs|Sendung {tracking} wurde verschickt|Gute Nachrichten: Ihre Bestellung kommt {weekday}]

Hallo {you},

[Ihr Paket hat unser Lager verlassen|wir haben Ihr Paket heute an den Zusteller übergeben] und [kommt voraussichtlich {weekday} bei Ihnen an|sollte in {2-4} Werktagen da sein].

=> [Sendung verfolgen|Wo ist mein Paket?] -> https://{host}/sendung/{tracking}

? [Nicht zu Hause? Wählen Sie einen Ablageort oder einen Nachbarn.|Das Paket wiegt etwa {1-20} kg; der Fahrer bringt es bis zur Haustür.]

~ {legal}

### order/de/pickup
From: {company} <[abholung|info]@{host}>
Org: Paketladen Lindwurm @ paketladen-lindwurm.example;Abholstation Nord @ abholstation-nord.de;Sanitätshaus Vogel @ sanitaetshaus-vogel.example
Subject: [Abholbereit: Sendung {tracking}|Ihre Ware liegt bereit|Bitte bis {dateSoon} abholen]

[Guten Tag,|Hallo {you},]

[Ihre Sendung liegt ab sofort in unserer Filiale {street} {2-90} zur Abholung bereit.|{otherCompany} hat Ihnen etwas geschickt. Sie finden es in Fach {1-60}, Code {pin}.] [Bitte bringen Sie einen Ausweis mit.|Geöffnet ist Mo-Sa von 9 bis {18-20} Uhr.] [Nach dem {dateSoon} geht das Paket zurück an den Absender.|]

{bye}
{company}

### billing/de/invoice html mixed
From: {company} <[rechnung|buchhaltung]@{host}>
Subject: [Rechnung {invoice}|Ihre Rechnung für {month}|{company}: Rechnung Nr. {invoice}]
Attach: Rechnung_{invoice}.pdf

{dear}

[anbei erhalten Sie die Rechnung für {month}.|im Anhang finden Sie unsere Rechnung {invoice} über {amount:30-900}.] [Bitte überweisen Sie den Betrag bis zum {dateLater} auf das angegebene Konto.|Der Betrag wird am {dateSoon} per Lastschrift eingezogen; Sie müssen nichts tun.]

? [Bei Fragen zur Rechnung erreichen Sie uns unter {dial}.|Alle Rechnungen finden Sie auch in Ihrem <<Kundenkonto -> https://{host}/konto/rechnungen>>.]

{bye}
{company}

~ {legal}

### billing/de/dunning
From: {company} Buchhaltung <[buchhaltung|mahnwesen|rechnung]@{host}>
Subject: [Zahlungserinnerung zu Rechnung {invoice}|2. Mahnung, Rechnung {invoice}|Offener Posten {invoice}]
Attach: [Rechnung_{invoice}.pdf|]

{dear}

[sicher ist es Ihrer Aufmerksamkeit entgangen: Unsere Rechnung {invoice} über {amount:60-2000} war am {dayBefore} fällig.|trotz unserer Erinnerung konnten wir bis heute keinen Zahlungseingang feststellen.] [Bitte begleichen Sie den offenen Betrag bis zum {dateSoon}.|Wir bitten um Überweisung zuzüglich {amount:3-10} Mahnkosten bis {dateSoon}.]

IBAN: {iban}
Verwendungszweck: {invoice}

[Sollten Sie inzwischen gezahlt haben, betrachten Sie dieses Schreiben bitte als gegenstandslos.|Nach Ablauf der Frist müssen wir die Forderung an ein Inkassobüro übergeben.|Wenn Sie gerade nicht zahlen können, rufen Sie uns an: {dial}. Wir finden eine Lösung.]

{bye}
{meFull}

### account/de/reset own html mixed
From: {company} <[noreply|konto|sicherheit]@{host}>
Subject: [Passwort zurücksetzen|Neues Passwort für {company}|So setzen Sie Ihr Passwort zurück]

Hallo {you},

[für Ihr Konto wurde ein neues Passwort angefordert.|Sie haben Ihr Passwort vergessen? Kein Problem.] [Über den folgenden Link können Sie ein neues vergeben.|Klicken Sie hier, um ein neues Passwort zu wählen.]

=> [Passwort ändern|Neues Passwort vergeben] -> https://{host}/passwort/neu?token={token}

[Der Link ist {1-24} Stunden gültig.|Der Link funktioniert nur einmal.] [Falls Sie das nicht waren, können Sie diese Nachricht ignorieren.|Wenn Sie nichts angefordert haben, bleibt alles beim Alten.]

### account/de/login-notice own html mixed
From: {company} <[sicherheit|noreply]@{host}>
Subject: [=[Neue Anmeldung in Ihrem Konto|Anmeldung von einem neuen Gerät]|Ihr Anmeldecode: {code}]

[=Am {date} um {time} Uhr hat sich jemand mit einem neuen Gerät in Ihrem Konto angemeldet ([Firefox unter Linux|iPhone|Windows-PC], {city}).|Ihr Code lautet {code}. Er gilt {5-15} Minuten. Geben Sie ihn niemandem weiter, auch nicht am Telefon.]

[Waren Sie das? Dann ist alles in Ordnung.|Wenn Sie das nicht waren, <<ändern Sie bitte Ihr Passwort -> https://{host}/konto/sicherheit>>.]

[Ihr Team von {company}|{company}]

### bank/de/statement own
From: {company} <[postfach|service]@{host}>
Org: Volksbank Birkental @ volksbank-birkental.example;Sparverein Nord @ sparverein-nord.example;Lindenbank @ lindenbank.example
Subject: [Neue Nachricht in Ihrem Postfach|Ihr Kontoauszug {month} ist da|Änderung unserer Geschäftsbedingungen zum {dateLater}]

{dear}

[Ihr Kontoauszug für {month} steht im Online-Postfach bereit.|in Ihrem elektronischen Postfach liegt ein neues Dokument.|zum {dateLater} ändern sich unsere Bedingungen; die Gegenüberstellung finden Sie im Postfach.] [Melden Sie sich wie gewohnt im Online-Banking oder in der App an.|Bitte geben Sie die Adresse selbst in den Browser ein.]

[Wir fragen niemals per E-Mail nach PIN oder TAN. Unsere Hotline: {dial}.|Diese E-Mail enthält aus Sicherheitsgründen keinen Link.]

{bye}
Ihre {company}

### appointment/de/doctor
From: {company} <[termine|praxis|empfang]@{host}>
Org: Zahnarztpraxis am Markt @ zahnarzt-am-markt.example;Praxis Dr. Seidel @ praxis-seidel.example;Friseur Haarwerk @ haarwerk-salon.de;Physio im Hof @ physio-im-hof.de
Subject: [Terminerinnerung: {dateSoon}, {time} Uhr|Ihr Termin am {weekday}|Erinnerung an Ihren Termin]

Guten Tag {y:Herr/Frau} {youFamily},

[wir erinnern Sie an Ihren Termin am {dateSoon} um {time} Uhr.|bis {weekday} um {time} Uhr!] [Bitte bringen Sie Ihre Versichertenkarte und eine Liste Ihrer Medikamente mit.|Bitte kommen Sie nüchtern zur Blutabnahme.|]

[Wenn Sie verhindert sind, sagen Sie bitte mindestens 24 Stunden vorher ab: {dial}.|Absagen oder verschieben: https://{host}/termin/{token}]

{company}

### support/de/answer client
From: {me} von {company} <[support|hilfe|{meLocal}]@{host}>
Subject: [AW: Export bricht ab|Re: [{ticket}|] Frage zur Lieferung|AW: Reklamation {order}]

Hallo {y:Herr/Frau} {youFamily},

[danke für Ihre Geduld.|vielen Dank für den Hinweis, das war wirklich ein Fehler von uns.] [Der Export bricht ab, weil in Zeile {20-900} ein Datum fehlt. Mit Version {version} wird die Zeile übersprungen.|Das Ersatzteil geht heute raus; das defekte brauchen wir nicht zurück.|Wir erstatten Ihnen {amount:15-90}; das Geld ist in etwa {3-7} Tagen auf Ihrem Konto.]

? [Können Sie mir kurz schreiben, ob es jetzt klappt?|Falls noch etwas ist, antworten Sie einfach auf diese Mail.]

{bye}
{meFull}

### support/de/complaint
Subject: [Beschwerde|Keine Antwort auf drei Mails|Bestellung {order} - wo bleibt sie?|Kündigung Kundennummer {10000-99999}]

[Sehr geehrte Damen und Herren,|Guten Tag,|Hallo,]

[ich warte jetzt seit {3-8} Wochen auf {product}, und Ihre Hotline legt nach zwanzig Minuten auf.|zum dritten Mal schreibe ich Ihnen wegen der falschen Lieferung.|hiermit kündige ich meinen Vertrag zum nächstmöglichen Termin und widerrufe die Einzugsermächtigung.] [Ich setze Ihnen eine Frist bis {dateSoon}, danach gehe ich zur Verbraucherzentrale.|Bitte bestätigen Sie mir das schriftlich.|Das kann doch nicht wahr sein!!]

{meFull}
[{street} {1-90}, {city}|Kundennr. {10000-99999}]

### work/de/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [Termin nächste Woche?|Abstimmung {otherCompany}|Protokoll vom {date}|Verschiebung: Jour fixe]
To: 1-5

{hi}

[hast du nächste Woche eine halbe Stunde Zeit?|leider muss ich unseren Termin am {weekday} verschieben.|anbei das Protokoll von gestern, bitte kurz drüberschauen.] [Ich könnte {weekday} um {time} oder {dateSoon} am Vormittag.|Passt dir {dateSoon}, {time} Uhr?|Offen ist noch, wer die Messe betreut.]

? - [{ann} klärt das Budget bis {weekday}|Umzug der Server: {bob}, nächste Woche]
- [nächstes Treffen {dateSoon}|Angebot von {otherCompany} liegt vor: {amount:2000-9000}]

{bye}
{me}

### work/de/quote client
From: {meFull} <{meLocal}@{host}>
Subject: [Angebot {invoice}|Ihre Anfrage vom {dayBefore}|Bestellung Nr. {num:4500000-4599999}|Auftragsbestätigung {num:100000-999999}]
Attach: [Angebot_{invoice}.pdf|Bestellung.pdf;Zeichnung.pdf]

{dear}

[vielen Dank für Ihre Anfrage. Gerne bieten wir Ihnen an:|anbei übersenden wir Ihnen unsere Bestellung mit der Bitte um Auftragsbestätigung.|wie telefonisch besprochen sende ich Ihnen das überarbeitete Angebot.]

| [Montage|Schreibtische|Wartung jährlich] | {2-30} Stk. | {amount:90-900}
| Gesamt netto | | {amount:900-12000}

[Lieferzeit etwa {2-8} Wochen, zahlbar innerhalb von 30 Tagen.|An das Angebot halten wir uns bis {dateLater} gebunden.] [Bei Rückfragen melden Sie sich gern.|]

{bye}
{meFull}
{job} | {company}
Tel. {dial}

### recruiting/de/application client
Subject: [Bewerbung als {job}|Bewerbung, Referenz {num:100-999}|Initiativbewerbung]
Attach: Lebenslauf_{meFamily}.pdf;Zeugnisse.pdf

{dear}

[mit großem Interesse habe ich Ihre Anzeige gelesen.|über {annFull} habe ich erfahren, dass Sie Verstärkung suchen.] [Seit {3-12} Jahren arbeite ich bei {otherCompany} in {city}, zuletzt mit Verantwortung für {2-9} Leute.|Nach dem Studium in {city} habe ich im Lager angefangen und kenne die Abläufe von unten.] [Frühester Eintritt wäre der {dateLater}.|Meine Gehaltsvorstellung liegt bei {amount:42000-68000} im Jahr.]

[Über eine Einladung freue ich mich.|Gerne komme ich zu einem Probetag.]

Mit freundlichen Grüßen
{meFull}

### agent/de/request
From: {meFull} (Assistenz) <{meLocal}@{host}>
Org: Restpost @ agenten.restpost.example;Deskmate @ deskmate.app;Botengang @ botengang.example
Subject: [Anfrage im Auftrag von {meFull}|Verfügbarkeit: {product}|Auskunft nach Art. 15 DSGVO|Terminanfrage für {meFull}]

Guten Tag,

[ich bin der KI-Assistent von {meFull} und schreibe in {g:seinem/ihrem} Auftrag.|im Auftrag von {meFull} frage ich an:]

% - [Ist {product} derzeit lieferbar, und was kostet der Versand nach {city}?|Haben Sie am {dateSoon} um {time} Uhr einen Termin frei?]

% - [Bitte teilen Sie uns mit, welche Daten Sie zu {meFull} gespeichert haben und woher sie stammen.|Bitte nennen Sie den Gesamtpreis einschließlich Mehrwertsteuer.]

[Eine kurze Antwort an diese Adresse genügt.|Falls etwas unklar ist: {dial}, dort erreichen Sie {me} persönlich.]

[i. A. {meFull}|Im Auftrag von {meFull}]

### agent/de/report
From: Assistent von {you} <[assistent|agent|bot]@{host}>
Subject: [Erledigt: {3-40} Rechnungen abgelegt|Zusammenfassung Posteingang {date}|Vergleich: {3-6} Stromtarife|Brauche deine Entscheidung]

Hallo {you},

[der Auftrag von gestern ist fertig.|hier die Zusammenfassung von heute:]

1. [{otherCompany}: {amount:40-90} im Monat, {12-24} Monate Laufzeit|{ann} fragt, ob {weekday} um {time} passt]
2. [Stadtwerke: {amount:91-140}, monatlich kündbar|Rechnung {invoice} über {amount:20-400} ist bis {dateSoon} fällig]
3. [nichts bezahlt, nichts verschickt|zwei Newsletter abbestellt]

[Soll ich Nr. 1 bestellen? Antworte mit ja oder nein.|Ich habe noch nichts beantwortet.]

### private/de/short casual
Subject: Re: [heute abend|schlüssel|{weekday}|essen?|bus]

[ok|jo|passt|super|alles klar|mach ich|geht klar|perfekt|gern|ja|klingt gut][, danke|!|, bis dann|, {you}|] [um {time}? |][wir sehen uns {weekday}|bin um {time} da|bis {weekday}|ruf dich später an|bring du den Wein mit|komme {5-25} min später|sag {ann} auch Bescheid|hdl|schlüssel liegt unterm Topf]

### private/de/family casual client
Subject: [Sonntag|Omas Geburtstag|Fotos|wie geht's euch?|Geld für die Hütte]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[danke für das schöne Wochenende!|wir haben lange nichts von euch gehört, alles gut?|hast du schon eine Idee für Omas Geschenk?] [Ich dachte an einen Gutschein für die Therme, {amount:20-40} von jedem.|{bob} hat endlich den neuen Job und verdient etwas besser.|Papa soll jetzt {5-10} mg von dem Blutdruckmittel nehmen, aber nur morgens.|Im Lotto hatten wir drei Richtige, das reicht für ein Eis.]

? [Kannst du mir deinen Anteil für die Hütte überweisen? {amount:40-120}, eilt nicht.|Kommt ihr am Sonntag zum Essen? Es gibt Rouladen.]

{cheers}
{me}

### private/de/landlord
Subject: [Heizungsablesung am {date}|Nebenkostenabrechnung|Paket für euch|Treppenhaus|Kaution]
Attach: [|Abrechnung.pdf]

{dear}

[am {dateSoon} zwischen {8-10} und {12-14} Uhr kommt der Ableser; bitte sorgen Sie dafür, dass jemand da ist.|anbei die Abrechnung für das letzte Jahr. Sie bekommen {amount:20-200} zurück; bitte nennen Sie mir Ihr Konto.|der Handwerker kommt nun doch erst am {weekday}.|die Kaution von {amount:700-1800} überweise ich Ihnen nach der Übergabe.]

[Wenn Ihnen der Termin nicht passt, rufen Sie mich an: {dial}.|Danke für Ihr Verständnis.]

{bye}
{meFull}

### news/de/newsletter html bulk
From: {company} <[newsletter|post|neues]@{host}>
Subject: [Neues im {month}|{10-30} % auf alles bis Sonntag|Frisch eingetroffen|Einladung zum Hoffest am {dateLater}|Ihr Treuebonus wartet]

# [Schön, dass Sie da sind!|Neu bei uns|Jetzt sparen]

[Hallo {you},|Liebe Kundinnen und Kunden,]

[bis {dateSoon} bekommen Sie {10-30} % Rabatt auf das ganze Sortiment.|der Herbst ist da, und mit ihm die neuen Jacken.|am {dateLater} öffnen wir ab {time} Uhr unsere Werkstatt.] [Code im Warenkorb eingeben: DANKE{10-30}|Wir freuen uns auf Sie.]

=> [Jetzt stöbern|Zum Angebot|Mehr erfahren] -> https://{host}/[angebote|neu|fest]

~ {unsubscribe}
~ {legal}

### news/de/verein bulk
From: {company} <[vorstand|info|rundbrief]@{host}>
Org: TSV Lindental @ tsv-lindental.example;Gartenfreunde Nord @ gartenfreunde-nord.example;Förderverein Grundschule @ foerderverein-gs.example;Tafel am Fluss @ tafel-am-fluss.example
Subject: [Rundbrief {month}|Einladung zur Mitgliederversammlung|Arbeitseinsatz am {dateLater}|Danke für {1000-9000} Euro Spenden]
To: 20-160

Liebe Mitglieder[, liebe Freunde|, liebe Eltern|],

[zur Versammlung am {dateLater} um {time} Uhr laden wir herzlich ein.|beim Sommerfest haben wir {amount:900-4000} eingenommen. Danke an alle, die Kuchen gebacken haben!|am {weekday} wird der Platz gemäht; wir brauchen {4-12} Leute mit Gummistiefeln.]

? [Tagesordnung: 1. Kassenbericht, 2. Wahl des Vorstands, 3. Verschiedenes.|Der Beitrag von {amount:20-90} wird Anfang {month} eingezogen.|Wer spenden möchte: {iban}.]

{bye}
{meFull}

Abmelden: [einfach auf diese Mail antworten|https://{host}/abmelden/{token}]

### news/de/digest html bulk
From: {company} <[magazin|brief|redaktion]@{host}>
Org: Lindwurm Verlag @ lindwurm-verlag.de;Stadtblatt @ stadtblatt-online.example;Holzwerker-Brief @ holzwerker-brief.example
Subject: [Die Woche in {city}|{3-7} Texte fürs Wochenende|Ausgabe {20-400}: warum Brücken summen|Morgenlage am {date}]

Guten Morgen,

% [die Stadt streitet über den neuen Radweg, und wir haben nachgezählt: <<{1000-9000} Räder am Tag -> https://{host}/a/{num:1000-9999}>>.|<<Interview mit {annFull} -> https://{host}/a/{num:1000-9999}>>: "Ich habe nie einen Plan gehabt."]

% [Außerdem: ein Rezept für Quitten, und was die neuen Mieten bedeuten.|Zum Schluss das Wetter: nass.]

? [Sie lesen gern bei uns? <<Hier abonnieren -> https://{host}/abo>> für {amount:4-12} im Monat.|]

Ihre Redaktion

~ {unsubscribe}
`)
