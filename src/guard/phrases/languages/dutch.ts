/** Suspicious phrases in Dutch. */
import { intentsOf } from './intents.js'
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
  ...intentsOf({
    machine:
      /\b(?:assistent\w{0,3}|agent|agents|agenten|ai|ai-\w+|bot|bots|digitale lezer|het programma dat|model|systeem dat|geautomatiseerde lezers)\b/,
    owner: /\b(?:eigenaar|beheerder)\b/,
    ignore: /\b(?:negeer|negeren|vergeet|sla|omzeil|laat)\b/,
    instructions: /(?:instructies|regels|opdrachten|richtlijnen|bevelen|prompts?\b|aanwijzingen)/,
    isVoid:
      /(?:instructies|regels|beperkingen|limieten)[^.!?]{0,30}(?:gelden niet|zijn (?:vervallen|opgeheven|gewijzigd)|vervallen)|(?:onderhouds|ontwikkelaars|debug)modus (?:staat )?(?:aan|actief)|nieuwe instructies voor (?:jou|de (?:agent|assistent))/,
    conceal:
      /laat het uit je verslag|(?:wis|gooi)[^.!?]{0,20}daarna|daarna[^.!?]{0,12} weg|vragen hoeft niet|zonder (?:te vragen|bevestiging|overleg|goedkeuring|melding|navraag)|(?:hoeft|hoef|moet)[^.!?]{0,30}niet[^.!?]{0,30}(?:mens|eigenaar|gevraagd|weten|goedgekeurd|overleg)|(?:eigenaar|gebruiker|beheerder|baas|inkoper)[^.!?]{0,40}(?:akkoord|goedgekeurd|weet (?:het|ervan)|hoeft)|(?:meld|noem|vermeld)[^.!?]{0,20} niet|(?:daarna mag|verwijder daarna|wis daarna|verwijder vervolgens)|het is al akkoord|niet in (?:je|de) samenvatting/,
    give: /\b(?:stuur|sturen|geef|geven|laat|doorgeven|doorsturen|antwoord|plak|toon|deel|kopieer|noem|exporteer|zet|open|lees|app)\b/,
    machineSecrets:
      /(?:je (?:volledige )?opdracht|systeemprompt|api-?sleutel|je (?:instructies|regels|prompt|configuratie|token|sleutels?)|met je token|omgevingsvariabelen|\.env\b|toegangstoken)/,
    allMail:
      /(?:alle (?:mails|e-mails|berichten|contacten)|(?:de )?(?:laatste|afgelopen) \S{1,8} (?:mails|e-mails|berichten)|adresboek|hele (?:inbox|postvak|mailbox)|klantenlijst|alles wat binnenkomt|elke (?:mail|bericht)|prijzen van de anderen)/,
    takeover:
      /(?:zet|wijzig|verander|stel|voeg)[^.!?]{0,60}(?:hersteladres|doorsturen|beheerder|doorstuurregel)|(?:voer|draai)[^.!?]{0,40}(?:script|opdracht|curl|overboeking)|(?:status|factuur)[^.!?]{0,40}op betaald|zet ons bovenaan|bevestig de bestelling en betaal|goedkeuring ?=/,
    code: /\b(?:code|codes|cijfers)\b/,
    isSent: /(?:(?:krijg|gekregen|kreeg|ontvang|binnen|gestuurd|komt)|per sms|op je (?:telefoon|mobiel)|per ongeluk)/,
    seed: /(?:(?:12|24|twaalf|vierentwintig) woorden|herstelzin|seed ?phrase|herstelwoorden)/,
    enter: /\b(?:vul|voer|invoeren|typ|invullen|importeer)\b/,
    unprotect:
      /(?:virusscanner|antivirus|defender|firewall)[^.!?]{0,30}(?:uit\b|uitzetten|uitschakelen)|(?:zet|schakel)[^.!?]{0,20}(?:virusscanner|antivirus|defender|firewall)[^.!?]{0,20}uit|toch (?:uitvoeren|installeren|openen)|(?:inhoud|macro's|bewerken) inschakelen|onbekende bronnen/,
    oldAccount:
      /(?:oude|vorige|gebruikelijke) (?:rekening|iban|rekeningnummer)[^.!?]{0,50}(?:geblokkeerd|gesloten|gecontroleerd|niet meer|opgeheven)|onze rekening wordt (?:gecontroleerd|omgezet)|de rekening[^.!?]{0,40}(?:omgezet|geen betalingen)|het juiste nummer/,
    noCall:
      /niet bellen|bellen (?:kan|gaat|lukt|hoeft)[^.!?]{0,16}(?:niet|even)|telefonisch[^.!?]{0,30}(?:slecht|niet|moeilijk)|(?:alleen|enkel|liefst) (?:naar|op|via|reageren op) (?:dit|deze|mail)|(?:mail|reageer|antwoord)[^.!?]{0,10} alleen|hoeft[^.!?]{0,20} niet te bellen|microfoon|stel uw vragen alleen aan/,
    pay: /\b(?:betal\w{1,5}|betaal\w{0,6}|overmak\w{1,3}|maak|factuur|bedrag|geld|voorschiet\w{1,3}|stort\w{0,3}|huur)\b/,
    wages: /\b(?:salaris|loon)\w{0,8}\b/,
    newAccount: /\b(?:nieuwe? (?:rekening\w{0,7}|iban|bank)|andere (?:rekening|bank)|veranderd van bank|gewijzigd)/,
    channel:
      /(?:via|op|per|naar) (?:whatsapp|telegram|signal)|app (?:me|"|naar)[^.!?]{0,30}\d{2}|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /(?:zeg|vertel|praat)[^.!?]{0,30}(?:niemand|niets|niet)|onder ons|(?:bank|site|platform)[^.!?]{0,30}(?:traag|blokkeert|moeilijk|begrijp)|vertrouwelijk|niet bellen|telefonisch slecht|bellen gaat|hoeft (?:hierover )?niet te bellen|niet via de site/,
    parent: /\b(?:mam|mama|pap|papa|oma|opa)\b/,
    newPhone: /(?:nieuwe? (?:nummer|telefoon|mobiel)|telefoon[^.!?]{0,20}(?:kapot|gevallen|kwijt|stuk)|oude nummer)/,
    deadline:
      /(?:\d{1,3} uur|\bje hebt|voor (?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|morgen)|anders|als je niet|binnen)/,
    orElse:
      /(?:publiceer|contacten|familie|collega|vrienden|beelden|buren|slechte recensies|aanval|politie|online|hoor je)/,
    task: /(?:liken|beoordel\w{1,4}|klikken|volgen|reviews? schrijven|sterren geven|betalingen voor onze klanten)/,
    perDay: /(?:per|elke) (?:dag|taak|uur|week|klik)|dagelijks|commissie/,
    topUp: /(?:stort|opwaarder|volgend niveau|hogere niveau|borg|vooraf|ontgrendel)/,
    courier: /\b(?:koerier|bezorger|transporteur|chauffeur|verhuizer)\b/,
    collects: /(?:haalt|ophal|ophaalt|komt|meeneem)/,
    card: /(?:kaart|pas\b|bank|iban|rekening|geld (?:ontvangen|krijgen)|ideal)/,
    unseen:
      /sleutels?[^.!?]{0,60}(?:post|koerier|opgestuurd|bureau|pakket)|(?:buitenland|ander land)[^.!?]{0,100}(?:bezichtig|laten zien|sleutel)|voor de bezichtiging|kan (?:het|de woning) niet laten zien/,
    home: /(?:woning|appartement|kamer|studio|huur|huis)/,
    deposit: /(?:borg|waarborgsom|aanbetaling|eerste maand|reserver|overmak)/,
    toll: /\b(?:tol|boete|bekeuring|kenteken|parkeer\w{0,7}|cjib)\b/,
    isOpen: /(?:openstaand|onbetaald|aanmaning|voldoe|betaal|verhog|deurwaarder)/,
    safeAccount:
      /naar (?:een|de|onze|uw) (?:veilige|beveiligde|kluis)-?\s?(?:rekening|wallet)|(?:geld|spaargeld|munten|saldo)[^.!?]{0,40}(?:in veiligheid|veiligstellen|naar de kluis)/,
    notYou: /(?:afgeschreven|verlengd|abonnement|bestelling|annuler|niet door u|opzeggen|terugbetaling)/,
    call: /\b(?:bel|belt|bellen|telefoon\w{0,7}|contact)\b/,
    donation: /(?:donatie|doneer|doneren|slachtoffers|weeskinderen|aardbeving|overstroming|inzameling|vluchtelingen)/,
    giftCards: /(?:cadeaukaart|cadeaubon|paysafe|(?:steam|apple|google)-?kaart)/,
    threat:
      /je (?:zult|gaat|krijgt) (?:er )?spijt|ik weet waar je woont|kijk maar (?:goed )?achter je|niemand zou je missen|ik (?:maak je (?:kapot|af)|vind je)|je bent (?:waardeloos|uitschot|tuig|niks waard)|daar ga je voor boeten/,
  }),
}
