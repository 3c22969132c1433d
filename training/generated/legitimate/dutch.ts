/** Wanted mail in Dutch. */
import { mails } from './mails.js'

export const dutch = mails(`
### order/nl/confirmed html
From: {company} <[bestellingen|winkel|info]@{host}>
Subject: [=Bevestiging van je bestelling {order}|Bedankt voor je bestelling, {you}!|Je bestelling is onderweg]

{hi}

[=bedankt voor je bestelling! We pakken {product} vandaag nog in.|we hebben je bestelling ontvangen.|je pakket is onderweg en wordt {weekday} bezorgd.]

| Bestelnummer | {order}
| Bezorging | [gratis|{amount:3-7}]
| Totaal | {amount:20-240}

=> [Bekijk je bestelling|Volg je pakket] -> https://{host}/account/bestellingen/{token}

? [Niet tevreden? Je kunt binnen {14-30} dagen gratis retourneren.|Niet thuis? Kies een afhaalpunt of laat het bij de buren bezorgen.]

~ {legal}

### order/nl/pickup html
From: {company} <[afhalen|bezorging]@{host}>
Org: Pakketpunt Plus @ pakketpuntplus.example;Bezorgmus @ bezorgmus.nl;Fietskoerier Noord @ fietskoeriernoord.example
Subject: [=[Je pakket ligt klaar|Afhalen vóór {dateSoon}]|Bezorgd: {tracking}|Retour ontvangen, je krijgt {amount:10-90} terug]

Beste {you},

[=je pakket van {otherCompany} ligt klaar bij {street} {2-90}. Je afhaalcode is {pin}.|we hebben je pakket om {time} bij de buren op nummer {2-80} afgegeven.|we hebben je retour ontvangen. Binnen {3-7} werkdagen staat {amount:10-90} weer op je rekening.]

[Neem een geldig legitimatiebewijs mee.|Je hoeft verder niets te doen.]

? => [Openingstijden|Details bekijken] -> https://{host}/pakket/{tracking}

~ {legal}

### billing/nl/invoice html mixed
From: {company} <[facturen|administratie]@{host}>
Subject: [=Factuur {invoice}|Je factuur van {month}|Herinnering: factuur {invoice} nog niet betaald|Incasso mislukt]
Attach: Factuur-{invoice}.pdf

{dear}

[=hierbij ontvang je factuur {invoice} van {amount:20-900}.|de factuur van {month} staat klaar. Het bedrag wordt rond {dateSoon} afgeschreven.|volgens onze administratie staat bijgevoegde factuur, vervallen op {dayBefore}, nog open.|het is niet gelukt om {amount:9-60} af te schrijven. We proberen het op {dateSoon} opnieuw.]

[Heb je al betaald? Dan kun je dit bericht negeren.|Lukt betalen even niet? Bel ons op {dial}, dan zoeken we een oplossing.] [Je vindt alles terug in <<Mijn account -> https://{host}/mijn/facturen>>.|]

{bye}
{company}

### account/nl/security own html mixed
From: {company} <[beveiliging|noreply|account]@{host}>
Subject: [=Wachtwoord opnieuw instellen|Je inlogcode is {code}|Nieuwe aanmelding bij je account|Bevestig je e-mailadres]

Hallo {you},

[=je hebt gevraagd om een nieuw wachtwoord. De link is {1-24} uur geldig: <<wachtwoord instellen -> https://{host}/wachtwoord/{token}>>|je code is {code}. Deze verloopt over {5-15} minuten. Deel hem met niemand.|er is op {date} om {time} ingelogd vanaf een nieuw apparaat ([iPhone|Chrome op Windows], {city}).|nog één stap: <<bevestig je adres -> https://{host}/bevestig/{token}>>.]

[Was jij dit niet? Dan kun je deze mail negeren.|Was jij het? Dan hoef je niets te doen. Zo niet, wijzig dan je wachtwoord bij Instellingen.]

[Team {company}|Groet van {company}]

### bank/nl/notice own
From: {company} <[service|berichten]@{host}>
Org: Bank De Waag @ bankdewaag.example;Zorgverzekeraar Delta @ zorgdelta.example;Pensioenfonds Vaart @ pensioenvaart.example
Subject: [Nieuw document in je berichtenbox|Je jaaroverzicht staat klaar|Je premie per {dateLater}|Loonstrook {month}]

{dear}

[je jaaroverzicht staat klaar in de app.|per {dateLater} wordt je premie {amount:90-180} per maand.|er staat een nieuw bericht voor je klaar in Mijn omgeving.] [Log in zoals je gewend bent; uit veiligheid sturen we geen link mee.|We vragen nooit om je pincode of om codes van de scanner.]

{bye}
{company}, {dial}

### appointment/nl/reminder
From: {company} <[afspraken|balie|reserveren]@{host}>
Org: Tandartspraktijk Visser @ tandartsvisser.example;Kapsalon Krul @ kapsalonkrul.nl;Eethuis De Meeuw @ eethuisdemeeuw.nl;Huisartsenpost Kei @ huisartskei.example
Subject: [Herinnering: afspraak {dateSoon} om {time}|Je reservering voor {weekday}|Tot {weekday}!]

{dear}

[dit is een herinnering aan je afspraak op {dateSoon} om {time}.|je tafel voor {2-8} personen op {dateSoon} is gereserveerd.|tot {weekday} om {time}!] [Neem je verzekeringspas en je medicijnenlijst mee.|Laat het ons weten als er allergieën zijn.|]

[Verhinderd? Zeg dan minstens 24 uur van tevoren af: {dial}.|Wijzigen of annuleren: https://{host}/a/{token}]

{company}

### support/nl/exchange client
From: {me} van {company} <[support|klantenservice|help]@{host}>
Subject: [Re|RE|Antw]: [bestelling {order}|export loopt vast|klacht|geld terug|{ticket}]

{dear}

[bedankt voor je geduld.|dank voor je melding, en sorry voor het ongemak.|je hebt gelijk, dit had sneller gemoeten.] [De export loopt vast op een lege datum in rij {20-900}; in versie {version} is dat opgelost.|We hebben {amount:12-90} teruggestort; dat duurt {2-5} werkdagen.|Het nieuwe onderdeel gaat morgen op de post, het oude mag je houden.]

[Laat je even weten of het nu werkt?|Heb je nog vragen, mail gerust terug.]

{bye}
{meFull}

### work/nl/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=[Overleg {weekday}|Even bellen?]|Verzetten?|Offerte {invoice}|Sollicitatie {job}|Notulen {date}]
To: 1-6
Attach: [=||Offerte-{invoice}.pdf|CV-{meFamily}.pdf|]

{hi}

[=heb je {weekday} om {time} een half uur voor {otherCompany}?|ik moet helaas onze afspraak verzetten. Kan {dateSoon} ook?|bijgaand de offerte: {amount:900-9000} excl. btw, geldig tot {dateLater}.|hierbij solliciteer ik naar de functie van {job}. Ik werk nu {3-12} jaar bij {otherCompany}.|de notulen van gisteren, vul gerust aan.]

? - [{ann} belt de leverancier vóór {weekday}|het budget ligt nog open]
- [{bob} maakt de planning|volgend overleg: {dateSoon}]

{bye}
{me}

### agent/nl/request
From: Assistent van {meFull} <{meLocal}@{host}>
Org: Postbus Negen @ agenten.postbusnegen.example;Deskmate @ deskmate.app
Subject: [Vraag namens {meFull}|Is {product} op voorraad?|Opzegging abonnement {10000-99999}|Inzageverzoek AVG|Offerteaanvraag]

Goedendag,

[ik ben de digitale assistent van {meFull} en mail namens {g:hem/haar}.|namens {meFull} heb ik een vraag.]

- [Is het artikel leverbaar, en wat kost bezorging in {city}?|Is er op {dateSoon} rond {time} nog plek?]
- [Graag een totaalprijs inclusief btw.|Graag een schriftelijke bevestiging van de opzegging.|Graag een kopie van de persoonsgegevens die u bewaart.]

[Een kort antwoord is genoeg.|{me} beslist uiterlijk {weekday}.]

Namens {meFull}

### private/nl/family casual client
Subject: [zondag|verjaardag mama|foto's|alles goed?|geld voor het huisje|Re: vanavond]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[bedankt voor het gezellige weekend!|lang niks gehoord, alles goed daar?|voor mama's cadeau dacht ik aan {amount:15-40} de man.|prima, {weekday} om {time}.] [{bob} heeft een nieuwe baan in {city}.|Papa moet nu 's ochtends een halve pil en 's avonds een hele.|We hadden drie goed in de loterij, dus taart!|Je krijgt nog {amount:10-60} van me voor de kaartjes, ik maak het morgen over.]

? [Komen jullie zondag eten?|Bel me na {time}.]

{cheers}
{me}

### news/nl/shop html bulk
From: {company} <[nieuwsbrief|hallo|nieuws]@{host}>
Subject: [{10-40}% korting t/m zondag|Nieuw in {month}|Laatste kans!|{you}, een cadeautje voor jou|Uitnodiging: {dateLater}]

# [De uitverkoop is begonnen|Nieuw binnen|Speciaal voor jou]

[T/m {dateSoon} krijg je {10-40}% korting op alles met de code DANK{5-30}.|De nieuwe collectie is binnen.|Op {dateLater} om {time} zetten we de deuren van het atelier open.] [Gratis bezorgd vanaf {amount:25-60}.|]

=> [Shop nu|Bekijk alles|Ik kom ook] -> https://{host}/[sale|nieuw|agenda]

~ {unsubscribe}
~ {legal}

### news/nl/club bulk
From: {company} <[secretariaat|info]@{host}>
Org: Roeivereniging De Snoek @ roeidesnoek.example;Basisschool De Kastanje @ bsdekastanje.example;Voedselbank Polder @ voedselbankpolder.example
Subject: [Nieuwsbrief {month}|Ledenvergadering op {dateLater}|Weekbericht|Bedankt voor uw gift]
To: 15-150

Beste leden[, beste ouders|, beste vrienden|],

[op {dateLater} om {time} is de ledenvergadering.|dankzij jullie konden we deze maand {100-900} pakketten uitdelen.|{weekday} is er geen training, de hal wordt geschilderd.] [De contributie van {amount:15-60} wordt in {month} geïnd.|We zoeken {3-9} vrijwilligers voor de bar.]

{bye}
{meFull}

[Afmelden: https://{host}/afmelden/{token}|Geen mail meer? Stuur een antwoord met STOP.]

### private/nl/short casual
Subject: Re: [vanavond|{weekday}|sleutels|morgen|trein]

[ok|prima|top|is goed|ja|doe ik|fijn|helemaal goed|komt goed][, dank|!|, {you}|] [tot {time}|ben {5-25} min later|tot {weekday}|bel je straks|zeg het ook tegen {ann}|sleutel ligt bij {bob}|kus|hou van je|neem jij brood mee?]
`)
