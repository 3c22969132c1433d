/** Suspicious phrases in Polish. */
import { intentsOf } from './intents.js'
import type { Phrases } from './types.js'

export const POLISH: Phrases = {
  run_command_request: [
    /(?:nacisn\w{1,4}|wcisn\w{1,4})[^.!?]{0,40}\b(?:windows|win) ?(?:\+|i) ?r\b|otworz[^.!?]{0,40}(?:terminal|powershell|wiersz polecen|uruchom)[^.!?]{0,120}(?:wklej)/,
    /weryfik|potwierd|captcha|robot|napraw|wyswietl|zobacz|odblok|kontynu/,
  ],
  credential_request:
    /(?:potwierdz|zweryfikuj|zaktualizuj|uaktualnij|odblokuj|aktywuj|uzupelnij|prosimy o (?:potwierdzenie|weryfikacje|aktualizacje)|w celu (?:potwierdzenia|weryfikacji|aktualizacji)|zweryfikowac|potwierdzic|zaktualizowac|odblokowac) (?:natychmiast |teraz |pilnie )?(?:swoje |swoj |swojego |swoich |twoje |twojego |panstwa |pana |dane )?(?:[a-z-]{1,30} ){0,2}(?:konto|konta|dane|danych|tozsamosc|tozsamosci|haslo|karte|karty|skrzynke|skrzynki|dostep|metode platnosci|rachunek|rachunku)\b(?! (?:do )?(?:dostawy|wysylki))/,
  secret_on_page:
    /(?:podaj|wpisz|wprowadz|podanie|prosimy podac) (?:swoje |swoj |swoich |dane )?(?!nowe)(?:[a-z-]{1,30} ){0,2}(?:haslo|pin|numer karty|dane karty|danych karty|kod cvv|dane logowania|danych logowania|kod blik)\b/,
  secret_by_mail:
    /(?:wyslij|przeslij|odpisz)(?: nam| mi)? (?:swoje |swoj )?(?:[a-z-]{1,30} ){0,2}(?:haslo|pin|numer karty|dane logowania|kod blik)\b/,
  account_threat:
    /(?:konto|karta|dostep|skrzynka|rachunek|profil|subskrypcja)[^.!?]{0,30}(?:zostalo|zostala|zostanie|zostal|jest|bedzie) (?:tymczasowo |czasowo |trwale )?(?:zablokowan[ey]?|zawieszon[ey]?|ograniczon[ey]?|zamkniet[ey]?|usuniet[ey]?|dezaktywowan[ey]?|zablokowana|zawieszona|ograniczona|zamknieta)|(?:nietypow[aey]|podejrzan[aey]|nieautoryzowan[aey]|nieuprawnion[yae]) (?:aktywnosc|logowanie|transakcj[aei]|dostep|probe?|operacj[aei])|(?:uniknac|zapobiec) (?:blokady|zablokowani[au]|zawieszeni[au]|zamkniecia|usuniecia)|(?:skrzynka|pamiec)[^.!?]{0,30}(?:pelna|przepelniona)|haslo (?:wygasa|wygasnie)/,
  payment_problem:
    /(?:platnosc|platnosci|wplata)[^.!?]{0,40}(?:odrzucona|nie powiodla|nieudana|nie zostala zrealizowana)[^!?]{0,120}(?:zaktualiz|dane|metod)/,
  urgency:
    /(?:w ciagu|przed uplywem) (?:najblizszych )?(?:24|48|72|12|6|2) ?(?:godzin|godz|h\b)|natychmiast|\bpilne|\bpilnie|niezwlocznie|ostatnie (?:ostrzezenie|przypomnienie|wezwanie)|ostatnia szansa|dzialaj teraz|jak najszybciej/,
  reward_lure:
    /(?:wygrales|wygralas|wygrali panstwo|zostales wybrany|zostalas wybrana|zostal pan wybrany)|(?:odbierz|zglos sie po|odebrac) (?:swoja |swoj |swoje )?(?:[a-z-]{1,30} ){0,2}(?:nagrode|nagroda|prezent|zwrot|bonus|premie)|(?:przysluguje|uprawnion)[^.!?]{0,40}(?:zwrot)|zwrot (?:podatku )?(?:w wysokosci|w kwocie|na kwote)/,
  parcel_fee:
    /(?:paczka|paczki|przesylka|przesylki|dostawa|paczke|przesylke)[^!?]{0,120}(?:oplata celna|oplate celna|oplaty celnej|doplata|doplate|doplaty|oplata za|oplate za|oplaty za|niedoplat[ay]|oplate manipulacyjna|uregulowani)|(?:paczka|przesylka)[^.!?]{0,60}(?:wstrzyman|nie mogla zostac|oczekuje|nie udalo sie)[^!?]{0,120}(?:potwierdz|zaplac|oplac|oplat)/,
  advance_fee: [
    /(?:spadek|spadku|beneficjent|zmarl|najblizszy krewny|dziedzic|darowizn)/,
    /milion(?:y|ow)? (?:dolarow|euro|usd|eur|zlotych)|\d{1,3}(?:[ .,]\d{3}){2}/,
  ],
  lottery: [
    /(?:loteri|losowani)[^!?]{0,200}(?:wygra|zwyciezc|szczesliw)/,
    /(?:kontakt|skontaktuj|odbi|milion|numer|agent)/,
  ],
  extortion: [
    /(?:zhakowa|wlamal|nagral|sfilmowa|zainfekowa|pelny dostep|trojan|zlosliwe oprogramowanie)[^!?]{0,200}(?:twoj|twoje|twojej|twojego|ciebie|panstwa| cie\b)/,
    /bitcoin|\bbtc\b|monero|kryptowalut/,
    /(?:kontakt|znajomy|rodzin|opublik|udostepn|wysle|rozesle|przyjaci)/,
  ],
  gift_cards: [
    /(?:kup|potrzebuj|zakup|zdob)[^.!?]{0,60}(?:kart[yae]? podarunkow|bon(?:y|ow)? podarunkow|kart[yae]? (?:google play|steam|itunes|amazon)|karty prezentow)/,
    /(?:kod|zdjeci|wyslij|przeslij|zdrap)/,
  ],
  changed_bank_details:
    /(?:nowy|nowe|nowego|zmienion[yae]|zmiana|zmiane|zmianie|zmienil(?:y|o)? sie|zmienilismy|aktualizacja) (?:nasz |nasze |naszego |naszych |numeru |numer )?(?:numer(?:u)? (?:konta|rachunku)|rachunek bankowy|rachunku bankowego|konto bankowe|konta bankowego|dane bankowe|danych bankowych|iban|konta bankowego)/,
  secrecy:
    /(?:scisle|calkowicie|absolutnie) (?:poufne|poufna|tajne)|(?:nie mow|nie rozmawiaj|prosze nie mowic)[^.!?]{0,30}(?:nikomu|z nikim)|(?:jestem na (?:spotkaniu|zebraniu)|nie moge rozmawiac)/,
  money_in_haste: [/(?:przelew|platnosc|zaplac|przelac)/, /\bpilne|\bpilnie|natychmiast|jeszcze dzis|niezwlocznie/],
  guaranteed_profit:
    /(?:gwarantowan[yae]|pewn[yae]|bez ryzyka) (?:[a-z]{1,20} )?(?:zysk|zyski|zwrot|dochod|zarobek)|(?:zysk|dochod|zarob)[a-z]{0,6} bez ryzyka|podwoj (?:swoj|swoje|swoja)|\d{1,4} ?% (?:dziennie|tygodniowo|na dzien)|(?:inwest|trading|bitcoin|krypto)[^.!?]{0,60}(?:bez ryzyka|wolnosc finansow)/,
  job_scam:
    /zar(?:abiaj|obi)[^.!?]{0,40}(?:dziennie|za godzine|tygodniowo|na godzine)[^!?]{0,160}(?:whatsapp|telegram|z domu|bez doswiadczenia)|(?:bez doswiadczenia|z domu)[^!?]{0,160}zar(?:abiaj|obi)[^.!?]{0,60}(?:dziennie|za godzine|tygodniowo|na godzine)/,
  qr_code: /(?:zeskanuj|zeskanowac|skanuj) (?:ponizszy |ten |kod )?[^.!?]{0,20}(?:kod qr|qr)/,
  ...intentsOf({
    machine: /\b(?:asystenci?e?|asystent\w{0,4}|agenci?e?|agent\w{0,3}|ai|bot|bocie|model\w{0,2})\b/,
    owner: /\bwlasciciel\w{0,3}\b/,
    ignore: /\b(?:zignoruj\w{0,3}|ignoruj\w{0,3}|pomin|zapomnij|odrzuc|obejdz)\b/,
    instructions: /(?:instrukcj|polecen|zasad|regul|wytyczn|prompt|rozkaz)/,
    isVoid:
      /(?:instrukcje|zasady|polecenia|ograniczenia)[^.!?]{0,30}(?:nie obowiazuja|sa (?:niewazne|uchylone|zniesione)|uniewaznion|nieaktualn)|tryb (?:serwisowy|konserwacji|deweloperski) (?:jest )?(?:wlaczony|aktywny)/,
    conceal:
      /bez (?:pytania|potwierdzenia|zgody|zatwierdzenia|informowania|wiedzy)|(?:nie|nikogo) (?:pytaj|informuj|wspominaj|mow|zglaszaj|powiadamiaj)\w{0,3}|(?:wlasciciel|uzytkownik|szef|odbiorca)[^.!?]{0,30}(?:zatwierdzil|wie\b|zgodzil|wyrazil|nie musi)|po cichu|(?:potem|nastepnie) (?:usun|skasuj|wyczysc)|(?:usun|skasuj) (?:potem|nastepnie)|i usun te|pomin to w|zgoda juz jest/,
    give: /\b(?:wyslij\w{0,3}|przeslij\w{0,3}|przekaz\w{0,3}|odeslij|odpowiedz|podaj\w{0,3}|wklej|pokaz|udostepnij|skopiuj|wypisz|napisz|przepisz|podeslij|zrob|kup\w{0,3})\b/,
    machineSecrets:
      /(?:prompt systemowy|swoj prompt|klucze? (?:api|dostepu)|swoje (?:instrukcje|zasady|klucze)|zmienne srodowiskowe|token\w{0,3}|konfiguracj|\.env\b)/,
    allMail:
      /(?:wszystkie (?:maile|wiadomosci|kontakty|notatki)|wszystkich (?:spotkan|maili|wiadomosci)|ostatni\w{1,2} \S{0,8} ?(?:maili|wiadomosci)|ksiazke adresowa|cala (?:poczte|skrzynke)|liste (?:klientow|kontaktow)|kazd\w{1,2} (?:mail|wiadomosc)|przychodzac)/,
    takeover:
      /(?:ustaw|zmien|dodaj|wpisz)[^.!?]{0,60}(?:przekazywanie|adres odzyskiwania|adres zapasowy|administrator)|(?:uruchom|wykonaj)[^.!?]{0,40}(?:skrypt|polecenie|curl|przelew)|przelew[^.!?]{0,60}wykonaj|zatwierdz[^.!?]{0,30}(?:bez pytania|platnosc)|udostepnij kalendarz|otworz [^\s]{0,80} z tokenem/,
    code: /\b(?:kod|kodu|cyfr|cyfry)\b/,
    isSent:
      /(?:(?:dostales|dostalas|dostaniesz|przyszedl|przyjdzie|otrzymasz|wyslalem|wyslalam|poszedl)|smsem|sms-em|na (?:twoj|twoim) (?:telefon|numer))/,
    seed: /(?:(?:12|24|dwanascie|dwadziescia cztery) (?:slow|slowa)|fraz\w{1,2} (?:odzyskiwania|seed))/,
    enter: /\b(?:wpisz|podaj|wprowadz|zaimportuj|przepisz)\b/,
    unprotect:
      /(?:wylacz|zatrzymaj)\w{0,3}[^.!?]{0,30}(?:antywirus|defender|zapor|ochron)|uruchom mimo to|zainstaluj mimo|wlacz (?:zawartosc|makra|edycje|edytowanie)|nieznanych zrodel/,
    oldAccount:
      /(?:stare|dotychczasowe|poprzednie) konto[^.!?]{0,50}(?:zablokowane|zamkniete|kontrol|audyt|nie)|konto[^.!?]{0,30}(?:kontrola|audyt)/,
    noCall:
      /(?:nie|prosze nie) (?:dzwon\w{0,3}|telefonuj\w{0,2})|telefon\w{0,5}[^.!?]{0,30}(?:nie dziala|nieczynn|niedostepn|nie odbieram|zepsut)|nie (?:moge|mozna) (?:rozmawiac|dzwonic|odebrac)|(?:odpis\w{1,3}|odpowiedz\w{0,3}|pisz\w{0,3})[^.!?]{0,16} (?:tylko|wylacznie|tutaj)|(?:tylko|wylacznie) (?:mailem|mailowo|na ten)|mikrofon/,
    pay: /\b(?:zaplac\w{0,3}|plat\w{1,6}|przelew\w{0,3}|przelej|faktur\w{1,2}|pieniadz\w{1,2}|kwot\w{1,2}|blik\w{0,2}|wplac\w{0,3}|wplat\w{1,2}|pozycz)\b/,
    wages: /\b(?:wynagrodzeni\w{1,3}|pensj\w{1,2}|wyplat\w{1,2})\b/,
    newAccount: /\b(?:nowe konto|nowy (?:rachunek|numer)|inne konto|zmienil\w{1,3} bank|nowego konta|innym koncie)/,
    channel:
      /(?:na|przez|w) (?:whatsapp\w{0,3}|telegram\w{0,3}|signal\w{0,3})|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /nie (?:mow|mowcie|dzwon|wspominaj|rozmawiaj|informuj)|miedzy nami|(?:bank|portal|serwis)[^.!?]{0,30}(?:blokuje|wolny|problem|zrozum)|poufn|nikomu|tylko (?:mailem|tutaj|tu)/,
    parent: /\b(?:mamo|mama|tato|tata|babciu|dziadku)\b/,
    newPhone:
      /(?:nowy (?:numer|telefon)|telefon[^.!?]{0,20}(?:zepsul|wpadl|zgubil|padl|rozbil)|zgubil\w{1,3} telefon|zmienil\w{1,3} numer)/,
    deadline: /(?:\d{1,3} godzin|termin|do (?:jutra|piatku|poniedzialku|godziny)|inaczej|w przeciwnym|jesli nie)/,
    orElse: /(?:opublik|upubliczn|kontakt|rodzin|wspolpracown|znajom|sasiad|zlych opinii|atak|policj|skasuje)/,
    task: /(?:lajk|polub|oceni|oceny|klika|recenz|obserw)\w{0,5}[^.!?]{0,30}(?:film|hotel|produkt|aplikacj|profil|ogloszen)?/,
    perDay: /(?:za|na|kazd\w{1,2}) (?:dzien|zadanie|godzine|tydzien|klikniecie)|dziennie|prowizj/,
    topUp: /(?:doladuj|wplac|depozyt|kolejny poziom|odblok|kaucj|zalicz)/,
    courier: /\b(?:kurier\w{0,3}|dostawca|kierowca|przewoznik)\b/,
    collects: /(?:odbier|odbior|przyjedzie|zabier)/,
    card: /(?:kart|bank|konto|odebrac pieniadze|odbierz srodki|blik)/,
    unseen:
      /klucz\w{1,2}[^.!?]{0,60}(?:poczt|kurier|wysl|agencj)|(?:za granica|za granice)[^.!?]{0,100}(?:pokaz|obejrz|klucz)|przed (?:ogladaniem|obejrzeniem)|nie moge pokazac/,
    home: /(?:mieszkani|pokoj|kawalerk|wynajem|najem|dom\b)/,
    deposit: /(?:kaucj|zalicz|zadat|depozyt|pierwszy miesiac|przelej|przelew)/,
    toll: /\b(?:mandat\w{0,2}|oplat\w{1,2} (?:drogow|za przejazd|parking)\w{0,4}|e-toll|autostrad\w{1,2}|viatoll)\b/,
    isOpen: /(?:nieoplac|zalegl|oplac|do zaplaty|dodatkow|wezwanie|uregul)/,
    safeAccount:
      /na (?:bezpieczne|zabezpieczone|techniczne|rezerwowe) konto|(?:srodki|pieniadze|oszczednosci)[^.!?]{0,30} w bezpieczne/,
    notYou: /(?:pobran|obciaz|odnow|subskrypc|zamowieni|anulow|zwrot|jesli to nie ty)/,
    call: /\b(?:zadzwon\w{0,3}|dzwon\w{0,3}|telefon\w{0,5}|kontakt\w{0,4})\b/,
    donation: /(?:darowizn|wesprzyj|zbiork|ofiar|powodz|sierot|uchodzc|trzesieni)/,
    giftCards: /(?:kart\w{1,2} podarunkow|karty? (?:steam|apple|google)|paysafe)/,
    threat:
      /pozalujesz|wiem,? gdzie mieszkasz|ogladaj sie za|nikt by za toba nie|(?:zabije|znajde|zniszcze) cie|jestes (?:smieciem|nikim|zerem)|zaplacisz za to/,
  }),
}
