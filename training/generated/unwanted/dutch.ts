/** Unwanted mail in Dutch. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing, scam, spam } = templatesIn('nl')

export const dutch: Template[] = [
  phishing('bank-pas', {
    from: 'brand {<brand>|<brand> {Klantenservice|Beveiliging}}',
    brands: ['ING', 'Rabobank', 'ABN AMRO', 'KBC', 'Noorderbank', 'ICS'],
    subject:
      '{{Uw|Je} {bankpas|betaalpas} {verloopt|moet vervangen worden}|{Belangrijk|Let op}: {uw rekening is {geblokkeerd|beperkt}|verificatie vereist}|{Verplichte|Vernieuw uw} {update|identificatie}|<brand>: {nieuw bericht|ongebruikelijke activiteit}}',
    body: `
      {Geachte {heer/mevrouw|klant|relatie}|Beste {klant|<to>}},
      {{{wij|we} hebben {een inlogpoging|ongebruikelijke activiteit} {vastgesteld|gezien} op uw rekening{ op <date>|}. {Uit voorzorg is {de toegang|uw pas} {beperkt|geblokkeerd}.|}|{uw|u gebruikt een} {huidige |}betaalpas {verloopt|is geldig tot} <soon>. {Vraag {kosteloos |}een nieuwe {recyclebare |}pas aan.|}|{in verband met|wegens} {de nieuwe wetgeving (PSD2)|een controle} {dient u|moet u} {uw gegevens te bevestigen|zich opnieuw te identificeren}.}}
      ? {Doet u dit niet {binnen <n 24-72> uur|vóór <soon>}, dan {wordt uw rekening {geblokkeerd|opgeschort}|brengen wij <price> in rekening}.|Dit duurt slechts enkele minuten.}
      @ {{Nu|Direct} {bevestigen|aanvragen|verifiëren}|Inloggen|Pas aanvragen|Gegevens controleren}
      {Met vriendelijke groet|Hoogachtend},<br>{<brand>|Afdeling {veiligheid|klantenservice}}
      ? % Dit is een automatisch bericht, u kunt hier niet op reageren.
    `,
  }),
  phishing('pakket', {
    from: 'brand {<brand>|<brand> {Bezorging|Track}}',
    brands: ['PostNL', 'DHL', 'bpost', 'DPD', 'Pakkettino'],
    subject:
      '{{Uw|Je} pakket {kon niet worden bezorgd|staat klaar|wordt vastgehouden}|{Pakket|Zending} <code>: {betaling vereist|douanekosten <fee>}|{Laatste herinnering|Bezorgpoging mislukt}}',
    body: `
      {Beste klant|Hallo|Geachte ontvanger},
      {{uw|je} {pakket|zending} {<code> |}{kon {vandaag |op <date> |}niet worden bezorgd {omdat {het adres onvolledig is|er niemand thuis was|de verzendkosten niet zijn betaald}|}|{wordt vastgehouden|ligt} {bij de douane|in ons sorteercentrum}}.|er {staat|is} nog een bedrag van <fee> open {voor douanekosten|aan verzendkosten}.}
      * Track & Trace: <code>
      ? * Bedrag: <fee>
      {{Betaal|Voldoe} {het bedrag|<fee>}|Bevestig {uw|je} {adres|bezorgmoment}} {binnen 48 uur|vóór <soon>}{, anders {gaat|sturen we} het {pakket |}retour{ naar de afzender|}|}.
      @ {{Betalen|Volg|Ontvang} {mijn pakket|nu}|Bezorging {plannen|bevestigen}|Betaal <fee>}
    `,
  }),
  phishing('overheid', {
    from: 'odd {<brand>|<brand> {Berichten|Service}}',
    brands: ['Belastingdienst', 'DigiD', 'CJIB', 'MijnOverheid', 'itsme', 'Zorgtoeslag'],
    subject:
      '{{Uw|Openstaande} {schuld|boete|belastingschuld}{: <price>| <ref>|}|{U heeft recht op|Teruggave:} <amount>|{Uw|Verleng uw} DigiD {verloopt|wordt {geblokkeerd|opgeheven}}|{Nieuw|1 ongelezen} bericht {in uw Berichtenbox|van <brand>}|Laatste {aanmaning|herinnering}}',
    body: `
      {Geachte heer/mevrouw{ <tolast>|}|Beste burger},
      {{uw {openstaande |}schuld {van|ter hoogte van} <price> is {na meerdere herinneringen |}niet {voldaan|betaald}. {Op <soon> {zal de deurwaarder|wordt} {overgegaan|overgaan} tot beslaglegging.|}|u heeft recht op een {teruggave|toeslag|energiecompensatie} van <amount>. {Controleer uw rekeningnummer.|Vul het formulier in {vóór <soon>|}.}|uw DigiD {verloopt|wordt gedeactiveerd} op <soon>. {U dient uw gegevens te {vernieuwen|bevestigen}.|}|u heeft een {verkeersboete|boete} van <price> {openstaan|ontvangen}{ met kenmerk <ref>|}.}}
      @ {{Direct|Nu} {betalen|verlengen}|{Teruggave|Toeslag} aanvragen|Bekijk {bericht|boete}|Gegevens bevestigen}
      {Hoogachtend|Met vriendelijke groet},<br><brand>
    `,
  }),
  phishing('mailbox', {
    from: 'own {IT-{helpdesk|beheer}|Systeembeheerder|Webmail}',
    attach: '{Factuur_<n 100-9999>.html|Voicemail.htm|Document.zip}',
    subject:
      '{{Uw|Je} mailbox {is {bijna |}vol|wordt afgesloten}|Wachtwoord verloopt {vandaag|over <n 1-3> dagen}|<n 2-9> berichten {in de wacht|niet bezorgd}|{Factuur|Openstaande factuur} <ref>|<name> heeft {een bestand|een document} gedeeld}',
    body: `
      {Beste {gebruiker|<local>|collega}|Geachte gebruiker|Hallo},
      {{uw|je} {mailbox|postvak} heeft {de limiet|<n 95-99>% van de opslag} bereikt{ en kan geen nieuwe berichten ontvangen|}.|het wachtwoord van <user> verloopt {vandaag|op <soon>}.|er staan <n 2-9> berichten {vast op de server|in quarantaine}.|{bijgaand|in de bijlage} vindt u {de openstaande factuur|factuur <ref>} {van <amount>|}. {Log in met uw e-mailadres om te openen.|}|<name> heeft een {vertrouwelijk |}document met u gedeeld{ via OneDrive|}.}
      {Klik hieronder|Log in|Bevestig uw account} om {{meer|gratis} opslag te krijgen|uw wachtwoord te behouden|{de berichten|het document} te bekijken|blokkering te voorkomen}.
      @ {Opslag uitbreiden|Wachtwoord behouden|Berichten vrijgeven|{Document|Factuur} bekijken|Account bevestigen}
      ? {Na 24 uur|Op <soon>} wordt {uw|het} account {verwijderd|geblokkeerd}.
      {IT-helpdesk|Met vriendelijke groet,<br><name>|Systeembeheer <domain>}
    `,
  }),
  phishing('abonnement', {
    from: 'brand <brand>',
    brands: ['Netflix', 'Ziggo', 'Bol', 'PayPal', 'Marktplaats', 'Streamora'],
    looks: ['plain', 'letter', 'card'],
    subject:
      '{{Uw|Je} {betaling|incasso} {is mislukt|geweigerd}|{Abonnement|Account} {opgeschort|verloopt vandaag}|{Werk|Controleer} {uw|je} {betaalgegevens|gegevens}{ bij|}|{Factuur|Storting}: <price>}',
    body: `
      {Hallo{ <to>|}|Beste klant|Geachte klant},
      {we konden {uw|je} {laatste betaling|maandbedrag van <price>} niet {verwerken|innen}.|{uw|je} <brand>-account is {tijdelijk |}{opgeschort|beperkt} {wegens {verlopen betaalgegevens|verdachte activiteit}|}.|u heeft per ongeluk twee keer betaald: {u krijgt|vraag} <price> terug.|een koper heeft betaald voor {uw|je} advertentie; {bevestig {uw|je} rekening|verifieer met 1 cent} om het geld te ontvangen.}
      {Werk {uw|je} gegevens {binnen <n 24-72> uur|vandaag} bij|Bevestig {uw|je} {betaalmethode|rekeningnummer}}{ om {afsluiting|onderbreking} te voorkomen|}.
      @ {{Gegevens|Betaling} bijwerken|{Nu|Direct} {betalen|bevestigen}|Geld ontvangen|Account herstellen}
      Het <brand>-team
    `,
  }),
  scam('erfenis-lening', {
    from: 'free {{Mevr.|Dhr.|Advocaat} <name>|<name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{{Donatie|Erfenis}{ van <million>|}|{Beste|Lieve} {vriend|begunstigde}|{Zakelijk voorstel|Vertrouwelijk|Dringend}|Lening {nodig|aanbod 3%}|Gefeliciteerd, {winnaar|u heeft <million> gewonnen}}',
    body: `
      {Hallo|Beste vriend|Geachte begunstigde},
      {{ik ben|mijn naam is} {mevrouw |advocaat |}<name>. {Ik {lijd aan|heb} kanker en {heb niet lang meer te leven|wil} <million> {schenken|doneren} aan {goede doelen via u|u}.|Een {overleden |}klant met uw achternaam liet <million> na {zonder erfgenamen|bij <bank>}.|Bij {de bank|<bank>} vond ik een slapende rekening met <million>.}|{wij|ik} {bied|verstrek} leningen van 5.000 tot <million> tegen {2|3}%{, zonder BKR-toetsing|}.|uw e-mailadres heeft <million> gewonnen in {de loterij|onze jaarlijkse trekking}.|{verdien|u kunt} <round> per week {verdienen |}met {bitcoin|onze AI-handel}, {zonder risico|vanaf 250 euro}.}
      ? {U krijgt {30|40}%.|Dit is {100% |}{legaal|veilig} en vertrouwelijk.|God zegene u.}
      {Neem contact op via|Reageer naar|Schrijf mij:} <mail>{ met {naam, adres en telefoonnummer|uw gegevens}|}.
      {Met vriendelijke groet|Groeten},<br><name>
    `,
  }),
  scam('ceo-afpersing', {
    from: 'free {<toname>|<name>|Directie}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Dringend|Spoed|Verzoek}|{Hoi|Hallo} <to>|{Betaling|Overboeking} {vandaag|spoed}|{Nieuw|Gewijzigd} rekeningnummer|{Uw apparaat|Ik heb je} {is |}gehackt|Ben je {er|beschikbaar}?}',
    body: `
      {Hoi|Hallo|Goedemorgen}{ <to>|},
      {ben je {beschikbaar|op kantoor}? {Er moet {vandaag |}<sum> worden overgemaakt{ naar een nieuwe leverancier|}.|Ik heb je {hulp|mobiele nummer} nodig{, ik zit in een vergadering|}.}|kun je {even |}<n 3-9> {Apple|Google Play|Bol}-cadeaukaarten van 100 euro kopen en de codes {mailen|sturen}? {Het is een verrassing.|}|ons {bankrekeningnummer|IBAN} is gewijzigd; {gelieve|graag} {factuur <ref>|volgende betalingen} over te maken naar {de nieuwe rekening|<bank>}.|ik ben van bank veranderd: kun je mijn rekening voor {het salaris|volgende maand} aanpassen?|ik heb je {via de webcam|tijdens je bezoek aan pornosites} gefilmd. {Maak|Stuur} <round> in bitcoin naar <wallet> {binnen 48 uur|}, anders gaat de video naar {al je contacten|je familie}.|hoi {mam|pap}, mijn telefoon is kapot, dit is mijn nieuwe nummer: <chat>. Kun je een rekening {van <price> |}voorschieten?}
      ? {Dit is {strikt |}vertrouwelijk.|Laat {even |}weten {wanneer het gelukt is|asap}.}
      ? {Groet|Alvast bedankt},<br><first>
    `,
  }),
  spam('winactie', {
    from: 'odd {<brand>|{Voordeel|Prijs} {Vandaag|Team}|<name>}',
    brands: ['Albert Heijn', 'Kruidvat', 'Lidl', 'Gamma', 'Casino Oranjehof'],
    looks: ['plain', 'letter', 'card', 'image'],
    subject:
      '{Gefeliciteerd{, <local>|}!|{U bent|Je bent} geselecteerd|{Uw|Jouw} {cadeaukaart van <round>|prijs} {wacht|ligt klaar}|<n 50-200> gratis spins|<n 5-20> kilo {afvallen|kwijt}|{^Viagra^|Erectiepillen} zonder recept|{Zonnepanelen|Warmtepomp}: {subsidie|gratis offerte}}',
    body: `
      # {Gefeliciteerd!|Alleen vandaag|{U bent|Je bent} uitgekozen}
      {{Beantwoord <n 3-9> vragen|Doe mee aan onze enquête} en {win|ontvang} {een iPhone|een airfryer|een {<brand> |}cadeaukaart van <round>}.|{Registreer|Speel} nu: {tot <round> bonus|<n 50-200> gratis spins} {zonder storting|voor nieuwe spelers}.|{Val|Raak} <n 5-20> kilo {af|kwijt} {zonder dieet|in <n 2-6> weken} met {deze truc|één capsule per dag}.|^Viagra^ en ^Cialis^ {zonder recept|vanaf <n 1-2> euro}, discreet geleverd.|Bespaar tot <n 30-70>% op {energie|uw zorgverzekering}: {vergelijk nu|gratis offertes}.}
      ? {Nog <n 2-19> beschikbaar!|Geldig t/m <soon>.}
      @ {{Doe mee|Speel|Bestel|Vergelijk} nu|Claim {prijs|bonus}|Bekijk aanbieding}
      % <a Uitschrijven>
    `,
  }),
  spam('seo-aanbod', {
    from: 'free {<name>|<name> | Online Marketing}',
    looks: ['plain'],
    subject:
      '{{Hoger|Bovenaan} in Google{: <domain>|}|{Bedrijvenbestand|E-maillijst} <year>|Nieuwe website {vanaf <price>|?}|{Gastblog|Linkplaatsing} op <domain>|{Zakelijke lening|Krediet} binnen 24 uur}',
    body: `
      {Hallo|Goedendag|Beste {ondernemer|eigenaar}},
      {ik {bekeek|bezocht} <domain> en zag dat {de site slecht scoort|u niet op pagina 1 staat}. {Wij {regelen dat|garanderen de eerste pagina} in <n 30-90> dagen.|}|wij verkopen {een bestand|adressen} met <n 100-900>.000 {Nederlandse bedrijven|e-mailadressen} voor <price>.|mogen wij {een artikel met dofollow link|een gastblog} plaatsen op <domain>? {Wat kost dat?|We betalen via PayPal.}|wij {bouwen|maken} {websites|apps|webshops} vanaf <price>{, klaar in een week|}.|{krediet nodig|snel geld nodig}? Tot <million> {zakelijk|zonder jaarcijfers}, binnen 24 uur op uw rekening.}
      ? {Zal ik {een offerte|de prijslijst} sturen?|Deze week <n 20-50>% korting.}
      {Groet|Met vriendelijke groet},<br><name>
      ? % Geen interesse? Antwoord met 'STOP'.
    `,
  }),
]
