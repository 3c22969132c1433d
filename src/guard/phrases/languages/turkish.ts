/** Suspicious phrases in Turkish. */
import { intentsOf } from './intents.js'
import type { Phrases } from './types.js'

export const TURKISH: Phrases = {
  run_command_request: [
    /(?:windows|win) ?(?:\+|ve) ?r (?:tus\w{0,6} )?[^.!?]{0,30}bas|(?:terminal|powershell|komut istemi|calistir)[^.!?]{0,80}\bac[^.!?]{0,80}yapistir/,
    /dogrula|captcha|robot|duzelt|onar|goruntule|gormek|kilidi|devam|onayla/,
  ],
  credential_request:
    /(?:hesab|kimli[gk]|bilgileri|sifre|kart bilgi|odeme bilgi|posta kutu)[a-z]{0,12} (?:hemen |lutfen |simdi )?(?:dogrulay|onaylay|guncelley|dogrulama|guncelleme|onaylama|yeniden etkinlestir|etkinlestirin)/,
  secret_on_page:
    /(?:sifrenizi|parolanizi|kart numaranizi|kart bilgilerinizi|pin kodunuzu|cvv|internet bankaciligi bilgilerinizi) (?:[a-z]{1,20} ){0,2}(?:girin|giriniz|yazin)/,
  secret_by_mail:
    /(?:sifrenizi|parolanizi|kart numaranizi|pin kodunuzu) (?:bize |bana )?(?:gonderin|gonderiniz|iletin)/,
  account_threat:
    /(?:hesab|kart|erisim|posta kutu)[a-z]{0,12} (?:[a-z]{1,20} ){0,3}(?:askiya alin|kisitlan|bloke edil|kapatil|devre disi|silin|engellen|donduruld)|(?:olagandisi|supheli|yetkisiz|alisilmadik) (?:etkinlik|aktivite|giris|islem|erisim|oturum)|posta kutunuz (?:dol|neredeyse)|sifreniz(?:in)? (?:suresi )?dol/,
  urgency:
    /(?:24|48|72|12|6|2) saat i[cç]inde|\bderhal\b|\bacil\b|son (?:uyari|hatirlatma|sans)|hemen harekete|en kisa surede|ivedilikle/,
  reward_lure:
    /(?:kazandiniz|secildiniz|talihlisi oldunuz)|(?:odulunuzu|hediyenizi|iadenizi|ikramiyenizi|bonusunuzu) (?:[a-z]{1,20} )?(?:alin|talep|almak)|vergi iade/,
  parcel_fee:
    /(?:kargo|paket|gonderi|teslimat)[^!?]{0,120}(?:gumruk (?:vergi|ucret)|teslimat ucreti|kargo ucreti|ek ucret|islem ucreti|adresinizi (?:dogrula|onayla|guncelle))/,
  advance_fee: [
    /(?:miras|varis|mirasci|vefat|merhum|bagis|lehtar)/,
    /milyon (?:abd )?(?:dolar|euro|avro|lira|usd|eur)|\d{1,3}(?:[.,]\d{3}){2}/,
  ],
  lottery: [/(?:piyango|cekilis)[^!?]{0,200}(?:kazan|talihli)/, /(?:iletisim|talep|milyon|numara|odul)/],
  extortion: [
    /(?:hackle|kaydet|kaydett|ele gecir|tam erisim|truva|zararli yazilim)[^!?]{0,200}(?:niz|sizin|senin)/,
    /bitcoin|\bbtc\b|kripto para/,
    /(?:kisi|arkadas|aile|yayinla|paylas|gonder)/,
  ],
  gift_cards: [
    /(?:hediye kart|google play kart|steam kart|itunes kart)[^.!?]{0,60}(?:al|ihtiyac|satin)|(?:satin al|ihtiyac)[^.!?]{0,60}hediye kart/,
    /(?:kod|foto|gonder|kazi)/,
  ],
  changed_bank_details:
    /(?:yeni|degisen|guncel) (?:banka (?:hesap |bilgi)|iban|hesap numara)|banka (?:hesap )?bilgilerimiz degis|iban(?:imiz| numaramiz)? degis/,
  secrecy: /(?:kesinlikle|tamamen) gizli|kimseye (?:soyleme|bahsetme)|toplantidayim/,
  money_in_haste: [/(?:havale|odeme|para transfer|\beft\b)/, /\bacil|\bderhal|hemen bugun|bugun icinde|ivedilikle/],
  guaranteed_profit:
    /(?:garantili|risksiz) (?:[a-z]{1,20} )?(?:kazanc|getiri|gelir|kar)\b|(?:paranizi|bitcoininizi) (?:ikiye )?katlay|gunluk (?:%|yuzde) ?\d/,
  job_scam:
    /(?:gunde|gunluk|saatte|haftada) [^.!?]{0,30}kazan[^!?]{0,160}(?:whatsapp|telegram|evden|deneyim)|(?:evden|deneyim gerek)[^!?]{0,160}(?:gunde|gunluk|saatte|haftada) [^.!?]{0,30}kazan/,
  qr_code: /(?:qr kodu?|karekodu?)[^.!?]{0,30}(?:tarat|okut|tarayin)/,
  ...intentsOf({
    machine: /(?:asistan|ajan\w{0,4}|yapay zeka|\bbot\b|\bmodel|otomatik okuyucu)/,
    owner: /\bsahib\w{0,4}/,
    ignore: /(?:yok say|unut\b|unutun|gormezden gel|dikkate alma|yoksay|gec\b)/,
    instructions: /(?:talimat|kural|yonerge|komut|emir|prompt)/,
    isVoid:
      /(?:talimatlar|kurallar|sinirlar|olcutler)[^.!?]{0,30}(?:gecersiz|gecerli degil|kaldirildi|degisti|iptal)|(?:bakim|gelistirici) modu (?:acik|aktif|etkin)/,
    conceal:
      /(?:sormadan|onay almadan|haber vermeden|sormana gerek yok|onaya gerek yok|onay gerekmez|bildirmeden)|(?:haber|bilgi) verme|(?:sahib|kullanici|yonetici|patron)\w{0,5}[^.!?]{0,30}(?:onayladi|biliyor|izin verdi|sorma)|(?:sonra|bitince)[^.!?]{0,30}sil\b|bu (?:iletiyi|postayi|mesaji) sil|kimseye (?:sorma|soyleme|bahsetme)|kurula sorma|ozete (?:ekleme|yazma)|onay alindi/,
    give: /(?:gonder|yolla|ilet\b|iletin|yanitla|yapistir|goster|paylas|kopyala|listele|soyle|yaz\b|ekle|at\b|satin al)/,
    machineSecrets:
      /(?:sistem (?:talimat|istem|prompt)|api anahtar|ortam degisken|kendi (?:talimat|kural)|belirtec|yapilandirma|\.env\b|promptunu)/,
    allMail:
      /(?:tum (?:e-?posta|posta|mesaj|kisi)|butun (?:e-?posta|posta|mesaj)|son (?:\S{1,8} )?(?:posta|e-?posta|mesaj)|adres defteri|musteri listesi|gelen kutu|kisi listesi|diger (?:basvuru|aday)|her (?:posta|mesaj))/,
    takeover:
      /(?:kurtarma (?:e-?posta )?adres|yonlendirme)\w{0,6}[^.!?]{0,60}(?:yap|degistir|ayarla|ekle|kur)|(?:komut|betik|curl)[^.!?]{0,30}calistir|hesabina odeme yap|adayi (?:birinci|ilk)|tam puan ver|yonetici olarak|adresini belirtecinle/,
    code: /(?:\bkod\w{0,4}|rakam|hane)/,
    isSent: /(?:geldi|gelen|gelecek|gelir|gonderdim|dustu|ulasti|sms|telefonuna)/,
    seed: /(?:(?:12|24|on iki|yirmi dort) kelime|kurtarma (?:ifade|kelime|cumle)|tohum)/,
    enter: /(?:gir\b|girin|giriniz|yazin|yaz\b|ice aktar)/,
    unprotect:
      /(?:antivirus|defender|guvenlik duvari|koruma)\w{0,5}[^.!?]{0,30}(?:kapat|devre disi|durdur)|yine de (?:calistir|yukle|ac\b)|(?:icerigi|makrolari|duzenlemeyi) (?:etkinlestir|ac\b)|bilinmeyen kaynak/,
    oldAccount: /(?:eski|onceki|mevcut) (?:hesap|iban)\w{0,6}[^.!?]{0,50}(?:kapa|bloke|denetim|incele|kullanil)/,
    noCall:
      /(?:beni |bizi )?aramayin|arama\b|telefon\w{0,6}[^.!?]{0,30}(?:calismiyor|bozuk|ulasilam|kapali|acam)|(?:sadece|yalnizca) (?:bu|buradan|buraya|e-?posta)|konusam(?:am|iyorum|ayacag)|mikrofon/,
    pay: /(?:ode\b|odeme|odeyin|odenmesi|havale|\beft\b|fatura|para\b|tutar|yatir|borc|kira\b|gonder)/,
    wages: /(?:\bmaas\w{0,5}|ucretim)/,
    newAccount: /(?:yeni (?:hesab|iban|banka)|baska (?:hesab|banka)|hesab\w{0,4} degis|banka\w{0,3} degis)/,
    channel:
      /(?:whatsapp|telegram|signal)['a-z]{0,6} ?(?:uzerinden|yaz|gec|devam|ekle|ulas|dan|tan|ta|da)|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /(?:kimseye|hickimseye|bankaya|esine|ailene)[^.!?]{0,30}(?:soyleme|anlatma|bahsetme)|aramizda|gizli|(?:aramayin|arama\b|telefon etme)|(?:banka|site|platform)[^.!?]{0,30}(?:engel|yavas|sorun)|sadece buradan/,
    parent: /\b(?:anne\w{0,3}|baba\w{0,3}|anneanne|babaanne|dede)\b/,
    newPhone:
      /(?:yeni (?:numara|telefon)|telefon\w{0,3}[^.!?]{0,20}(?:bozul|kiril|dustu|kaybol|suya)|numarami degistir)/,
    deadline: /(?:\d{1,3} saat|sure|kadar|yoksa|aksi halde|aksi takdirde)/,
    orElse: /(?:yayinla|yayimla|kisilerin|aile|arkadas|is yeri|komsu|kotu yorum|saldiri|polis|paylas|silerim)/,
    task: /(?:begen|puanla|yorum|tikla|takip|izle)\w{0,6}/,
    perDay: /(?:gunde|gunluk|saatte|haftada|gorev basi|her gun|komisyon)/,
    topUp: /(?:yukle|yatir|depozito|sonraki seviye|bakiye|on odeme|kapora)/,
    courier: /(?:kurye|kargocu|nakliye|sofor)/,
    collects: /(?:alacak|alir|gelecek|teslim al|gelip)/,
    card: /(?:kart|banka|iban|hesap|para\w{0,3} (?:al|gec))/,
    unseen:
      /anahtar\w{0,4}[^.!?]{0,60}(?:kargo|kurye|posta|gonder)|(?:yurt disi|yurtdisi|baska ulke)[^.!?]{0,100}(?:goster|gez|anahtar)|gormeden|gosteremiyorum/,
    home: /(?:daire|\bev\b|evi\b|oda|kiralik|kira)/,
    deposit: /(?:depozito|kapora|on odeme|havale|yatir|rezervasyon)/,
    toll: /(?:hgs|ogs|gecis ucret|trafik ceza|otoyol|kopru)/,
    isOpen: /(?:odenmemis|borc|gecik|odeyin|ode\b|bekleyen|yasal islem)/,
    safeAccount:
      /guvenli (?:bir )?hesa[bp]\w{0,3}[^.!?]{0,30}(?:aktar|tasi|gonder|yatir)|(?:para|birikim)\w{0,5}[^.!?]{0,30}guvene al/,
    notYou: /(?:cekim|tahsil|yenilen|abonelik|siparis|iptal|siz degilseniz|iade)/,
    call: /(?:arayin|arayiniz|ara\b|telefon|cagri merkezi)/,
    donation: /(?:bagis|yardim kampanya|deprem|yetim|sel felaket|multeci)/,
    giftCards: /(?:hediye kart|steam kart|google play kart|paysafe)/,
    threat:
      /pisman olacaksin|nerede (?:oturdugunu|yasadigini) biliyor|arkana bak|kimse seni ozlemez|seni (?:oldur|bul|mahvet)\w{1,6}|(?:sen )?bir (?:hicsin|copsun|pisliksin)|bunu odeyeceksin/,
  }),
}
