/** Suspicious phrases in Dutch. */
import type { Phrases } from './types.js'

export const DUTCH: Phrases = {
  run_command_request: [
    /druk[^.!?]{0,40}\b(?:windows|win)(?:-?toets)? ?(?:\+|en) ?(?:de )?r\b|open[^.!?]{0,40}(?:terminal|powershell|opdrachtprompt|uitvoeren)[^.!?]{0,120}plak/,
    /verifi|bevestig|captcha|robot|herstel|repar|bekijk|weergev|zien|ontgrendel|doorgaan/,
  ],
  credential_request:
    /(?:bevestig|verifieer|controleer|werk|update|valideer|heractiveer|deblokkeer|actualiseer) (?:direct |nu |onmiddellijk |alstublieft )?(?:uw|je|jouw) (?:[a-z-]{1,30} ){0,3}(?:account|rekening|bankrekening|gegevens|identiteit|wachtwoord|bankpas|betaalpas|betaalgegevens|accountgegevens|inloggegevens|mailbox|klantgegevens|betaalmethode|digipas|toegang)\b|(?:uw|je|jouw) (?:[a-z-]{1,30} ){0,2}(?:account|rekening|gegevens|identiteit|betaalgegevens|bankpas|mailbox)[^.!?]{0,20} te (?:bevestigen|verifieren|valideren|controleren|actualiseren|activeren)/,
  secret_on_page:
    /(?:voer|vul) (?:hier )?(?:uw|je|jouw) (?!nieuwe)(?:[a-z-]{1,30} ){0,3}(?:wachtwoord|pincode|kaartnummer|creditcardgegevens|inloggegevens|bankgegevens|beveiligingscode)[^.!?]{0,20} in\b/,
  secret_by_mail:
    /(?:stuur|mail|geef)(?: ons| mij)? (?:uw|je|jouw) (?:[a-z-]{1,30} ){0,3}(?:wachtwoord|pincode|kaartnummer|inloggegevens)/,
  account_threat:
    /(?:account|rekening|bankpas|toegang|mailbox|profiel|betaalrekening|digid)[^.!?]{0,30}(?:is|wordt|zal|werd)[^.!?]{0,25} ?(?:geblokkeerd|opgeschort|beperkt|gedeactiveerd|gesloten|verwijderd|vergrendeld)|(?:ongebruikelijke|verdachte|ongeautoriseerde) (?:activiteit|inlogpoging|transactie|aanmelding|toegang)|(?:voorkom|voorkomen)[^.!?]{0,30}(?:blokkade|blokkering|afsluiting|deactivering)|(?:mailbox|opslag)[^.!?]{0,20}(?: vol\b)|wachtwoord (?:verloopt|zal verlopen)/,
  payment_problem:
    /(?:betaling|incasso)[^.!?]{0,40}(?:mislukt|geweigerd|niet verwerkt|niet gelukt)[^!?]{0,120}(?:betaalgegevens|betaalmethode|bijwerken|werk )/,
  urgency:
    /(?:binnen|in de komende) (?:24|48|72|12|6|2) ?(?:uur|u\b)|onmiddellijk|\bdringend|\bspoed|laatste (?:herinnering|waarschuwing|kans|aanmaning)|handel (?:nu|direct)|zo snel mogelijk|per direct/,
  reward_lure:
    /(?:u hebt|u heeft|je hebt|jij hebt) (?:[a-z0-9.-]{1,20} ){0,6}gewonnen|(?:u bent|je bent) (?:geselecteerd|uitgekozen)|(?:claim|ontvang|incasseer) (?:nu )?(?:uw|je|jouw) (?:[a-z-]{1,30} ){0,2}(?:prijs|cadeau|terugbetaling|teruggave|bonus|beloning)|(?:recht op|in aanmerking voor)[^.!?]{0,40}(?:terugbetaling|teruggave|belastingteruggave)|(?:belastingteruggave|teruggave|terugbetaling) (?:van|ter hoogte van) (?:€|eur)? ?\d/,
  parcel_fee:
    /(?:pakket|zending|bezorging|levering)[^!?]{0,120}(?:douanekosten|verzendkosten|invoerkosten|bezorgkosten|inklaringskosten|administratiekosten|invoerrechten)|(?:pakket|zending)[^.!?]{0,60}(?:kon niet worden bezorgd|niet bezorgd|vastgehouden|wacht op|in afwachting)[^!?]{0,120}(?:bevestig|betaal|kosten)/,
  advance_fee: [
    /(?:erfenis|nalatenschap|begunstigde|overleden|nabestaande|erfgenaam|schenking)/,
    /miljoen (?:us )?(?:dollar|euro|usd|eur)|\d{1,3}(?:[.,]\d{3}){2}/,
  ],
  lottery: [
    /(?:loterij|trekking)[^!?]{0,200}(?:gewonnen|winnaar|winnend|gelukkige)/,
    /(?:contact|claim|miljoen|winnende nummer|agent)/,
  ],
  extortion: [
    /(?:gehackt|opgenomen|gefilmd|geinfecteerd|volledige toegang|trojan|malware)[^!?]{0,200}\b(?:uw|je|jouw|jou|u)\b/,
    /bitcoin|\bbtc\b|monero|cryptovaluta/,
    /(?:contacten|vrienden|familie|publiceren|openbaar|collega|versturen|verspreid)/,
  ],
  gift_cards: [
    /(?:koop|kopen|haal|halen|nodig|aanschaffen)[^.!?]{0,60}(?:cadeaukaart|cadeaubon|giftcard|gift card|google play-kaart|steam-kaart)|(?:cadeaukaart|cadeaubon|giftcard)[^.!?]{0,40}(?:kopen|halen|nodig)/,
    /(?:code|foto|stuur|kras|achterkant)/,
  ],
  changed_bank_details:
    /(?:nieuwe|nieuw|gewijzigde|gewijzigd|wijziging van|gewijzigde) (?:onze |ons |mijn )?(?:bankgegevens|rekeningnummer|iban|bankrekening|betaalgegevens)|(?:bankgegevens|rekeningnummer|bankrekening)[^.!?]{0,30}(?:gewijzigd|veranderd)/,
  secrecy:
    /(?:strikt|uiterst|volstrekt) (?:vertrouwelijk|geheim)|(?:bespreek|praat)[^.!?]{0,30}(?:niemand|met niemand)|(?:zit in een (?:vergadering|meeting)|kan niet (?:bellen|praten))/,
  money_in_haste: [
    /(?:overschrijving|overmaken|betaling|betalen|overboeking)/,
    /\bdringend|onmiddellijk|\bspoed|vandaag nog|per direct/,
  ],
  guaranteed_profit:
    /(?:gegarandeerde?|risicovrije?|risicoloze?) (?:[a-z]{1,20} )?(?:rendement|winst|inkomsten|inkomen)|verdubbel (?:uw|je|jouw)|\d{1,4} ?% (?:per dag|dagelijks|per week)|(?:bitcoin|crypto|trading)[^.!?]{0,60}(?:zonder risico|financiele vrijheid|rijk worden)/,
  job_scam:
    /verdien[^.!?]{0,40}(?:per dag|per uur|per week)[^!?]{0,160}(?:whatsapp|telegram|vanuit huis|thuis|geen ervaring|zonder ervaring)|(?:geen ervaring|zonder ervaring|vanuit huis)[^!?]{0,160}verdien[^.!?]{0,60}(?:per dag|per uur|per week)/,
  qr_code: /scan (?:de|deze|onderstaande)[^.!?]{0,30} ?qr-?(?: )?code/,
}
