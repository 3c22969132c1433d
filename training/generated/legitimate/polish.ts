/** Wanted mail in Polish. */
import { mails } from './mails.js'

export const polish = mails(`
### order/pl/confirmed html
From: {company} <[zamowienia|sklep|kontakt]@{host}>
Subject: [=Potwierdzenie zamówienia {order}|Twoje zamówienie {order} zostało wysłane|Dziękujemy za zakupy!]

Dzień dobry,

[=dziękujemy za złożenie zamówienia. Już je kompletujemy.|Twoja paczka opuściła dziś magazyn i powinna dotrzeć do {dateSoon}.|otrzymaliśmy Twoje zamówienie i wpłatę.]

| Numer zamówienia | {order}
| Produkt | {product}
| Do zapłaty | {amount:15-200}

=> [Zobacz zamówienie|Śledź przesyłkę] -> https://{host}/konto/zamowienia/{token}

? [Masz {14-30} dni na zwrot bez podania przyczyny.|Numer przesyłki: {tracking}]

~ {legal}

### order/pl/pickup
From: {company} <[powiadomienia|paczki]@{host}>
Org: Paczka24h @ paczka24h.example;Kurier Jaskółka @ kurierjaskolka.example;Punkt Pod Lipą @ punktpodlipa.pl
Subject: [=[Paczka czeka na odbiór|Odbierz paczkę w ciągu 48 godzin]|Kurier przyjedzie dzisiaj|Przesyłka {tracking} doręczona]

[Dzień dobry,|Cześć,]

[=Twoja paczka od {otherCompany} czeka w punkcie {street} {2-90}. Kod odbioru: {pin}.|kurier doręczy dziś Twoją paczkę między {9-11}:00 a {13-16}:00.|przesyłka {tracking} została doręczona o {time}.]

[Masz 48 godzin na odbiór.|Paczka jest opłacona, nic nie trzeba dopłacać.] [Szczegóły: https://{host}/sledz/{tracking}|Nie odpowiadaj na tę wiadomość.]

{company}

### billing/pl/invoice html mixed
From: {company} <[faktury|ksiegowosc]@{host}>
Subject: [=Faktura {invoice}|Przypomnienie o płatności - faktura {invoice}|Nieudana płatność za abonament]
Attach: Faktura_{invoice}.pdf

{dear}

[=w załączeniu przesyłamy fakturę nr {invoice} na kwotę {amount:20-900}.|termin płatności faktury {invoice} minął {dayBefore}. Prosimy o wpłatę do {dateSoon}.|nie udało się pobrać {amount:9-60} z karty o końcówce {card}. Ponowimy próbę {dateSoon}.]

[Jeśli płatność została już zrealizowana, prosimy zignorować tę wiadomość.|Numer konta: {iban}.] [Wszystkie faktury są w <<panelu klienta -> https://{host}/panel/faktury>>.|W razie pytań: {dial}.]

{bye}
{company}, księgowość

### account/pl/security own html mixed
From: {company} <[bezpieczenstwo|noreply|konto]@{host}>
Subject: [=Zmiana hasła|Twój kod logowania: {code}|Nowe logowanie na Twoje konto|Potwierdź adres e-mail]

Cześć,

[=otrzymaliśmy prośbę o zmianę hasła. Link jest ważny {1-24} godz.: <<ustaw nowe hasło -> https://{host}/haslo/{token}>>|Twój kod to {code}. Jest ważny {5-15} minut. Nikomu go nie podawaj.|ktoś zalogował się na Twoje konto z nowego urządzenia ([iPhone|Chrome, Windows], {city}), {date}, godz. {time}.|jeszcze jeden krok: <<potwierdź adres -> https://{host}/potwierdz/{token}>>.]

[Jeśli to nie Ty, zignoruj tę wiadomość.|Jeśli to Ty, nie musisz nic robić. W przeciwnym razie zmień hasło w ustawieniach.]

Zespół {company}

### bank/pl/notice own
From: {company} <[powiadomienia|obsluga]@{host}>
Org: Bank Dębowy @ bankdebowy.example;Ubezpieczenia Brzoza @ ubezpieczeniabrzoza.example;Kasa Wisłok @ kasawislok.example
Subject: [Wyciąg za {month} jest gotowy|Nowy dokument w serwisie|Odnowienie polisy|Zmiana regulaminu od {dateLater}]

{dear}

[wyciąg za {month} jest już dostępny w bankowości internetowej.|polisa wygasa {dateLater}. Składka na kolejny rok wynosi {amount:100-500}.|od {dateLater} zmienia się regulamin; dokumenty znajdują się w skrzynce po zalogowaniu.] [Prosimy logować się jak zwykle, wpisując adres w przeglądarce.|Nigdy nie prosimy o hasło ani kody SMS.]

{bye}
{company}, infolinia {dial}

### appointment/pl/reminder
From: {company} <[rejestracja|wizyty|rezerwacje]@{host}>
Org: Stomatologia Mazur @ stomatologiamazur.example;Gabinet Dr Pawlak @ gabinetpawlak.example;Pensjonat Pod Świerkiem @ podswierkiem.example;Salon Loczek @ salonloczek.pl
Subject: [Przypomnienie o wizycie {dateSoon}|Wizyta: {weekday}, {time}|Potwierdzenie rezerwacji {booking}]

Dzień dobry,

[przypominamy o wizycie {dateSoon} o godz. {time}.|rezerwacja dla {2-6} osób na {dateSoon} jest potwierdzona.] [Prosimy zabrać dokument tożsamości i listę przyjmowanych leków.|Doba zaczyna się o {14-16}:00.|]

[W razie rezygnacji prosimy o telefon dzień wcześniej: {dial}.|Odwołanie wizyty: https://{host}/w/{token}]

{company}
{street} {1-90}, {city}

### support/pl/exchange client
From: {me} - {company} <[pomoc|wsparcie|reklamacje]@{host}>
Subject: [Re|Odp]: [zamówienie {order}|błąd eksportu|reklamacja|zwrot pieniędzy|{ticket}]

{dear}

[dziękuję za cierpliwość.|przepraszamy za kłopot i dziękujemy za zgłoszenie.|ma {y:Pan/Pani} rację, powinniśmy byli odpisać wcześniej.] [Błąd powodowała pusta data w wierszu {20-900}; w wersji {version} jest to naprawione.|Zwróciliśmy {amount:12-90}, środki pojawią się w ciągu {2-7} dni.|Część zamienną wyślemy jutro, starej nie trzeba odsyłać.]

[Proszę o informację, czy teraz działa.|W razie pytań proszę pisać.]

{bye}
{meFull}

### work/pl/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=[Spotkanie w przyszłym tygodniu|Termin rozmowy]|Zmiana terminu|Oferta {invoice}|Notatka ze spotkania {date}|CV - {job}]
To: 1-5
Attach: [=||Oferta_{invoice}.pdf||CV_{meFamily}.pdf]

{hi}

[=czy pasuje Ci {weekday}, {time}, żeby omówić {otherCompany}?|niestety muszę przełożyć spotkanie na {dateSoon}. Może być ta sama godzina?|przesyłam ofertę: {amount:900-9000} netto, ważna do {dateLater}.|podsumowanie wczorajszego spotkania poniżej, dopiszcie, jeśli czegoś brakuje.|w odpowiedzi na ogłoszenie przesyłam CV. Od {3-12} lat pracuję w {otherCompany}.]

? - [{ann} dzwoni do dostawcy do końca tygodnia|budżet do ustalenia]
- [{bob} przygotuje prezentację|następne spotkanie: {dateSoon}]

{bye}
{me}

### agent/pl/request
From: Asystent: {meFull} <{meLocal}@{host}>
Org: Skrytka Dziewięć @ agenci.skrytka9.example;Deskmate @ deskmate.app
Subject: [Zapytanie o dostępność|Zapytanie ofertowe do {dateSoon}|Rezygnacja z abonamentu {10000-99999}|Wniosek o dostęp do danych (RODO)|Raport: zadanie wykonane]

Dzień dobry,

[jestem asystentem AI i piszę w imieniu klienta ({meFull}).|piszę z upoważnienia: {meFull}.]

1. [Czy produkt "{product}" jest dostępny i ile kosztuje dostawa do miasta {city}?|Czy jest wolny termin {dateSoon} około {time}?]
2. [Proszę o cenę brutto.|Proszę o pisemne potwierdzenie rezygnacji.|Proszę o kopię przetwarzanych danych.]

[Wystarczy krótka odpowiedź.|Decyzja zapadnie do {dateLater}.]

Z poważaniem
w imieniu: {meFull}

### private/pl/family casual client
Subject: [niedziela|urodziny mamy|zdjęcia|co u was?|kasa za domek|Re: wieczorem]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[dzięki za super weekend, dzieciaki dalej opowiadają o łódce.|dawno się nie odzywaliście, wszystko w porządku?|na prezent dla mamy po {amount:15-40} od osoby, ok?|ok, {weekday}, {time}.] [Tata ma brać pół tabletki rano i całą wieczorem, zapisz sobie.|Trafiliśmy trójkę w totka, starczy na lody.|Oddam Ci {amount:10-60} za bilety jutro przelewem.|{g:Kupiłem/Kupiłam} już bilety na pociąg, {g:byłbym/byłabym} u was koło {time}.]

? [Wpadniecie w niedzielę na obiad?|Zadzwoń po {time}.]

{cheers}
{me}

### news/pl/shop html bulk
From: {company} <[newsletter|nowosci|czesc]@{host}>
Subject: [-{10-40}% do niedzieli|Nowości na {month}|Ostatnie godziny wyprzedaży|Mamy coś dla Ciebie|Zaproszenie: {dateLater}]

# [Wyprzedaż wystartowała|Nowości|Dziękujemy, że jesteś z nami]

[Do {dateSoon} z kodem DZIEKI{5-30} kupisz wszystko {10-40}% taniej.|Nowa kolekcja już w sklepie.|{dateLater} o {time} otwieramy pracownię dla gości.] [Darmowa dostawa od {amount:25-60}.|]

=> [Sprawdź|Kupuję|Zapisz się] -> https://{host}/[promocje|nowosci|wydarzenia]

~ {unsubscribe}
~ {legal}

### news/pl/club bulk
From: {company} <[sekretariat|biuro]@{host}>
Org: Klub Wioślarski Wisłok @ wioslawislok.example;Szkoła Podstawowa nr 4 @ sp4.example;Fundacja Ciepły Dom @ cieplydom.example
Subject: [Ogłoszenia na ten tydzień|Walne zebranie {dateLater}|Dziękujemy za wsparcie|Biuletyn nr {20-200}]
To: 15-150

[Drodzy Państwo,|Szanowni Rodzice,|Drodzy Klubowicze,]

[walne zebranie odbędzie się {dateLater} o {time}.|dzięki Wam w tym miesiącu wydaliśmy {100-900} posiłków.|trening w tym tygodniu odwołany z powodu remontu hali.] [Składka {amount:15-60} płatna do końca miesiąca na konto {iban}.|Szukamy {3-9} wolontariuszy na festyn.]

{bye}
{meFull}

[Wypisz się: https://{host}/wypisz/{token}|Aby zrezygnować, odpowiedz na tę wiadomość.]

### private/pl/short casual
Subject: Re: [dziś wieczorem|klucze|jutro|pociąg|obiad]

[ok|dobra|super|jasne|tak|spoko|pasuje|zrobione|pewnie][, dzięki|!|] [do zobaczenia o {time}|spóźnię się {5-25} min|zadzwonię później|klucze są u sąsiadów|buziaki|kocham|weź chleb|jestem już w domu|będę koło {time}]
`)
