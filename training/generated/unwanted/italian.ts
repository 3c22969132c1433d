/** Unwanted mail in Italian. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing, scam, spam } = templatesIn('it')

export const italian: Template[] = [
  phishing('banca-poste', {
    from: 'brand {<brand>|<brand> {Sicurezza|Assistenza|Avvisi}}',
    brands: ['Poste Italiane', 'Intesa Sanpaolo', 'UniCredit', 'BancoPosta', 'Nexi', 'Banca Serchio'],
    subject:
      "{{Avviso|Comunicazione} {importante|di sicurezza}|{Il suo|Il tuo} {conto|utilizzo dell'app} {è stato {sospeso|limitato|bloccato}|verrà disattivato}|{Aggiorna|Conferma} i tuoi dati{ entro il <soon>|}|Accesso {anomalo|da un nuovo dispositivo}|Hai un nuovo messaggio{ nella tua bacheca|}}",
    body: `
      Gentile {cliente|<toname>|utente},
      {{abbiamo|il nostro sistema ha} {rilevato|riscontrato} {un accesso {anomalo|non autorizzato}|attività sospette|un\'anomalia} sul suo conto{ in data <date>|}. {Per la sua sicurezza, l{\'|’}accesso è stato {limitato|sospeso}.|}|{a partire dal <soon>|dal <soon>} non {potrà|sarà possibile} utilizzare {la carta|l{\'|’}app} se non {attiva il nuovo sistema di sicurezza|aggiorna i suoi dati}.|{la informiamo|ti comunichiamo} che {la tua utenza|il profilo} {è stata bloccata|sarà disabilitato} per {mancata {verifica|conferma} dei dati|inattività}.}
      ~ {{Per {riattivare|ripristinare} {il servizio|l{\'|’}accesso}|Per evitare la sospensione}, {confermi la sua identità|verifica i tuoi dati} {entro {24|48} ore|al link seguente}.}
      ~ ? {In caso contrario, il conto sarà {bloccato|disattivato} definitivamente.|L{\'|’}operazione richiede pochi minuti.|Senza aggiornamento sarà addebitata una sanzione di <price>.}
      @ {{Accedi|Verifica|Conferma} {ora|subito|i tuoi dati}|Riattiva il conto|Vai all{\'|’}area clienti|Aggiorna}
      {Cordiali saluti|Distinti saluti|Grazie per la collaborazione}<br>{<brand>|Servizio clienti|Il team <brand>}
      ? % {Questa è una comunicazione automatica, non rispondere.|<brand> - P. IVA <n 10000000-99999999>}
    `,
  }),
  phishing('pacco', {
    from: 'brand {<brand>|<brand> Spedizioni|Corriere}',
    brands: ['Poste Italiane', 'BRT', 'GLS', 'SDA', 'DHL', 'Paccovia'],
    subject:
      '{Il {tuo|suo} pacco {è in {attesa|giacenza}|non è stato consegnato}|Spedizione <code>{: {azione|pagamento} richiest{a|o}|}|{Ultimo avviso|Notifica}: {spese doganali|consegna sospesa}|Paga <fee> per {ricevere|sbloccare} il pacco}',
    body: `
      {Ciao|Gentile cliente|Salve},
      {il {tuo|suo} pacco {<code> |}{è {fermo|trattenuto} {presso {il centro di smistamento|la dogana}|in deposito}|non è stato consegnato {il <date> |}{perché {l{\'|’}indirizzo è incompleto|nessuno era presente|le spese non sono state pagate}}}.|{c{\'|’}è|abbiamo} un pacco {in sospeso|che ti aspetta}: {mancano|occorre pagare} <fee> {di spese di spedizione|per la dogana}.}
      * Numero spedizione: <code>
      ? * Importo: <fee>
      {{Conferma|Programma} {la consegna|l{\'|’}indirizzo}|Paga {ora |}{<fee>|le spese}} {entro <n 24-48> ore|per riceverlo}{, altrimenti {sarà|verrà} {restituito al mittente|rispedito}|}.
      @ {{Traccia|Ricevi|Sblocca} il {mio |}pacco|Paga {ora|<fee>}|Programma la consegna|Conferma {indirizzo|consegna}}
      ? {Grazie, <brand>|Il servizio clienti}
    `,
  }),
  phishing('agenzia-fisco', {
    from: 'odd {<brand>|<brand> {Notifiche|Servizi}}',
    brands: ['Agenzia delle Entrate', 'INPS', 'SPID', 'Ministero della Salute', 'PagoPA'],
    subject:
      '{Rimborso {fiscale|di <amount>}{ disponibile|}|{Multa|Sanzione|Tassa automobilistica} {non pagata|in scadenza}|{La sua|Rinnovo} tessera sanitaria{ è in scadenza|}|<brand>: {comunicazione|aggiornamento} {<ref>|urgente}|{Verifica|Aggiorna} {il profilo|i dati} {SPID|INPS}}',
    body: `
      {Gentile {contribuente|cittadino|utente}|Egregio Sig. <tolast>},
      {{a seguito|dopo} {dei controlli|della verifica} {della {sua |}dichiarazione|sulla sua posizione} risulta {un rimborso|un credito} {di|pari a} <amount>{ a suo favore|}.|{risulta|è presente} {una sanzione|una multa} non pagata di <price>{, n. <ref>|}: {paghi entro il <soon> per evitare {maggiorazioni|il fermo}|l{\'|’}importo raddoppierà tra 48 ore}.|la sua {tessera sanitaria|identità digitale} è {in scadenza|scaduta}; {occorre {richiedere|effettuare} {il rinnovo|una nuova} online|aggiorni i dati}.|ha diritto a {un bonus|un{\'|’}indennità} di <round>.}
      {{Compili|Completi} il modulo con {i suoi dati e l{\'|’}IBAN|{documento|patente} e carta}|Acceda {al portale|all{\'|’}area riservata}{ con i suoi dati|}}{ entro il <soon>|}.
      @ {{Richiedi|Ottieni} {rimborso|il bonus}|Accedi al {modulo|portale}|Paga {ora|la sanzione}|Rinnova|Aggiorna i dati}
      {Cordiali|Distinti} saluti,<br><brand>
    `,
  }),
  phishing('posta-dominio', {
    from: 'own {Aruba|Amministratore|Assistenza {webmail|PEC}|Posta <domain>}',
    brands: ['Aruba', 'Libero Mail', 'PEC', 'Register'],
    subject:
      '{{La tua|La sua} casella {è {piena|quasi piena}|verrà {disattivata|chiusa}}|{Rinnovo|Scadenza} {dominio|del servizio} <domain>|{Password|La password di <user>} {in scadenza|scade oggi}|<n 2-9> messaggi {in attesa|bloccati}|{Fattura|Pagamento} {non riuscito|scaduta} <ref>}',
    body: `
      {Gentile {cliente|utente}|Ciao <local>|Salve},
      {la {casella|mail} <user> ha {superato|raggiunto} {il limite|il <n 95-99> % dello spazio}{ e {non potrà|non è possibile} ricevere {nuovi |}messaggi|}.|il dominio <domain> {scade|è in scadenza} {il <soon>|oggi} e il rinnovo {automatico |}non è riuscito. {Se non rinnovato, {tutti i servizi|sito e caselle} {saranno|verranno} disattivati.|}|{la password|l{\'|’}accesso} di <user> {scade|scadrà} {oggi|tra 24 ore}.|<n 2-9> {messaggi|email} in arrivo {sono state bloccate|non sono stati recapitati}{ per un errore del server|}.}
      {{Rinnova|Paga} {ora |}con carta{: <price>|}|{Acceda|Accedi} {qui sotto |}per {verificare l{\'|’}account|mantenere la password|sbloccare i messaggi|aumentare lo spazio}|Convalidi il suo account{ entro 24 ore|}}.
      @ {Rinnova {ora|il dominio}|{Mantieni|Conferma} password|Sblocca messaggi|Aumenta spazio|Accedi{ alla webmail|}}
      {Cordiali saluti|Grazie}<br>{<brand>|Il supporto tecnico|L{\'|’}amministratore di sistema}
    `,
  }),
  phishing('netflix-fattura', {
    from: 'brand {<brand>|<name>|<brand> {Fatturazione|Account}}',
    brands: ['Netflix', 'PayPal', 'Amazon', 'TIM', 'Enel', 'Streamora'],
    looks: ['plain', 'letter', 'card'],
    attach: '{Fattura_<n 100-9999>.html|Bolletta.pdf|Documento.zip}',
    subject:
      '{Pagamento {rifiutato|non riuscito}|{Il tuo|Il suo} abbonamento {è sospeso|scade oggi}|{Fattura|Bolletta} <ref>{ {da pagare|scaduta}|}|<brand>: {aggiorna|problema con} {il metodo di|il} pagamento}',
    body: `
      {Ciao{ <to>|}|Gentile cliente|Buongiorno},
      {non siamo riusciti {ad addebitare|a elaborare} {il tuo ultimo pagamento|la quota di <price>}. {{Aggiorna|Verifica} i dati {della carta |}per {continuare|non perdere l{\'|’}abbonamento}.|}|in allegato {la fattura|la bolletta} <ref> di <price>{, {scaduta|da saldare entro il <soon>}|}. {Il file è protetto: {usi la password della sua email|acceda con la sua email}.|}|{hai ricevuto|risulta} {un pagamento doppio|un rimborso} di <price>: {conferma|inserisci} la carta {su cui accreditarlo|per riceverlo}.|{hai autorizzato|è stato effettuato} un pagamento di <amount> a <client>. {Non sei stato tu? Annulla {subito|ora}.|}}
      @ {Aggiorna {pagamento|i dati}|{Vedi|Scarica} {fattura|documento}|Annulla {pagamento|operazione}|Ottieni rimborso}
      {Il team <brand>|Cordiali saluti<br><brand>}
    `,
  }),
  scam('eredita', {
    from: 'free {{Sig.ra|Avv.|Sig.} <name>|<name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{{Donazione|Eredità}{ di <million>|}|{Caro|Carissimo} {amico|beneficiario}|{Proposta|Messaggio} {riservat{a|o}|urgente}|{Offerta di |}prestito {tra privati|al 3 %}|Hai vinto <million>}',
    body: `
      {Ciao|Caro amico|Salve|Saluti nel Signore}{,|}
      {{sono|mi chiamo} {la signora |}<name>, {{vedova |}malata di cancro{ e mi resta poco tempo|}. {Desidero|Voglio} donare <million> {a te|ai bisognosi tramite te}|avvocato di {un cliente defunto|un cliente} con il tuo {stesso |}cognome, {morto in un incidente|senza eredi}, che ha lasciato <million>|{direttore|revisore} di {una banca|<bank>}: {c{\'|’}è|ho scoperto} un conto {dormiente|abbandonato} con <million>}.|{Offro|Offriamo} prestiti {tra privati |}da 5.000 a <million> {al|con tasso del} {2|3} %{, senza garanzie|}, {in 48 ore|a persone serie}.|Il tuo indirizzo e-mail ha vinto <million> {alla|nella} lotteria {internazionale|per il nostro anniversario}.}
      ? {{Avrai|Riceverai} il {30|40} % {della somma|per il tuo aiuto}.|{Tutto|La transazione} è {legale|senza rischi} e {confidenziale|riservato}.|Dio ti benedica.}
      {Rispondi|Contattami|Scrivimi} {a|all{\'|’}indirizzo}{:|} <mail>{ con nome, {indirizzo|paese} e telefono|}.
      {Cordiali saluti|Con affetto|Distinti saluti},<br><name>
    `,
  }),
  scam('ricatto-capo', {
    from: 'free {<toname>|<name>|Dott. <name>}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Urgente|Richiesta}|{Ciao|Buongiorno}{ <to>|}|{Bonifico|Pagamento} {urgente|di oggi}|{Nuovo|Cambio} IBAN|{Il tuo|Ho hackerato il tuo} {account|dispositivo}|{Sei|È} {disponibile|in ufficio}?}',
    body: `
      {Ciao|Buongiorno|Salve}{ <to>|},
      {{sei|è} {disponibile|in ufficio}? {Mi serve|Ho bisogno di} {un bonifico {urgente |}di <sum>|un favore}{ entro oggi|}. {Sono in riunione, {rispondi|scrivi} {solo |}via mail.|}|{puoi|potresti} {comprare|acquistare} <n 3-9> {buoni|carte} regalo {Apple|Amazon|Google Play} da 100 €{ per {i clienti|i collaboratori}|}? {Mandami {le foto dei |i }codici.|}|{vi informiamo|la informo} che il nostro IBAN è cambiato: {la prossima fattura|i pagamenti futuri} {vanno|andrà pagata} sul nuovo conto{ (banca <bank>)|}.|ho {cambiato banca|un nuovo conto}: {potete|può} aggiornare l{\'|’}IBAN per {lo stipendio|il prossimo stipendio}?|ho {infettato|accesso a} il tuo {computer|dispositivo} e {ti ho ripreso|ho un video} mentre {guardavi|visitavi} siti per adulti. {Invia|Paga} <round> in bitcoin a <wallet> entro 48 ore{, {altrimenti lo mando|o lo invio} a tutti i tuoi contatti|}.}
      ? {È {strettamente |}riservato.|Fammi sapere {appena possibile|subito}.|Non rispondere a questa email.}
      ? {Grazie|Saluti}<br><first>
    `,
  }),
  spam('concorso-dieta', {
    from: 'odd {<brand>|{Premi|Offerte} {Oggi|Online}|<name>}',
    brands: ['Esselunga', 'Lidl', 'Conad', 'MediaWorld', 'Casinò Fortuna'],
    looks: ['plain', 'letter', 'card', 'image'],
    subject:
      '{{Congratulazioni|Complimenti}{, <local>|}!|{Sei stato|Sei} {selezionato|il vincitore}|{Il tuo|Un} {premio|buono da <round>} {ti aspetta|per te}|<n 50-200> giri gratis|{Perdi|Via} <n 5-20> chili|{^Viagra^|Pillole} senza ricetta}',
    body: `
      # {Congratulazioni!|Offerta {esclusiva|del giorno}|Hai vinto}
      {{Rispondi|Partecipa} {a un breve sondaggio|a <n 3-9> domande} e {ricevi|vinci} {un iPhone|un buono {<brand> |}da <round>|una friggitrice ad aria}.|{Registrati|Gioca} {ora|oggi}: {bonus fino a <round>|<n 100-300> % di bonus} {e <n 20-200> giri gratis|senza deposito}.|{Perdi|Brucia} {<n 5-20> chili|il grasso} {in <n 2-6> settimane|senza dieta} con {questo trucco|queste capsule naturali}.|^Viagra^ e ^Cialis^ da <n 1-3> €, {spedizione discreta|senza ricetta}.}
      ? {Solo {per oggi|<n 2-19> pezzi}!|Offerta valida fino al <soon>.}
      @ {{Partecipa|Gioca|Inizia|Acquista} {ora|subito}|Ritira il premio|Scopri {di più|l{\'|’}offerta}}
      % <a Cancellati>
    `,
  }),
  spam('seo-it', {
    from: 'free {<name>|<name> - Web Agency}',
    looks: ['plain'],
    many: true,
    subject:
      '{{Prima pagina|Posizionamento} {su Google|per <domain>}|{Database|Elenco} {aziende|email} <year>|{Sito|E-commerce} {a|da} <price>|{Proposta|Articolo} per <domain>|{Guadagna|Lavoro:} <round> {da casa|al mese}}',
    body: `
      {Buongiorno|Salve|Gentile {titolare|responsabile}},
      {{ho visitato|guardando} <domain> {e|} {ho notato che|} {non è|il sito non è} ben posizionato. {Lo portiamo in prima pagina in <n 30-90> giorni.|}|{vendiamo|offriamo} {database|elenchi} {aggiornati |}di <n 1-9>00.000 {aziende italiane|indirizzi email}{, divisi per {settore|regione}|} a <price>.|realizziamo {siti|app|e-commerce} {professionali |}a partire da <price>{, {tutto incluso|in 7 giorni}|}.|{pubblicate|accettate} {articoli sponsorizzati|guest post con link dofollow} su <domain>? {Quanto costa?|Abbiamo un budget mensile.}|{guadagna|puoi guadagnare} {fino a |}<round> {al mese|a settimana} {da casa|con il telefono}, {senza esperienza|<n 1-3> ore al giorno}.}
      ? {Posso {inviarle|mandare} {un preventivo|il listino|un{\'|’}analisi gratuita}?|Sconto del <n 20-50> % {questa settimana|entro il <soon>}.}
      {Risponda {SÌ|a questa email}|WhatsApp <chat>|Info: <link>}
      {Cordiali saluti|Un saluto},<br><name>
    `,
  }),
]
