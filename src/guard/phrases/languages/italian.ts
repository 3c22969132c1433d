/** Suspicious phrases in Italian. */
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
}
