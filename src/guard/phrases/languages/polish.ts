/** Suspicious phrases in Polish. */
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
}
