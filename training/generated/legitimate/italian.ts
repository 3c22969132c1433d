/** Wanted mail in Italian. */
import { mails } from './mails.js'

export const italian = mails(`
### order/it/confirmed html
From: {company} <[ordini|negozio|info]@{host}>
Subject: [=Conferma ordine {order}|Il tuo ordine {order} è stato spedito|Grazie per il tuo ordine, {you}!]

Ciao {you},

[=abbiamo ricevuto il tuo ordine e lo stiamo preparando.|il tuo pacco è partito oggi e arriverà entro il {dateSoon}.|grazie per aver scelto {company}! Stiamo confezionando {product}.]

| Ordine | {order}
| Spedizione | [gratuita|{amount:4-9}]
| Totale | {amount:20-240}

=> [Vedi il tuo ordine|Segui la spedizione] -> https://{host}/ordini/{token}

? [Hai 14 giorni per ripensarci.|Per modificare l'indirizzo rispondi a questa mail entro le {time}.]

~ {legal}

### billing/it/invoice html mixed
From: {company} <[fatture|amministrazione]@{host}>
Subject: [=Fattura {invoice}|Sollecito di pagamento: fattura {invoice}|Il pagamento di {month} non è andato a buon fine]
Attach: Fattura_{invoice}.pdf

{dear}

[=in allegato la fattura n. {invoice} di {amount:20-900}.|dai nostri controlli la fattura allegata, scaduta il {dayBefore}, risulta ancora aperta.|la banca ha rifiutato l'addebito di {amount:9-60}; riproveremo il {dateSoon}. Può aggiornare la carta nella <<sua area clienti -> https://{host}/area-clienti>>.]

[Se ha già provveduto, non tenga conto di questo messaggio.|Il bonifico va intestato a {company}, IBAN {iban}.] [Per qualsiasi chiarimento: {dial}.|]

{bye}
{meFull}
Amministrazione

### account/it/security own html mixed
From: {company} <[sicurezza|noreply|account]@{host}>
Subject: [=Reimposta la password|Il tuo codice: {code}|Nuovo accesso al tuo account|Conferma il tuo indirizzo email]

Ciao {you},

[=hai chiesto di reimpostare la password. Il link vale {1-24} ore: <<scegli una nuova password -> https://{host}/password/{token}>>|il codice per entrare è {code}. Scade tra {5-15} minuti, non darlo a nessuno.|abbiamo notato un accesso da un nuovo dispositivo ([iPhone|Firefox su Windows], {city}) il {date} alle {time}.|manca solo un passo: <<conferma il tuo indirizzo -> https://{host}/conferma/{token}>>.]

[Se non sei stato tu, ignora questo messaggio.|Se eri tu, non devi fare niente; altrimenti cambia la password dalle impostazioni.]

[Il team di {company}|A presto]

### bank/it/notice own
From: {company} <[comunicazioni|servizioclienti]@{host}>
Org: Banca del Cedro @ bancadelcedro.example;Assicura Colle @ assicuracolle.example;Cassa Lagoverde @ cassalagoverde.example
Subject: [Estratto conto di {month} disponibile|Nuova comunicazione nell'area riservata|Rinnovo della polizza auto|Busta paga di {month}]

{dear}

[l'estratto conto di {month} è disponibile nella sua area riservata.|la polizza scade il {dateLater}; il premio per il rinnovo è di {amount:150-700}.|abbiamo pubblicato un nuovo documento per lei.] [Acceda dall'app o digitando l'indirizzo nel browser.|Per sicurezza non inseriamo link in questi messaggi.]

[Non le chiederemo mai PIN o password.|La filiale di {city} sarà chiusa il {dateSoon}.]

{bye}
{company}

### appointment/it/reminder
From: {company} <[prenotazioni|segreteria|appuntamenti]@{host}>
Org: Studio Dentistico Serra @ dentisticoserra.example;Hotel Belvedere @ hotelbelvedere-lago.example;Trattoria da Ilaria @ trattoriadailaria.it;Ambulatorio Galli @ ambulatoriogalli.example
Subject: [Promemoria: {dateSoon} ore {time}|Prenotazione confermata {booking}|Il suo appuntamento di {weekday}]

Buongiorno {you},

[le ricordiamo l'appuntamento del {dateSoon} alle {time}.|la prenotazione per {2-6} persone il {dateSoon} è confermata.|la aspettiamo {weekday} alle {time}.] [Porti con sé la tessera sanitaria e l'elenco dei farmaci.|Il check-in è dalle {14-16}.|]

[Per disdire la preghiamo di avvisare almeno 24 ore prima: {dial}.|Può annullare qui: https://{host}/annulla/{token}]

{company}, {street} {1-80}, {city}

### support/it/exchange client
From: {me} - {company} <[assistenza|supporto]@{host}>
Subject: Re: [ordine {order}|reso|esportazione bloccata|reclamo|{ticket}]

{dear}

[grazie per la pazienza.|ha ragione, avremmo dovuto risponderle prima.|grazie della segnalazione.] [L'errore era dovuto a una data mancante alla riga {20-900}; con la versione {version} è risolto.|Abbiamo disposto il rimborso di {amount:12-90}: lo vedrà entro {3-8} giorni.|Il pezzo di ricambio parte domani, non serve rimandare indietro l'altro.]

[Mi fa sapere se ora funziona?|Resto a disposizione.]

{bye}
{meFull}

### work/it/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=[Riunione di {weekday}|Ci sentiamo?]|Spostiamo?|[Bozza di contratto|Preventivo {invoice}]|Verbale del {date}]
To: 1-5
Attach: [=||bozza_v{2-4}.docx|]

{hi}

[=hai mezz'ora {weekday} alle {time} per parlare di {otherCompany}?|scusami, devo spostare la riunione al {dateSoon}, stessa ora. Va bene?|in allegato la nuova versione, con le note all'articolo {3-12}.|ti giro il riassunto di ieri.]

? - [{ann} sente il fornitore entro {weekday}|il totale scende a {amount:900-9000} più IVA]
- [{bob} prepara la presentazione|prossimo incontro: {dateSoon}]

[Fammi sapere.|Se ho dimenticato qualcosa, scrivimi.]

{bye}
{me}

### agent/it/request
From: Assistente di {meFull} <{meLocal}@{host}>
Org: Posta Nove @ agenti.postanove.example;Deskmate @ deskmate.app
Subject: [Richiesta per conto di {meFull}|Disponibilità di {product}|Disdetta abbonamento {10000-99999}|Accesso ai dati personali (art. 15 GDPR)|Preventivo entro il {dateSoon}]

Buongiorno,

[sono l'assistente digitale di {meFull} e scrivo su suo incarico.|scrivo per conto di {meFull}.]

- [Avete disponibilità il {dateSoon} verso le {time}?|L'articolo è disponibile? Quanto costa la consegna a {city}?]
- [Il prezzo comprende l'IVA?|Chiediamo conferma scritta della disdetta.|Chiediamo copia dei dati personali conservati.]

[Basta una breve risposta a questo indirizzo.|{me} deciderà entro {weekday}.]

Per conto di {meFull}

### private/it/family casual client
Subject: [domenica|compleanno di mamma|foto|come state?|soldi del regalo|re: stasera]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[grazie per il bel fine settimana!|è un secolo che non ci sentiamo, tutto bene?|per il regalo di mamma pensavo a {amount:15-40} a testa.|ok per {weekday}, ci vediamo alle {time}.] [{bob} ha trovato lavoro a {city}.|Papà deve prendere mezza pastiglia la mattina e una la sera, scrivitelo.|Ho vinto {amount:5-30} al lotto, il caffè lo pago io.|Ti devo ancora {amount:10-60} per i biglietti, te li do sabato.]

? [Venite a pranzo domenica?|Chiamami dopo le {time}.]

{cheers}
{me}

### news/it/shop html bulk
From: {company} <[newsletter|novita|ciao]@{host}>
Subject: [Sconti fino al {10-40}%|Novità di {month}|Ultimo giorno di saldi|Ti aspettiamo il {dateLater}|{you}, un regalo per te]

# [Sono iniziati i saldi|Le novità di {month}|Un grazie speciale]

[Fino al {dateSoon} risparmi il {10-40}% su tutto con il codice GRAZIE{5-30}.|È arrivata la nuova collezione.|Il {dateLater} alle {time} apriamo il laboratorio ai nostri clienti.] [Spedizione gratuita da {amount:30-60}.|]

=> [Scopri di più|Vai agli sconti|Prenota un posto] -> https://{host}/[saldi|novita|eventi]

~ {unsubscribe}
~ {legal}

### news/it/club bulk
From: {company} <[segreteria|info]@{host}>
Org: Polisportiva Lagoverde @ polisportivalagoverde.example;Comitato Genitori Dante @ genitoridante.example;Banco del Pane @ bancodelpane.example
Subject: [Avvisi della settimana|Assemblea dei soci, {dateLater}|Grazie per le vostre donazioni|Lettera n. {20-200}]
To: 15-150

Cari soci[, cari amici|, cari genitori|],

[l'assemblea è fissata per il {dateLater} alle {time}.|grazie a voi abbiamo distribuito {100-900} pasti.|{weekday} la piscina resta chiusa, ci vediamo la settimana dopo.] [La quota di {amount:15-60} si può versare in segreteria.|Cerchiamo {3-9} volontari per la festa.]

{bye}
{meFull}

[Per non ricevere più queste mail rispondete a questo indirizzo.|Cancellazione: https://{host}/stop/{token}]

### private/it/short casual
Subject: Re: [stasera|{weekday}|chiavi|domani|treno]

[ok|va bene|perfetto|certo|sì|d'accordo|benissimo|ci sto|fatto][, grazie|!|, {you}|] [ci vediamo alle {time}|arrivo con {5-25} minuti di ritardo|a {weekday}|ti chiamo dopo|dillo anche a {ann}|le chiavi le ha {bob}|un bacio|ti amo|poi ti racconto]
`)
