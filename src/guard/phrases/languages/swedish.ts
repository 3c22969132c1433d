/** Suspicious phrases in Swedish. */
import { intentsOf } from './intents.js'
import type { Phrases } from './types.js'

export const SWEDISH: Phrases = {
  credential_request:
    /(?:bekrafta|verifiera|uppdatera|validera|fornya|ateraktivera|las upp) (?:ditt|din|dina|ert|era) (?:\S{1,30} ){0,3}?(?:konto|identitet|uppgifter|losenord|bankid|kort|kortuppgifter|brevlada|mejlkonto|bankuppgifter)\b/,
  secret_on_page:
    /(?:ange|skriv in|fyll i|mata in) (?:ditt |din |dina )?(?!nya?)(?:\S{1,30} ){0,3}?(?:losenord|pin-?kod|kortnummer|kortuppgifter|personnummer|cvv|sakerhetskod)/,
  secret_by_mail:
    /(?:svara med|skicka|mejla)(?: mig| oss)? (?:ditt |din |dina )?(?:\S{1,30} ){0,3}?(?:losenord|pin-?kod|kortnummer|kontonummer och kod|cvv)\b/,
  account_threat:
    /(?:konto|kort|bankid|brevlada|mejlkonto|atkomst|losenord)\w{0,3}[^.!?]{0,40}(?:sparra|stang|avstang|begransa|avslut|inaktivera|upphor|gar ut)\w{0,3}|(?:misstankt|ovanlig|obehorig) (?:inloggning|aktivitet|transaktion)|brevladan ar (?:nastan )?full/,
  payment_problem:
    /(?:betalning|dragning)\w{0,3}[^.!?]{0,40}(?:misslyck|nekad|avvisad|kunde inte)[^!?]{0,120}(?:uppdatera|betalsatt|kortuppgifter)/,
  urgency:
    /inom (?:2|6|12|24|48) ?(?:timmar|h\b)|\bomgaende\b|\bbradskande\b|sista (?:paminnelsen?|varning|chansen)|sa snart som mojligt/,
  reward_lure:
    /du har (?:\S{1,12} ){0,3}(?:vunnit|blivit utvald)|(?:hamta|las ut|gor ansprak pa) (?:ditt |din )?(?:pris|vinst|presentkort|aterbaring|bonus)/,
  parcel_fee:
    /(?:paket|forsandelse|leverans|avi)\w{0,3}[^!?]{0,120}(?:tullavgift|portoavgift|avgift|frakt(?:kostnad)?|tull\b|betala)|paket\w{0,2}[^.!?]{0,40}(?:kunde inte levereras|vantar|ligger)[^!?]{0,120}(?:bekrafta|betala|kort)/,
  advance_fee: [
    /(?:arv|arvinge|avliden|testamente|donation|formanstagare)/,
    /(?:miljoner|miljon|\d{1,3}(?:[ .,]\d{3}){2}) ?(?:kronor|dollar|euro|usd|sek)?/,
  ],
  lottery: [/(?:lotteri|dragning|utlottning)[^!?]{0,160}(?:vunnit|vinnare|vinst)/, /(?:kontakta|hamta|miljon|nummer)/],
  extortion: [
    /(?:hackat|filmat|spelat in|kommit at|infekterat)[^!?]{0,160}\b(?:dig|din|ditt|dina)\b/,
    /bitcoin|\bbtc\b|monero|kryptovaluta/,
    /(?:kontakter|familj|vanner|publicera|skicka|kollegor)/,
  ],
  gift_cards: [
    /(?:kop|ordna|behover|fixa)[^.!?]{0,60}(?:presentkort|(?:google play|apple|steam)-?kort)/,
    /(?:kod|skrapa|foto|fota|skicka|baksida)/,
  ],
  changed_bank_details:
    /(?:nytt|nya|andrat|andrade) (?:bankgiro|kontonummer|bankuppgifter|iban|betalningsuppgifter)|(?:bankuppgifter|kontonummer|bankgiro)\w{0,2}[^.!?]{0,30}(?:har andrats|ar andrat|har bytts)/,
  secrecy:
    /(?:strikt|helt) konfidentiellt|(?:sag|beratta|namn) (?:inget|inte|ingenting)[^.!?]{0,30}(?:till nagon|for nagon|till de andra|for)|(?:sitter i mote|kan inte prata|kan inte ringa)/,
  money_in_haste: [/(?:betala|betalning|overfor|swisha)/, /\bomgaende|genast|direkt|i dag|idag|bradskande/],
  guaranteed_profit:
    /garanterad (?:avkastning|vinst)|(?:vinst|avkastning) utan risk|\d{1,3} ?(?:%|procent) (?:per dag|om dagen|i veckan)|dubbla (?:dina pengar|din insats)/,
  job_scam:
    /(?:tjana|fa betalt|lonen ar)[^.!?]{0,60}(?:per dag|om dagen|i timmen|per vecka)[^!?]{0,160}(?:whatsapp|telegram|hemifran|utan erfarenhet|ingen intervju)|(?:hemifran|utan erfarenhet|ingen intervju)[^!?]{0,160}(?:per dag|om dagen|i timmen)/,
  qr_code: /skanna (?:den har |denna )?(?:qr-?koden|rutan|koden nedan)/,
  ...intentsOf({
    machine:
      /\b(?:assistent\w{0,3}|agent|agenten|agenter|ai|ai-\w+|bot|boten|modell\w{0,2}|ai-lasare|programmet som laser)\b/,
    owner: /\bagaren\b/,
    ignore: /\b(?:ignorera|strunta|glom|bortse|hoppa over|kringga)\b/,
    instructions: /(?:instruktion|regler|order|direktiv|anvisning|prompt|begransning)/,
    isVoid:
      /(?:instruktioner|regler|begransningar)\w{0,3}[^.!?]{0,30}(?:galler inte|ar (?:upphavda|avstangda|ogiltiga)|har andrats)|(?:underhalls|utvecklar|debug)lage (?:ar )?(?:pa|aktivt)|nya instruktioner for (?:dig|agenten|assistenten)/,
    conceal:
      /utan (?:att fraga|bekraftelse|godkannande|att meddela|samtycke)|(?:agaren|anvandaren|chefen|handlaggaren)[^.!?]{0,30}(?:godkanner|har (?:godkant|sagt ja)|vet om|behover inte)|ingen bekraftelse behovs|(?:namn|nämn|beratta|fraga|meddela|rapportera)[^.!?]{0,20} (?:inte|ingen)|ta inte med det(?: har)? i|ingen behover se|behover inte tillfragas|ta sedan bort|(?:sedan|sen|darefter) (?:radera|rensa|tom|ta bort)|(?:radera|rensa|ta bort) (?:sedan|sen)/,
    give: /\b(?:skicka\w{0,2}|svara|vidarebefordra|mejla\w{0,2}|ge mig|ge oss|klistra|visa|dela|kopiera|lista|saga|sag|lasa|las|posta|exportera|lamna|kop|sok)\b/,
    machineSecrets:
      /(?:systemprompt|api-?nyckel|dina (?:instruktioner|regler|nycklar)|miljovariabler|din (?:konfiguration|token|prompt)|nyckeln som borjar|forsta text(?:en)? du fick|\.env\b|atkomsttoken)/,
    allMail:
      /(?:alla (?:mejl|mail|meddelanden|kontakter|protokoll)|allt (?:fran|som kommer)|(?:de )?senaste \S{1,8} (?:mejlen|mailen|meddelandena|mejl)|adressbok|kundlista|leverantorslista\w{0,1}|hela (?:inkorgen|brevladan)|traffarna|varje (?:mejl|meddelande))/,
    takeover:
      /(?:andra|satt|lagg|byt|uppdatera)[^.!?]{0,60}(?:aterstallningsadress|vidarebefordran|administrator|skrivrattighet)|ge [^.!?]{0,40}skrivrattighet|bokfora [^.!?]{0,24} som godkand|byt aterstallningsadress|(?:kor|starta)[^.!?]{0,30}(?:skript|kommando|curl)|(?:godkann|betala)[^.!?]{0,40}utan att|acceptera motet, dela/,
    code: /\b(?:kod|koden|koder|siffror\w{0,2}|siffrorna)\b/,
    isSent:
      /(?:(?:fick|far|kom|kommer|skickat|skickades|dok upp)|via sms|per sms|pa (?:din )?(?:mobil|telefon)|till (?:ditt|din))/,
    seed: /(?:(?:12|24|tolv|tjugofyra) ord|aterstallningsfras|seed ?phrase|frofras)/,
    enter: /\b(?:ange|skriv|fyll|mata|importera)\b/,
    unprotect:
      /(?:stang|sla|inaktivera)\w{0,2}[^.!?]{0,30}(?:antivirus|virusskydd|defender|brandvagg)|kor anda|installera anda|aktivera (?:innehall|makron|redigering)|okanda kallor/,
    oldAccount:
      /(?:bankgirot?|gamla (?:kontot|numret)|vanliga kontot|plusgirot)[^.!?]{0,50}(?:stangt|sparrat|revision|fungerar inte|inte)|ny betalningsinformation/,
    noCall:
      /ring (?:inte|ej)|(?:kan|gar) (?:inte|ej)[^.!?]{0,12} (?:prata|ringa|svara)|(?:svarar|nas|mejla|svara)[^.!?]{0,16} (?:bara|endast|bast|enbart)|telefon\w{0,4}[^.!?]{0,30}(?:fungerar inte|trasig|avstangd|ligger nere)|mikrofon/,
    pay: /\b(?:betala\w{0,3}|betalning\w{0,3}|faktura\w{0,2}|pengar\w{0,2}|swisha?|overfor\w{0,3}|satt|belopp|rakning|lana)\b/,
    wages: /\b(?:lon|lonen|lonekonto|loneutbetalning)\b/,
    newAccount: /\b(?:nytt konto|nya konto\w{0,2}|annat konto|bytt bank|ny bank|byta konto)/,
    channel: /(?:pa|via|till) (?:whatsapp|telegram|signal)|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /(?:beratta|sag|prata|ring)[^.!?]{0,30}(?:inte|inget|ingen)|mellan oss|(?:banken|sidan|plattformen)[^.!?]{0,30}(?:sparrar|langsam|krang|forstar)|konfidentiellt|svarar bara pa mejl|ring inte/,
    parent: /\b(?:mamma|pappa|mormor|farmor|morfar|farfar)\b/,
    newPhone:
      /(?:nya? (?:nummer|nummret|mobil|telefon)|nytt nummer|(?:mobil|telefon)\w{0,2}[^.!?]{0,20}(?:dog|trasig|sonder|tappa)|tappat (?:mobilen|telefonen)|gamla numret)/,
    deadline: /(?:\d{1,3} timmar|senast|innan|annars|om du inte|inom)/,
    orElse: /(?:publicera|sprid|kontakter|familj|kollegor|vanner|grannar|daliga recensioner|attack|polis|raderar)/,
    task: /(?:gilla|betygsatt\w{0,2}|recensera|klicka|folj)\w{0,2}[^.!?]{0,30}(?:video|hotell|app|produkt|kanal|inlagg|sidor)\w{0,3}/,
    perDay: /(?:per|varje|om) (?:dag|dagen|uppgift|timme|vecka)|i timmen|dagligen|provision/,
    topUp: /(?:satt in|ladda|insattning|startpaket|nasta niva|las upp|i forskott)/,
    courier: /\b(?:bud|budet|kurir\w{0,2}|chauffor\w{0,2}|transportor\w{0,2}|postnord)\b/,
    collects: /(?:hamta|kommer|plockar)/,
    card: /(?:kort|bank|konto|ta emot (?:pengarna|betalningen))/,
    unseen:
      /nyckl\w{1,4}[^.!?]{0,60}(?:post|bud|skicka|byra)|(?:utomlands|annat land)[^.!?]{0,100}(?:visa|visning|nyckl)|fore visning|kan inte visa/,
    home: /(?:lagenhet|rum\b|hus\b|hyra|andrahand|bostad)/,
    deposit: /(?:deposition|handpenning|forsta manad|forskott|satt in|swisha)/,
    toll: /\b(?:trangselskatt\w{0,2}|vagtull\w{0,3}|boter|parkeringsbot|parkering)\b/,
    isOpen: /(?:obetald|betala|forfall|paminnelse|forseningsavgift|skuld)/,
    safeAccount:
      /till (?:ett|det|vart) (?:sakert|skyddat|tryggt) konto|(?:pengar|sparande|saldo)\w{0,3}[^.!?]{0,30} i sakerhet/,
    notYou: /(?:dragits|debiter|forny|prenumeration|bestallning|avbestall|aterbetal|inte du)/,
    call: /\b(?:ring|ringa|telefon\w{0,3}|kontakta)\b/,
    donation: /(?:donation|donera|skank|insamling|offren|jordbavning|oversvamning|flykting)/,
    giftCards: /(?:presentkort|(?:steam|apple|google)-?kort|paysafe)/,
    threat:
      /du kommer att angra|jag vet var du bor|se dig om|ingen skulle sakna dig|jag ska (?:doda|hitta|forstora) dig|du ar (?:vardelos|avskum|skrap)|det har ska du fa betala/,
  }),
}
