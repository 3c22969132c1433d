/** Suspicious phrases in Italian. */
import { intentsOf } from './intents.js'
import type { Phrases } from './types.js'

export const ITALIAN: Phrases = {
  run_command_request: [
    /prem\w{1,3}[^.!?]{0,40}\b(?:windows|win) ?(?:\+|e) ?(?:il tasto )?r\b|apr\w{1,3}[^.!?]{0,40}(?:terminale|powershell|prompt dei comandi|esegui)[^.!?]{0,120}incoll/,
    /verific|captcha|robot|ripar|corregg|risolv|visualizz|veder|sblocc|acceder|continuar|conferm/,
  ],
  credential_request:
    /(?:conferm(?:i|are|a)|verific(?:hi|are|a)|aggiorn(?:i|are|a)|convalid(?:i|are|a)|riattiv(?:i|are|a)|sblocc(?:hi|are|a)|ripristin(?:i|are|a)|complet(?:i|are|a)) (?:subito |immediatamente )?(?:il |la |i |le |l')?(?:suo|sua|suoi|sue|tuo|tua|tuoi|tue|vostro|vostra|vostri|propri|proprio) (?:[a-z'-]{1,30} ){0,3}(?:conto|account|identita|password|dati|informazioni|carta|credenziali|casella|metodo di pagamento|accesso|profilo|utenza)\b/,
  secret_on_page:
    /(?:inseri(?:sca|re|sci|te)|fornis(?:ca|ci)|fornire|digit(?:i|are|a)) (?:il |la |i |le )?(?:suo |sua |suoi |sue |tuo |tua |tuoi |tue |vostra )(?!nuova)(?:[a-z'-]{1,30} ){0,3}(?:password|pin|numero di carta|numero della carta|dati della carta|credenziali|codice di sicurezza|codici di accesso|dati bancari)/,
  secret_by_mail:
    /(?:invi(?:i|are|a|ateci|aci)|mand(?:i|are|a)|comunic(?:hi|are|a)|rispond(?:a|ere|i) con) (?:ci |mi )?(?:il |la |i |le )?(?:suo |sua |suoi |sue |tuo |tua |vostra )(?:[a-z'-]{1,30} ){0,3}(?:password|pin|numero di carta|credenziali)/,
  account_threat:
    /(?:conto|account|carta|accesso|casella|profilo|utenza|abbonamento)[^.!?]{0,30}(?:e stat[oa]|sara|e|verra|essere|stat[oa]) (?:temporaneamente |definitivamente |momentaneamente )?(?:sospes[oa]|bloccat[oa]|limitat[oa]|disattivat[oa]|chius[oa]|disabilitat[oa]|eliminat[oa])|(?:attivita|accesso|transazione|operazione|movimento) (?:insolit[oa]|sospett[oa]|anomal[oa]|non autorizzat[oa])|(?:evitare|prevenire) (?:la sospensione|il blocco|la chiusura|la disattivazione)|(?:casella|spazio)[^.!?]{0,30}(?:pien[oa]|esaurit[oa])|password (?:scade|sta per scadere|in scadenza)/,
  payment_problem:
    /(?:pagamento|addebito)[^.!?]{0,40}(?:rifiutato|non riuscito|fallito|non andato a buon fine|respinto)[^!?]{0,120}(?:aggiorn(?:i|are|a)|metodo di pagamento|dati|informazioni)/,
  urgency:
    /(?:entro|nelle prossime) (?:le prossime |le )?(?:24|48|72|12|6|2) ?(?:ore|h\b)|immediatamente|\burgente|con urgenza|ultimo (?:avviso|sollecito|promemoria)|ultima (?:possibilita|occasione)|agisc[ai] (?:ora|subito)|senza indugio|il prima possibile/,
  reward_lure:
    /(?:ha|hai|avete) vinto|(?:e|sei) stat[oa] (?:selezionat[oa]|scelt[oa])|(?:richied(?:a|ere|i)|ritir(?:i|are|a)|riscuot(?:a|ere|i)|riscatt(?:i|are|a)|reclam(?:i|are|a)) (?:il |la )?(?:suo|sua|tuo|tua) (?:[a-z'-]{1,30} ){0,2}(?:premio|regalo|rimborso|ricompensa|bonus)|(?:diritto|idoneo)[^.!?]{0,40}rimborso|rimborso (?:fiscale |di imposta |a suo favore )?(?:di|pari a|per un importo di) [\d€]/,
  parcel_fee:
    /(?:pacco|spedizione|consegna|ordine)[^!?]{0,120}(?:spese (?:di )?(?:spedizione|doganali|dogana|consegna|gestione)|tassa doganale|oneri doganali|dazi doganali|costo di spedizione|tariffa di)|(?:pacco|spedizione)[^.!?]{0,60}(?:in giacenza|trattenut|sospes|non e stato possibile consegnare|bloccat|in attesa)[^!?]{0,120}(?:conferm(?:i|are|a)|pag(?:hi|are|a)|spese|sblocc)/,
  advance_fee: [
    /(?:eredita|beneficiari[oa]|defunt[oa]|decedut[oa]|parente piu prossimo|lascito|donazione|erede|donare)/,
    /milion[ei] (?:di )?(?:dollari|euro|usd|eur)|\d{1,3}(?:[.,]\d{3}){2}/,
  ],
  lottery: [
    /(?:lotteria|estrazione|sorteggio)[^!?]{0,200}(?:vinto|vincitore|vincitrice|fortunat)/,
    /(?:contatt|reclam|riscuot|milion|numero vincente|agente|premio di)/,
  ],
  extortion: [
    /(?:hackerat|violat|registrat|filmat|infettat|accesso completo|pieno accesso|trojan|malware)[^!?]{0,200}\b(?:tuo|tua|tuoi|tue|suo|sua|ti)\b/,
    /bitcoin|\bbtc\b|monero|criptovalut/,
    /(?:contatti|amici|famiglia|pubblic|diffond|invier|colleghi|parenti)/,
  ],
  gift_cards: [
    /(?:compr|acquist|serv|procur|prend)[^.!?]{0,60}(?:carte regalo|carta regalo|buoni regalo|gift card|carte (?:google play|steam|itunes|amazon))/,
    /(?:codic|foto|invi|gratt|mand)/,
  ],
  changed_bank_details:
    /(?:nuove|nuovo|nuovi|variazione|cambio|modifica|aggiornamento) (?:delle |del |dei |di |nostre |nostro )?(?:nostre |nostro |nostri |mie |mio )?(?:coordinate bancarie|iban\b|conto corrente|conto bancario|dati bancari)|(?:coordinate bancarie|conto corrente|conto bancario|iban)[^.!?]{0,30}(?:sono cambiat|e cambiat|sono state modificat|e stato modificat)/,
  secrecy:
    /(?:strettamente|assolutamente|massima) (?:confidenziale|riservat[oa]|riservatezza)|non (?:ne )?(?:parlare|parli|parlarne|dire|dirlo)[^.!?]{0,30}nessuno|(?:sono in riunione|non posso parlare)[^.!?]{0,60}(?:mail|telefon|chiam)/,
  money_in_haste: [
    /(?:bonifico|pagamento|pagare|trasferimento)/,
    /\burgente|immediatamente|oggi stesso|il prima possibile|con urgenza/,
  ],
  guaranteed_profit:
    /(?:guadagn[oi]|rendiment[oi]|profitt[oi]|entrate|redditi?) (?:[a-z]{1,20} )?(?:garantit[oaie]|senza rischi|assicurat[oi])|raddoppi[ae]? (?:il|i|la|le) (?:tuo|tuoi|suo|tua|suoi)|\d{1,4} ?% (?:al giorno|giornalier[oi]|a settimana|settimanale)|(?:invest|trading|bitcoin|cripto)[^.!?]{0,60}(?:senza rischi|liberta finanziaria|diventare ricc)/,
  job_scam:
    /guadagn(?:a|i|are)[^.!?]{0,40}(?:al giorno|all'ora|a settimana|giornalieri)[^!?]{0,160}(?:whatsapp|telegram|da casa|senza esperienza)|(?:senza esperienza|da casa)[^!?]{0,160}guadagn(?:a|i|are)[^.!?]{0,60}(?:al giorno|all'ora|a settimana|giornalieri)/,
  qr_code: /(?:scansion(?:i|are|a)|inquadr(?:i|are|a)) (?:il|questo)[^.!?]{0,30}(?:codice qr|qr ?code|qr-code)/,
  ...intentsOf({
    machine: /\b(?:assistente|assistenti|agente|agenti|ia|bot|modello|sistema automatico|intelligenza artificiale)\b/,
    owner: /\b(?:proprietario|titolare)\b/,
    ignore: /\b(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura|non tenere conto|salta|scavalca)\b/,
    instructions: /(?:istruzioni|regole|indicazioni|direttive|ordini|comandi|prompt|limiti)/,
    isVoid:
      /(?:istruzioni|regole|limiti|restrizioni|indicazioni)[^.!?]{0,40}(?:non valgono|non si applicano|sono (?:annullate|sospese|superate|cambiate))|modalita (?:manutenzione|sviluppatore|debug) (?:attiva|e attiva)|nuove istruzioni per (?:te|l')/,
    conceal:
      /senza (?:chiedere|conferma|avvisare|approvazione|domande|passare)|non (?:serve|occorre|c'e bisogno|e necessario)[^.!?]{0,30}(?:chieder|conferm|approv|avvis|dir|passar)|non (?:dire|avvisare|citare|menzionare|chiedere|inserire|registrare|disturbare|parlarne)|(?:proprietario|titolare|utente|responsabile)[^.!?]{0,30}(?:e d'accordo|ha gia|lo sa|non (?:deve|serve))|(?:poi|dopo|quindi) (?:cancella|elimina|svuota)|(?:cancella|elimina) poi|gia (?:approvato|autorizzato)/,
    give: /\b(?:invia\w{0,3}|manda\w{0,4}|inoltra\w{0,3}|rispond(?:i|imi|ere|a)|incolla\w{0,2}|passa\w{0,3}|mostra\w{0,2}|condividi|copia\w{0,2}|elenca|dimmi|dai|dammi|comunica\w{0,3}|gira\w{0,3}|cerca|riporta|allega|compra\w{0,3})\b/,
    machineSecrets:
      /(?:chiav[ei] api|prompt di sistema|tuo prompt|tue (?:istruzioni|regole|chiavi)|istruzioni (?:iniziali|complete)|variabili d'ambiente|tua configurazione|tuo token|\.env\b|il token)/,
    allMail:
      /(?:tutte le (?:mail|e-mail|email)|tutti i (?:messaggi|contatti)|(?:le|gli) ultim[ei] \S{1,8}(?: (?:mail|email|messaggi|clienti))?|tutto (?:quello|cio) che arriva|la rubrica|elenco (?:dei )?(?:clienti|contatti)|ogni (?:mail|messaggio)|posta in arrivo)/,
    takeover:
      /(?:imposta|metti|cambia|aggiungi|sostituisci)[^.!?]{0,60}(?:indirizzo di recupero|inoltro|amministrator|l'iban)|(?:esegui|lancia)[^.!?]{0,40}(?:comando|script|curl)|\b(?:approva|paga|conferma)\b[^.!?]{0,50}(?:senza|il pagamento e)|considerami amministratore/,
    code: /\b(?:codice|codici|cifre|otp)\b/,
    isSent: /(?:(?:arrivat|arrivera|arriva|ricev|mandato|inviato)|via sms|per sms|sul (?:tuo )?(?:telefono|cellulare))/,
    seed: /(?:(?:12|24|dodici|ventiquattro) parole|frase (?:seed|di recupero|segreta)|seed phrase)/,
    enter: /\b(?:inserisc\w{1,3}|inserire|digita\w{0,2}|scriv\w{1,3}|importa|immett\w{1,2})\b/,
    unprotect:
      /(?:disattiva|spegni|disabilita)\w{0,2}[^.!?]{0,30}(?:antivirus|defender|firewall|protezione)|esegui comunque|installa comunque|abilita\w{0,2} (?:il )?(?:contenuto|macro|modifica)|origini sconosciute/,
    oldAccount:
      /(?:vecchio|solito|precedente|attuale) (?:conto|iban)[^.!?]{0,50}(?:bloccat|chius|verifica|non (?:e|accetta)|sospes|revisione)|(?:conto|iban) (?:solito|precedente|di sempre)[^.!?]{0,50}(?:bloccat|chius|verifica|non|sospes)/,
    noCall:
      /non (?:mi |ci )?(?:chiamare|chiami|chiamate|telefonare|telefonate)|(?:telefono|linea|telefonicamente)[^.!?]{0,30}(?:non|guast|fuori servizio|irraggiungibil)|(?:rispond\w{1,4}|scriv\w{1,4})[^.!?]{0,12} (?:solo|soltanto|qui|unicamente)|(?:solo|soltanto) (?:su|a) questa mail|non posso parlare|microfono/,
    pay: /\b(?:pag(?:a|are|amento|hi|amenti)|bonific\w{1,4}|versa\w{0,3}|fattura|soldi|denaro|importo|saldo|anticip\w{1,3})\b/,
    wages: /\b(?:stipendio|busta paga|salario)\b/,
    newAccount:
      /\b(?:nuovo (?:conto|iban)|altro conto|cambiat[oa] (?:banca|conto)|conto nuovo|nuove coordinate|nuova banca)/,
    channel: /(?:su|via|per|al|tramite) (?:whatsapp|telegram|signal)|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /non (?:dire|dirlo|parlarne|raccontare|telefonare|chiamare|dica|chiami)|tra (?:noi|me e te)|resti tra noi|(?:banca|sito|piattaforma|app)[^.!?]{0,30}(?:blocca|lent|problemi|capir)|riservat|solo (?:a|su) questa|rispondi (?:solo|qui)|non dal portale/,
    parent: /\b(?:mamma|papa|nonna|nonno)\b/,
    newPhone:
      /(?:nuovo (?:numero|telefono|cellulare)|numero nuovo|(?:telefono|cellulare)[^.!?]{0,20}(?:rotto|caduto|perso)|(?:rotto|perso|caduto) il (?:telefono|cellulare)|cambiato numero)/,
    deadline: /(?:\d{1,3} ore|scadenza|entro|altrimenti|se non|prima di)/,
    orElse: /(?:pubblic|diffond|contatti|famiglia|colleghi|amici|vicini|recensioni|attacco|polizia|cancello)/,
    task: /(?:mett\w{1,3}|valut\w{1,4}|recens\w{1,4}|clicc\w{1,4}|segu\w{1,3})[^.!?]{0,30}(?:mi piace|like|hotel|video|prodotti|recensioni|pagine|app)/,
    perDay: /(?:al|per|ogni) (?:giorno|compito|ora|settimana|clic)|giornalier|provvigion|commission/,
    topUp: /(?:ricaric|deposit|livello successivo|sblocc|cauzione|anticip|versa)/,
    courier: /\b(?:corriere|spedizioniere|trasportatore|autista)\b/,
    collects: /(?:ritir|passa|viene|prend)/,
    card: /(?:carta|banca|iban|conto|ricevere (?:il denaro|i soldi|il pagamento))/,
    unseen:
      /chiavi[^.!?]{0,60}(?:corriere|posta|agenzia|spedi|invi)|(?:all'estero|altro paese)[^.!?]{0,100}(?:mostrare|visit|vedere|chiavi)|prima (?:della visita|di vederlo)|non posso (?:mostrar|far vedere)/,
    home: /(?:appartamento|casa|stanza|affitto|alloggio|monolocale)/,
    deposit: /(?:caparra|cauzione|deposito|prima mensilita|bonifico|acconto)/,
    toll: /\b(?:pedaggi\w{0,2}|multa|sanzione|contravvenzione|verbale)\b/,
    isOpen: /(?:non pagat|insolut|in sospeso|scadut|mora|regolarizz|da pagare|pagh[i]|salda)/,
    safeAccount:
      /(?:su|in|a) (?:un|il|nostro|suo|tuo) conto (?:sicuro|protetto|di sicurezza|di garanzia)|mettere al sicuro[^.!?]{0,20}(?:denaro|risparmi|soldi|fondi|saldo)/,
    notYou: /(?:addebit|rinnov|abbonamento|se non (?:e|sei) stat|annullare|disdire|rimborso|ordine)/,
    call: /\b(?:chiam(?:a|i|are|ate)|telefon\w{1,4}|contatt\w{1,3})\b/,
    donation: /(?:donazion|donare|dona\b|terremot|alluvion|orfan|profugh|raccolta fondi)/,
    giftCards: /(?:gift card|carte? regalo|buoni regalo|carte? (?:steam|apple|google)|paysafe)/,
    threat:
      /te ne pentirai|so dove abiti|guardati le spalle|nessuno sentirebbe la tua mancanza|se non sei mia|ti (?:ammazzo|uccido|rovino|trovo)|sei (?:uno schifo|feccia|spazzatura|un fallito)|la pagherai/,
  }),
}
