/** Wanted mail in Russian, Turkish, Swedish and Czech. */
import { mails } from './mails.js'

export const moreEurope = mails(`
### order/ru/order html
From: {company} <[zakaz|shop|info]@{host}>
Subject: [=Заказ {order} принят|Ваш заказ {order} отправлен|Заказ готов к выдаче]

{dear}

[=Спасибо за заказ! Мы уже собираем его.|Ваш заказ передан в службу доставки и придёт примерно {dateSoon}.|Ваш заказ ждёт вас в пункте выдачи: {street}, {2-90}. Код получения: {pin}.]

| Заказ | {order}
| Товар | {product}
| Сумма | {amount:15-200}

=> [Посмотреть заказ|Отследить доставку] -> https://{host}/order/{token}

? [Вернуть товар можно в течение 14 дней.|Срок хранения - {5-10} дней.]

~ {legal}

### account/ru/security own html mixed
From: {company} <[noreply|security]@{host}>
Subject: [=Восстановление пароля|Ваш код: {code}|Новый вход в аккаунт|Подтвердите адрес почты]

Здравствуйте!

[=Вы запросили смену пароля. Ссылка действует {1-24} ч.: <<задать новый пароль -> https://{host}/reset/{token}>>|Ваш код для входа: {code}. Никому его не сообщайте.|В ваш аккаунт вошли с нового устройства ([iPhone|Chrome, Windows], {city}) {date} в {time}.|Осталось подтвердить адрес: <<подтвердить -> https://{host}/confirm/{token}>>]

[Если это были не вы, просто проигнорируйте письмо.|Если это были вы, ничего делать не нужно.]

Команда {company}

### work/ru/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=[Встреча {dateSoon}|Созвон]|Счёт {invoice}|Перенос созвона|Re: договор|Напоминание об оплате]
To: 1-5
Attach: [=|Счёт_{invoice}.pdf||Договор_v{2-4}.docx|]

{dear}

[=удобно ли вам созвониться {dateSoon} в {time}, чтобы обсудить проект?|во вложении счёт на {amount:90-2000} за {month}. Срок оплаты - {dateLater}.|к сожалению, придётся перенести встречу на {dateSoon}, то же время.|{g:отправил/отправила} вам договор с правками к пункту {2-9}, посмотрите, пожалуйста.|напоминаю, что счёт от {dayBefore} пока не оплачен; если деньги уже ушли, не обращайте внимания.]

? - [{ann} уточнит сроки у поставщика|бюджет обсудим отдельно]
- [{bob} готовит презентацию|следующая встреча {dateSoon}]

{bye}
{meFull}

### agent/ru/request
From: Ассистент ({meFull}) <{meLocal}@agents.pochta9.example>
Subject: [Запрос от имени клиента|Есть ли в наличии?|Отказ от подписки {10000-99999}|Отчёт: задача выполнена]

Здравствуйте!

[Я цифровой ассистент, пишу по поручению ({meFull}).|Пишу по поручению клиента.]

1. [Есть ли в наличии {product}? Сколько стоит доставка в город {city}?|Есть ли свободное время {dateSoon} около {time}?]
2. [Просим указать цену с НДС.|Просим подтвердить письменно.]

[Достаточно короткого ответа.|Решение будет принято до {dateLater}.]

### private/ru/family casual client
Subject: [выходные|день рождения мамы|фото|как дела?|деньги за дачу|Re: вечером]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[спасибо за выходные, дети до сих пор вспоминают лодку.|давно вас не слышно, всё в порядке?|на подарок маме скидываемся по {amount:15-40}, хорошо?|ок, тогда {weekday} в {time}.] [Папе прописали полтаблетки утром и одну вечером.|Я {g:выиграл/выиграла} в лотерею {amount:3-20}, с меня кофе :)|Верну {amount:10-60} за билеты завтра, переводом.|{bob} нашёл новую работу в городе {city}.]

? [Приезжайте в воскресенье на обед.|Позвони после {time}.]

{cheers}
{me}

### news/ru/shop html bulk
From: {company} <[news|hello]@{host}>
Subject: [Скидки до {10-40}% до воскресенья|Новинки: {month}|Последний день распродажи|Приглашаем {dateLater}]

# [Распродажа началась|Новинки]

[До {dateSoon} скидка {10-40}% на всё по промокоду SPASIBO{5-30}.|Новая коллекция уже в магазине.|{dateLater} в {time} ждём вас на дне открытых дверей.] [Бесплатная доставка от {amount:25-60}.|]

=> [Смотреть|Выбрать|Зарегистрироваться] -> https://{host}/[sale|new|event]

~ {unsubscribe}
~ {legal}

### order/tr/order html
From: {company} <[siparis|bilgi|destek]@{host}>
Subject: [=Siparişiniz alındı: {order}|Siparişiniz kargoya verildi|Teslim edildi: {order}]

{dear}

[=Siparişiniz için teşekkür ederiz, hazırlamaya başladık.|Siparişiniz bugün kargoya verildi, {dateSoon} tarihine kadar elinizde olur.|Siparişiniz saat {time} itibarıyla teslim edildi.]

| Sipariş no | {order}
| Ürün | {product}
| Toplam | {amount:15-200}

=> [Siparişi görüntüle|Kargom nerede?] -> https://{host}/siparis/{token}

? [14 gün içinde ücretsiz iade edebilirsiniz.|Takip numarası: {tracking}]

~ {legal}

### account/tr/security own html mixed
From: {company} <[guvenlik|noreply]@{host}>
Subject: [=Şifre sıfırlama|Giriş kodunuz: {code}|Yeni cihazdan giriş|E-posta adresinizi onaylayın]

Merhaba {you},

[=şifrenizi sıfırlamak istediniz. Bağlantı {1-24} saat geçerlidir: <<yeni şifre belirle -> https://{host}/sifre/{token}>>|giriş kodunuz {code}. Kodu kimseyle paylaşmayın.|hesabınıza {date} saat {time} civarında yeni bir cihazdan ({city}) giriş yapıldı.|kaydınızı tamamlamak için adresinizi onaylayın: <<onayla -> https://{host}/onay/{token}>>]

[Bu işlemi siz yapmadıysanız bu mesajı dikkate almayın.|Siz yaptıysanız bir şey yapmanıza gerek yok.]

{company}

### work/tr/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=Toplantı - {weekday}|Teklif {invoice}|Fatura {invoice} hatırlatma|Toplantı notları|Stok ve kargo sorusu]
Attach: [=|Teklif_{invoice}.pdf|||]

{dear}

[={dateSoon} günü saat {time} için toplantı uygun mudur?|ekte {amount:900-9000} tutarındaki teklifimizi bulabilirsiniz, {dateLater} tarihine kadar geçerlidir.|{dayBefore} vadeli faturamızın ödemesi henüz görünmüyor; ödediyseniz lütfen bu mesajı dikkate almayın.|dünkü toplantının notları aşağıda.|{meFull} adına yazıyorum (dijital asistan): {product} stokta var mı, {city} için kargo ne kadar?]

? - [{ann} tedarikçiyle görüşecek|bütçe konusu açık]
- [{bob} sunumu hazırlıyor|bir sonraki toplantı {dateSoon}]

{bye}
{meFull}

### private/tr/family casual client
Subject: [pazar günü|annemin doğum günü|fotoğraflar|nasılsınız?|Re: akşam]

{hi}

[hafta sonu için çok teşekkürler, çocuklar bayıldı.|uzun zamandır haber yok, iyi misiniz?|annemin hediyesi için kişi başı {amount:10-30} topluyoruz.|tamam, {weekday} saat {time}.] [Babam ilacı sabah yarım, akşam bir tane alacak, unutmayın.|Piyangodan {amount:3-20} çıktı, kahveler benden.|Bilet parasını yarın havale ederim.|{bob} yeni işe başladı.]

? [Pazar günü yemeğe gelin.|{time} gibi ararım.]

{cheers}
{me}

### news/tr/shop html bulk
From: {company} <[bulten|merhaba]@{host}>
Subject: [Pazar gününe kadar %{10-40} indirim|Yeni sezon geldi|Son saatler!|Davetlisiniz: {dateLater}]

# [İndirim başladı|Yenilikler]

[{dateSoon} tarihine kadar TESEKKUR{5-30} koduyla tüm ürünlerde %{10-40} indirim.|Yeni koleksiyonumuz mağazada.|{dateLater} saat {time} atölyemizin kapıları size açık.] [{amount:20-50} üzeri kargo ücretsiz.|]

=> [Alışverişe başla|Keşfet|Katıl] -> https://{host}/[indirim|yeni|etkinlik]

~ {unsubscribe}

### order/sv/order html
From: {company} <[order|kundtjanst|info]@{host}>
Subject: [=Tack för din beställning {order}|Din order har skickats|Ditt paket finns att hämta]

{hi}

[=tack för din beställning! Vi packar den så snart vi kan.|ditt paket är på väg och kommer fram omkring {dateSoon}.|ditt paket finns att hämta på {street} {2-60}. Ta med legitimation, kod {pin}.]

| Ordernummer | {order}
| Vara | {product}
| Summa | {amount:15-200}

=> [Visa order|Spåra paketet] -> https://{host}/order/{token}

? [Du har 14 dagars ångerrätt.|Frågor? Svara på det här mejlet.]

~ {legal}

### account/sv/security own html mixed
From: {company} <[sakerhet|noreply|konto]@{host}>
Subject: [=Återställ ditt lösenord|Din kod är {code}|Ny inloggning|Bekräfta din e-postadress]

Hej {you},

[=du har bett om ett nytt lösenord. Länken gäller i {1-24} timmar: <<välj nytt lösenord -> https://{host}/losenord/{token}>>|din kod är {code}. Den gäller i {5-15} minuter. Lämna inte ut den till någon.|någon loggade in på ditt konto från en ny enhet ({city}) {date} kl. {time}.|bekräfta din adress så är du klar: <<bekräfta -> https://{host}/bekrafta/{token}>>]

[Var det inte du? Då kan du strunta i det här mejlet.|Var det du behöver du inte göra något.]

{company}

### work/sv/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=Möte {dateSoon}|Offert {invoice}|Påminnelse: faktura {invoice}|Anteckningar från mötet|Förfrågan för {annFull}]
Attach: [=|Offert-{invoice}.pdf|||]

{dear}

[=har du tid {dateSoon} kl. {time} för att gå igenom projektet?|bifogat finner du vår offert på {amount:900-9000} exkl. moms, giltig till {dateLater}.|vi har inte sett någon betalning för fakturan som förföll {dayBefore}. Har du redan betalat kan du bortse från detta.|här kommer anteckningarna från igår.|jag är digital assistent åt {annFull} och undrar om {product} finns i lager och vad frakten till {city} kostar.]

? - [{ann} ringer leverantören|budgeten är inte klar]
- [{bob} gör presentationen|nästa möte {dateSoon}]

{bye}
{meFull}

### private/sv/family casual client
Subject: [söndag|mammas födelsedag|bilder|allt bra?|Re: ikväll|pengar för stugan]

{hi}

[tack för i helgen, barnen pratar fortfarande om båten!|det var länge sen, allt bra med er?|till mammas present tänkte jag {amount:10-40} var.|okej, {weekday} kl. {time}.] [Pappa ska ta en halv tablett på morgonen och en på kvällen.|Vi vann {amount:3-20} på lotto, så jag bjuder på fika.|Jag swishar dig för biljetterna imorgon.|{bob} har fått nytt jobb i {city}.]

? [Kommer ni på middag på söndag?|Ring efter {time}.]

{cheers}
{me}

### news/sv/shop html bulk
From: {company} <[nyhetsbrev|hej]@{host}>
Subject: [{10-40}% rabatt till söndag|Nytt i {month}|Sista chansen|Välkommen den {dateLater}|Inbjudan till årsmöte]

# [Rean har börjat|Nyheter]

[Till och med {dateSoon} får du {10-40}% på allt med koden TACK{5-30}.|Vårens nyheter har kommit.|Den {dateLater} kl. {time} är det öppet hus hos oss.] [Fri frakt över {amount:25-60}.|]

=> [Handla nu|Se mer|Anmäl dig] -> https://{host}/[rea|nytt|event]

~ {unsubscribe}

### order/cs/order html
From: {company} <[objednavky|info|obchod]@{host}>
Subject: [=Potvrzení objednávky {order}|Vaše objednávka je na cestě|Zásilka je připravena k vyzvednutí]

{dear}

[=děkujeme za objednávku, už ji balíme.|vaši zásilku jsme dnes předali dopravci, dorazí zhruba {dateSoon}.|zásilka na vás čeká na adrese {street} {2-90}, {city}. Kód pro vyzvednutí: {pin}.]

| Objednávka | {order}
| Zboží | {product}
| Celkem | {amount:15-200}

=> [Zobrazit objednávku|Sledovat zásilku] -> https://{host}/objednavka/{token}

? [Zboží můžete do 14 dnů vrátit.|Dotazy? Odpovězte na tento e-mail.]

~ {legal}

### account/cs/security own html mixed
From: {company} <[bezpecnost|noreply|ucet]@{host}>
Subject: [=Obnovení hesla|Váš kód: {code}|Nové přihlášení k účtu|Potvrďte svůj e-mail]

Dobrý den,

[=požádali jste o nové heslo. Odkaz platí {1-24} hodin: <<nastavit heslo -> https://{host}/heslo/{token}>>|váš přihlašovací kód je {code}. Nikomu ho nesdělujte.|k vašemu účtu se {date} v {time} někdo přihlásil z nového zařízení ({city}).|zbývá potvrdit adresu: <<potvrdit -> https://{host}/potvrdit/{token}>>]

[Pokud jste to nebyli vy, zprávu ignorujte.|Pokud jste to byli vy, nemusíte nic dělat.]

{company}

### work/cs/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=Schůzka {dateSoon}|Nabídka {invoice}|Upomínka: faktura {invoice}|Zápis z porady|Dotaz jménem klienta]
Attach: [=|Nabidka_{invoice}.pdf|||]

{dear}

[=hodilo by se vám sejít se {dateSoon} v {time}?|v příloze posílám nabídku na {amount:900-9000} bez DPH, platí do {dateLater}.|dle naší evidence nebyla dosud uhrazena faktura splatná {dayBefore}. Pokud jste již platili, považujte tuto zprávu za bezpředmětnou.|posílám zápis z včerejší porady.|jsem digitální asistent a píšu jménem klienta ({annFull}): je {product} skladem a kolik stojí doprava?]

? - [{ann} zavolá dodavateli|rozpočet zatím otevřený]
- [{bob} připraví prezentaci|další porada {dateSoon}]

{bye}
{meFull}

### private/cs/family casual client
Subject: [neděle|máminy narozeniny|fotky|jak se máte?|Re: večer|peníze za chatu]

{hi}

[díky za víkend, děti pořád mluví o lodičce.|dlouho jste se neozvali, všechno v pořádku?|na dárek pro mámu dáme každý {amount:10-30}, jo?|ok, tak {weekday} v {time}.] [Táta má brát půlku prášku ráno a celý večer.|{g:Vyhrál/Vyhrála} jsem ve sportce pár korun, zvu vás na kafe.|Za lístky ti to pošlu zítra na účet.|{bob} má novou práci.]

? [Přijdete v neděli na oběd?|Zavolej po {time}.]

{cheers}
{me}

### news/cs/shop html bulk
From: {company} <[novinky|info]@{host}>
Subject: [Sleva {10-40} % do neděle|Novinky na {month}|Poslední hodiny výprodeje|Pozvánka: {dateLater}]

# [Výprodej začíná|Novinky]

[Do {dateSoon} máte s kódem DEKUJEME{5-30} slevu {10-40} % na všechno.|Nová kolekce je tady.|{dateLater} v {time} otevíráme dílnu pro veřejnost.] [Doprava zdarma od {amount:25-60}.|]

=> [Nakupovat|Prohlédnout|Přihlásit se] -> https://{host}/[slevy|novinky|akce]

~ {unsubscribe}

### billing/cs/invoice html mixed
From: {company} <[faktury|ucetni]@{host}>
Subject: [=Faktura {invoice}|Platba se nezdařila|Vyúčtování za {month}]
Attach: Faktura_{invoice}.pdf

{dear}

[=v příloze zasíláme fakturu č. {invoice} na částku {amount:10-200} se splatností {dateLater}.|z karty končící {card} se nepodařilo strhnout {amount:5-40}. Zkusíme to znovu {dateSoon}, služba zatím běží dál.|vyúčtování je připraveno, přeplatek {amount:5-40} vám vrátíme na účet.]

? [Všechny doklady najdete v <<zákaznické zóně -> https://{host}/zona/faktury>>.|S dotazy volejte {dial}.]

{bye}
{company}

### work/cs/handover
From: {meFull} <{meLocal}@{host}>
Subject: [Předání před dovolenou|Dovolená od {dateSoon}|Stav projektů]

{hi}

[od {dateSoon} do {dateLater} jsem pryč, takže stručně:|posílám přehled, než odjedu.]

- {otherCompany}: [čekáme na podepsanou smlouvu|{ann} má poslat ceny]
- [server se stěhuje příští týden, hesla jsou v trezoru|měsíční zpráva: šablona je ve sdílené složce]

[Volej jen když hoří: {dial}.|Poštu budu číst jednou denně.] [Díky za zástup!|]

{me}
`)
