/** Unwanted mail in Polish. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing, scam, spam } = templatesIn('pl')

export const polish: Template[] = [
  phishing('bank-mail', {
    from: 'brand {<brand>|<brand> {Bezpieczeństwo|Powiadomienia}}',
    brands: ['PKO BP', 'mBank', 'Santander', 'ING', 'Pekao', 'Bank Wiślany', 'BLIK'],
    subject:
      '{{Twoje konto|Dostęp do konta} {zostało|został} {zablokowane|ograniczony}|{Ważne|Uwaga}: {aktualizacja danych|weryfikacja konta}|{Podejrzana|Nowa} {transakcja|płatność} na {kwotę |}<amount>|<brand>: {masz nową wiadomość|potwierdź tożsamość}}',
    body: `
      {Szanowny Kliencie|Szanowni Państwo|Drogi Kliencie|Dzień dobry},
      {{{wykryliśmy|zauważyliśmy} {nietypową aktywność|próbę logowania z nowego urządzenia} na Twoim koncie{ w dniu <date>|}. {Ze względów bezpieczeństwa dostęp {został ograniczony|tymczasowo zablokowaliśmy}.|}|{w związku z|zgodnie z} {nową dyrektywą PSD2|wymogami prawa} {prosimy o|konieczna jest} {aktualizację|potwierdzenie} danych{ osobowych|}.|zlecono {przelew|płatność} na kwotę <amount> {do odbiorcy <client>|}. {Jeśli to nie Ty, {anuluj|odrzuć} transakcję.|}}}
      ? {Brak {weryfikacji|działania} {w ciągu <n 24-72> godzin|do <soon>} {spowoduje|oznacza} {blokadę|zamknięcie} {konta|karty}.|Zajmie to tylko kilka minut.}
      @ {{Zaloguj się|Potwierdź dane|Odblokuj konto|Anuluj {transakcję|przelew}}|Zweryfikuj {teraz|konto}|Przejdź do serwisu}
      {Z poważaniem|Pozdrawiamy},<br>{Zespół <brand>|<brand>|Dział bezpieczeństwa}
      ? % Wiadomość wygenerowana automatycznie, prosimy na nią nie odpowiadać.
    `,
  }),
  phishing('paczka-letter', {
    from: 'brand {<brand>|<brand> {Kurier|Dostawa}}',
    brands: ['InPost', 'Poczta Polska', 'DPD', 'DHL', 'Paczkovo'],
    subject:
      '{{Twoja p|P}aczka {czeka na {dopłatę|odbiór}|została {wstrzymana|zatrzymana}}|{Przesyłka|Paczka} <code>: {niedopłata|opłata celna} <fee>|{Nieudana|Ostatnia} próba {doręczenia|dostawy}|Potwierdź adres dostawy}',
    body: `
      {Dzień dobry|Witaj|Szanowny Kliencie},
      {{Twoja |}{przesyłka|paczka} {<code> |}{nie mogła zostać doręczona{, ponieważ {adres jest niekompletny|nikogo nie było}|}|{została|jest} wstrzymana {w sortowni|przez urząd celny} {z powodu {nieopłaconego cła|niedopłaty <fee>}|}}.|do {doręczenia|wydania} przesyłki wymagana jest {opłata|dopłata} {w wysokości |}<fee>.}
      * Numer przesyłki: <code>
      ? * Kwota: <fee>
      {Opłać|Ureguluj należność|Potwierdź adres} {w ciągu <n 24-48> godzin|do <soon>}{, w przeciwnym razie paczka {wróci|zostanie zwrócona} do nadawcy|}.
      @ {{Opłać|Śledź|Odbierz} {paczkę|przesyłkę}|Dopłać <fee>|{Potwierdź|Zmień} adres|Zaplanuj dostawę}
    `,
  }),
  phishing('urzad', {
    from: 'odd {<brand>|<brand> {Powiadomienie|Informacja}}',
    brands: ['Urząd Skarbowy', 'ZUS', 'ePUAP', 'Profil Zaufany', 'NFZ', 'PGE'],
    subject:
      '{{Zwrot podatku|Nadpłata}{: <amount>| oczekuje|}|{Zaległość|Nieopłacony mandat}{ <ref>|: <price>}|<brand>: {nowe pismo|zawiadomienie}|{Wezwanie do zapłaty|Odłączenie prądu} {<ref>|<soon>}}',
    body: `
      {Szanowni Państwo|Szanowny Podatniku|Dzień dobry},
      {{po {ostatnim rozliczeniu|weryfikacji zeznania} {przysługuje|należy się} Panu/Pani zwrot {w wysokości |}<amount>.|informujemy o {zaległości|nieopłaconym mandacie} {na kwotę |}<price>. {Brak wpłaty do <soon> {skutkuje|grozi} {egzekucją|odłączeniem energii}.|}|na Państwa koncie {znajduje się|czeka} {nowe pismo|decyzja} o numerze <ref>{, ważne do <soon>|}.|przysługuje {dodatek|świadczenie} {<round>|energetyczny}: {złóż wniosek|potwierdź dane}.}}
      @ {{Odbierz|Zobacz} {zwrot|pismo|decyzję}|Opłać {mandat|zaległość}|Złóż wniosek|Zaloguj przez bank}
      {Z poważaniem|Z wyrazami szacunku},<br>{<brand>|Naczelnik <last>}
    `,
  }),
  phishing('poczta-faktura', {
    from: 'own {Administrator|Pomoc IT|Poczta <domain>|<name>}',
    attach: '{Faktura_<n 100-9999>.html|FV-<n 100-999>.zip|Potwierdzenie.pdf.html|Zamowienie.htm}',
    subject:
      '{Twoja skrzynka {jest pełna|zostanie zablokowana}|Hasło {wygasa {dziś|jutro}|do <user> wygasło}|{Faktura|FV} <ref>{ do zapłaty|}|<n 2-9> wiadomości {zatrzymanych|oczekuje}|{Potwierdzenie przelewu|Zamówienie} <ref>}',
    body: `
      {Dzień dobry|Witaj <local>|Szanowny użytkowniku},
      {{Twoja |}skrzynka {<user> |}{przekroczyła|osiągnęła} {limit|<n 95-99>% pojemności}{ i nie będzie odbierać wiadomości|}.|hasło do {poczty|<user>} wygasa {dziś|<soon>}.|<n 2-9> wiadomości {nie zostało dostarczonych|zatrzymano na serwerze}{ z powodu błędu synchronizacji|}.|w załączeniu {przesyłam|faktura <ref>|potwierdzenie przelewu} {na kwotę <amount>|}. {Proszę o {pilną |}{wpłatę|weryfikację}.|Plik otworzą Państwo po zalogowaniu.}}
      {Kliknij poniżej|Zaloguj się|Zweryfikuj konto}, aby {{zwiększyć|odzyskać} {miejsce|limit}|zachować {obecne |}hasło|{odebrać|zwolnić} wiadomości|uniknąć blokady|zobaczyć dokument}.
      @ {Zwiększ limit|Zachowaj hasło|Odbierz wiadomości|Zobacz {fakturę|dokument}|Zweryfikuj}
      {Pozdrawiam|Z poważaniem},<br>{<name>|Dział IT|Administrator <domain>}
    `,
  }),
  phishing('sprzedaz-olx', {
    from: 'brand <brand>',
    brands: ['OLX', 'Allegro', 'Vinted', 'Netflix', 'Facebook', 'Sprzedajko'],
    looks: ['plain', 'letter', 'card'],
    subject:
      '{{Twój przedmiot|Produkt} został {opłacony|kupiony}|{Odbierz|Otrzymano} płatność <price>|{Problem z|Odrzucona} płatność{| za abonament}|Konto zostanie {zawieszone|usunięte}}',
    body: `
      {Cześć|Witaj|Dzień dobry}{ <to>|},
      {kupujący {opłacił|zapłacił za} {Twój przedmiot|ogłoszenie}: <price>. {Aby {odebrać|otrzymać} pieniądze, {podaj|wpisz} {dane karty|numer karty}.|}|nie udało się pobrać {opłaty|płatności} {<price> |}za {abonament|konto}. {Zaktualizuj {kartę|metodę płatności}.|}|Twoje konto {narusza regulamin|zostało zgłoszone} i zostanie {zawieszone|usunięte} {w ciągu 24 godzin|<soon>}. {Możesz się odwołać.|}}
      @ {{Odbierz|Otrzymaj} {środki|pieniądze}|Zaktualizuj {płatność|dane}|{Odwołaj się|Potwierdź konto}}
      Zespół <brand>
    `,
  }),
  scam('spadek-pozyczka', {
    from: 'free {{Pani|Pan|Mecenas} <name>|<name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{{Darowizna|Spadek}{ <million>|}|{Drogi|Witaj} {przyjacielu|beneficjencie}|{Propozycja|Poufna wiadomość|Pilne}|{Pożyczka|Kredyt} {prywatna|bez BIK|3%}|{Zarabiaj|Zarób} <round> {tygodniowo|dziennie}}',
    body: `
      {Witaj|Drogi przyjacielu|Szanowni Państwo|Pozdrowienia},
      {{jestem|nazywam się} {pani |adwokat |}<name>. {{Choruję|Jestem chora} na raka {i zostało mi mało czasu|}, {chcę|pragnę} przekazać <million> {na cele charytatywne przez Ciebie|Tobie}.|Mój {zmarły |}klient o tym samym nazwisku zostawił <million> {bez spadkobierców|w banku}.|W {banku|<bank>} odkryłem {uśpione|porzucone} konto z kwotą <million>.}|{udzielam|oferujemy} pożyczek {od 5 000 do <million>|bez BIK} {na|z oprocentowaniem} {2|3}%{, bez zaświadczeń|}.|{zarabiaj|możesz zarabiać} {nawet |}<round> {dziennie|tygodniowo} {na kryptowalutach|z naszą platformą}: {wystarczy|wpłać tylko} 1000 zł{, zysk gwarantowany|}.|Twój adres {wygrał|wylosowano w} {loterii: |}<million>.}
      ? {{Otrzymasz|Dostaniesz} {30|40}% {kwoty|za pomoc}.|To {w 100% |}{legalne|bezpieczne} i poufne.|Niech Bóg błogosławi.}
      {Odpowiedz na|Napisz do mnie:|Kontakt:} <mail>{, podaj {imię, adres i telefon|dane}|}.
      {Z poważaniem|Pozdrawiam},<br><name>
    `,
  }),
  scam('prezes-szantaz', {
    from: 'free {<toname>|<name>|Prezes <last>}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Pilne|Prośba|Ważne}|{Cześć|Witaj}{ <to>|}|Przelew {na dziś|pilny}|{Zmiana|Nowy} numer{u|} konta|{Twoje urządzenie|Konto} {zostało |}{zhakowane|zainfekowane}|Jesteś {w biurze|dostępny}?}',
    body: `
      {Cześć|Dzień dobry|Witam}{ <to>|},
      {{jesteś|czy jesteś} {w biurze|dostępny}? {Potrzebuję {pilnego przelewu|przelać} <sum> {do nowego kontrahenta|jeszcze dziś}.|Mam dla Ciebie zadanie, jestem na spotkaniu, {pisz|odpisz} mailem.}|{kup|potrzebuję} <n 3-9> kart {podarunkowych |}{Apple|Google Play|Steam} po {200|500} zł i {przyślij|wyślij} {zdjęcia |}{kodów|kody}.|informujemy o zmianie numeru rachunku. {Prosimy {opłacić fakturę <ref>|kierować płatności} na nowe konto{ w <bank>|}.|}|zmieniłem bank, {proszę o zmianę|jak zmienić} {numeru |numer }konta do {wypłaty|wynagrodzenia}?|{włamałem się|mam dostęp} do {Twojego komputera|Twoich urządzeń} i {nagrałem Cię|mam film}, {gdy|jak} oglądasz strony dla dorosłych. {Wyślij|Wpłać} <round> w bitcoinach na <wallet> w ciągu 48 godzin{, inaczej {zobaczą to|wyślę do} wszystkich Twoich kontaktów|}.}
      ? {To {poufne|poufna sprawa}.|Daj znać, {jak zrobisz|gdy będzie gotowe}.|Nie idź na policję.}
      ? {Pozdrawiam|Dzięki},<br><first>
    `,
  }),
  spam('nagroda', {
    from: 'odd {<brand>|{Nagrody|Oferta} {dnia|Online}|<name>}',
    brands: ['Biedronka', 'Lidl', 'Rossmann', 'Żabka', 'Kasyno Złota Gwiazda'],
    looks: ['plain', 'letter', 'card', 'image'],
    subject:
      '{{Gratulacje|Wygrałeś}{, <local>|}!|{Zostałeś|Jesteś} {wybrany|szczęśliwcem}|{Twój|Odbierz} {bon <round>|prezent}|<n 50-200> darmowych spinów|{Schudnij|Minus} <n 5-20> kg|{^Viagra^|Potencja} bez recepty|{Fotowoltaika|Pompa ciepła}: {dotacja|oferta}}',
    body: `
      # {Gratulacje!|Tylko dziś|Zostałeś wybrany}
      {{Odpowiedz na <n 3-9> pytań|Weź udział w {krótkiej |}ankiecie} i {odbierz|wygraj} {iPhone\'a|air fryer|bon {<brand> |}na <round>}.|{Zarejestruj się|Zagraj} {dziś|teraz}: {bonus do <round>|<n 50-200> spinów} {bez depozytu|dla nowych graczy}.|{Schudnij|Zrzuć} <n 5-20> kg {bez diety|w <n 2-6> tygodni} dzięki {tej metodzie|jednej kapsułce dziennie}.|^Viagra^ i ^Cialis^ {bez recepty|od <n 3-9> zł}, dyskretna wysyłka.|{Oszczędź|Obniż rachunki} do <n 40-90>% {dzięki fotowoltaice|z dotacją}: {bezpłatna wycena|sprawdź}.}
      ? {Zostało tylko <n 2-19>!|Oferta ważna do <soon>.}
      @ {{Odbierz|Zagraj|Zamów|Sprawdź} {teraz|już dziś}|Zobacz ofertę|Odbieram}
      % <a Wypisz się>
    `,
  }),
  spam('pozycjonowanie', {
    from: 'free {<name>|<name> - Marketing}',
    looks: ['plain'],
    subject:
      '{{Pozycjonowanie|Pierwsza strona Google}{ dla <domain>|}|Baza {firm|e-maili} <year>|{Strona www|Sklep internetowy} {od|za} <price>|Artykuł sponsorowany na <domain>|{Kredyt|Finansowanie} dla firm}',
    body: `
      {Dzień dobry|Witam|Szanowni Państwo},
      {{przejrzałem|odwiedziłam} stronę <domain> i {zauważyłem|widzę} {błędy SEO|że jest słabo widoczna}. {Zapewnimy TOP10 w <n 30-90> dni.|}|{sprzedajemy|oferujemy} bazę <n 100-900> tys. {firm|adresów e-mail} {z podziałem na branże |}za <price>.|{tworzymy|wykonujemy} {strony|sklepy|aplikacje} od <price>{, realizacja w tydzień|}.|{czy publikują Państwo|interesuje nas publikacja} {artykuły sponsorowane|artykułu z linkiem dofollow} na <domain>? {Jaki koszt?|}|finansowanie dla firm do <million>{ bez zabezpieczeń|}, decyzja w 24 godziny.}
      ? {Czy mogę {przesłać ofertę|wysłać cennik}?|W tym tygodniu rabat <n 20-50>%.}
      {Pozdrawiam|Z poważaniem},<br><name>
      ? % Aby się wypisać, proszę odpisać NIE.
    `,
  }),
]
