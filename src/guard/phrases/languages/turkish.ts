/** Suspicious phrases in Turkish. */
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
}
