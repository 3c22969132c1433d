/** Words that announce one-time codes, in the languages that services write in. Data for `codes.ts`. */

const any = (list: string): string =>
  list
    .split('|')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .join('|')

/** Words for a code, whole. In many languages they are also the last part of a compound: Bestätigungscode, verificatiecode, bekræftelseskode. */
export const KEYWORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:\\p{L}{0,24}(?:codes?|kode[nrt]?|kod(?:en|u|unuz|unuzu|unu|em|y)?|kód(?:ja|od|om|u)?|koodi(?:si|nne)?)|${any(
    `código|códigos|codice|codigo|passcode|otp|tan|pin|mfa|2fa|one[- ]time (?:password|passcode|pin)|verification|kontrollnummer|einmal(?:passwort|kennwort)|engångslösenord|engangspassord|
    mot de passe à usage unique|mot de passe temporaire|contraseña (?:temporal|de un solo uso)|clave (?:de acceso|dinámica|temporal|de un solo uso)|senha (?:temporária|de uso único)|hasło jednorazowe|
    tek kullanımlık şifreniz|şifreniz|код[аыуе]?|пароль|підтвердження|κωδικός|mã|รหัส|कोड|رمز|الرمز|קוד`,
  )})(?![\\p{L}\\p{N}])|${any(
    `验证码|驗證碼|校验码|校驗碼|动态码|動態密碼|认证码|確認コード|認証コード|ワンタイム|認証番号|暗証番号|인증번호|인증 ?코드|확인 ?코드|보안 ?코드|קוד ה`,
  )}`,
  'giu',
)

/** Cheap pre-test for an ASCII line that announces a code, or names the purpose of a typed number. */
const ANNOUNCING = `one[- ]time|verific|contrase|clave|senha|usage unique|(?:otp|pin|tan|mfa|2fa)\\b`
const TYPED = `log|sign|reset|verif|confirm|enter|entr|iniciar|acce[ds]|masuk|anmeld|anzumeld|einzulog|zalog|in the app|connect|continue|complete|finish|access|activate|unlock|link|pair|get in|join|authent|autentif|conferm|konfirm|loggen|bevestig|in te log`
const ANYWHERE = `[^\\x00-\\x7f]|[ck]o?od|passwor`
export const MAY_ANNOUNCE = new RegExp(`${ANYWHERE}|(?:\\b|_)(?:${ANNOUNCING})`, 'i')
/** Either of the two: one pass over a line costs a third of two. */
export const MAY_ANNOUNCE_OR_BE_TYPED = new RegExp(`${ANYWHERE}|(?:\\b|_)(?:${ANNOUNCING}|${TYPED})`, 'i')

/** Words before "code" (or the start of the compound) that make it something else. */
export const OTHER_CODE = new RegExp(
  `(?:${any(
    `zip|post(?:al|leit)?|bar|qr|promo(?:tion(?:al)?)?|discount|coupon|gift|voucher|country|area|dialling|dialing|source|error|status|exit|response|http|color|colour|product|tracking|booking|priority|company|
    reservation|order|dress|sort|swift|bic|tax|referral|invite|rabatt|gutschein|aktions|fehler|quell|land(?:es)?|kunden|byte|machine|morse|building|genetic|legal|civil|penal|conduct|
    produkt|bestell|lager|sendungs|farb|posta`,
  )}|(?<!\\p{L})(?:uni|en|de|the|of|our|new|this|class|medical|billing|cpt|icd|hs|item|part|reason|return))[\\s-]?$`,
  'iu',
)
/** `the code has 4711 lines` is no one-time code; `the code is 4711`, `the code below`, `enter this code` are. */
export const ARTICLE = /(?:^|[^\p{L}])(?:the|our|new|this)\s$/iu
export const TYPED_ARTICLE = /(?:enter|use|using|type|input|copy|paste|with|provide|submit)\s(?:the|this)\s$/i
export const AFTER_ARTICLE = /^(?:\s(?:is|below|above|to|in the)(?!\p{L})|\s?[:：])/iu
/** Words after "code": postal, tax. */
export const OTHER_CODE_AFTER =
  /^\s?(?:postal|postale|fiscale|pocztowy|pos|postal\p{L}*|of conduct|review|section|book|promo\p{L}*|promotion\p{L}*|desconto|descuento|sconto|rabatowy)(?!\p{L})/iu

/** Words directly before a number that make it something other than a code. */
export const OTHER_NUMBER = new RegExp(
  `(?:${any(
    `order|invoice|ticket|case|account|customer|reference|ref|confirmation|bestell|rechnung(?:s)?|kunden|auftrags|commande|facture|pedido|factura|ordine|fattura|zamówienie|sipariş|заказ[а]?|room|suite|
    floor|apt|box|building|version|build|page|line|extension|ext|port|phone|tel|fax|call|copyright|©|in|since|year|until|by|of|for|from|words?|records?|meeting|flight|rfc|iso`,
  )})\\s?(?:number|no|nr|id|num(?:éro|ero)?|#|№|n°)?[.:#]?\\s?#?$`,
  'iu',
)

/** `code: 4711`, `code is 4711`, `code ist: 4711`: unambiguous. */
export const DIRECT =
  /(?:[:：=]|(?<!\p{L})(?:is|are|ist|lautet|est|es|è|é|er|är|to|on|jest|je|adalah|là|είναι|هو|este|below)|是|は|为|為|—|–)\s{0,4}["'“«*[]{0,3}$/iu

/** A code of words or of letters alone counts only after one of these. */
export const OF_SIGN_IN =
  /(?:your|log-?in|sign-?in|signing|temporary|one-time|verification|confirmation|security|access|authentication|passcode|magic|device)(?: \p{L}+){0,2}$/iu

/** `Enter 4711 to log in`: a verb of typing before the code, and a purpose after it. */
export const TYPE = new RegExp(
  `(?:(?<!\\p{L})(?:${any(
    `enter|use|type|input|introduce|introduzca|ingresa|ingrese|digite|insira|utilise[zr]?|saisissez|entrez|gib|geben sie|verwende|verwenden sie|nutze|gebruik|voer|inserisci|usa|wpisz|użyj|gir|
    введите|используйте|masukkan|gunakan|ange|använd|indtast|brug|skriv inn|bruk|syötä|zadejte|použijte|introduceți|folosiți|nhập`,
  )})(?: (?:the|this|code|number|el|la|le|den|die|het|il|ini|код))?|输入|輸入|使用)\\s{0,2}["'“«*:]{0,3}$`,
  'iu',
)
export const PURPOSE = new RegExp(
  `^["'”»*,]{0,4}\\s{0,2}(?:${any(
    `(?:in the app )?to (?:log ?-?in|sign ?-?in|verify|confirm|authenticate|continue|complete|finish|reset|access|activate|unlock|link|pair|get in|join)(?!\\p{L})|to (?:log|sign) (?:you )?in(?!\\p{L})|in the app|
    (?:para|pour|per|om|um|untuk|aby(?: się)?|чтобы|для|för att|for at|for å|pro|ca să|để)[^.\\n]{0,30}?(?:iniciar sesión|acceder|verificar|confirmar|entrar|connecter|vérifier|confirmer|anmelden|anzumelden|einzuloggen|
    bestätigen|verifizieren|loggen|verifiëren|bevestigen|accedere|verificare|confermare|zalogować|potwierdzić|войти|входа|подтвер\\p{L}*|masuk|verifikasi|konfirmasi|logga in|bekräfta|logge (?:ind|inn)|
    přihlášení|autentifica|đăng nhập)|
    ein,? um [^.\\n]{0,20}?(?:anzumelden|einzuloggen|bestätigen)|in om [^.\\n]{0,12}?(?:loggen|bevestigen)|を入力|以登录|以登入`,
  )})`,
  'iu',
)
/** A verb of typing after a number, before or after the purpose. */
export const BEFORE_PURPOSE =
  /(?:ログイン|サインイン|認証)[^。\n]{0,12}$|(?:reset your password|log in|sign in|giriş yapmak için|verify your (?:e-?mail|identity|account)),? (?:enter|use|type)?\s?$/iu

/** Capitalized words after "your code is". */
export const NOT_A_CODE =
  /^(?:READY|VALID|BELOW|ABOVE|EXPIRED|HERE|SECRET|INVALID|CORRECT|WRONG|BLACK|WHITE|REQUIRED|NEEDED|IMPORTANT|PLEASE|NEVER|ATTACHED|SECURITY|PRIVATE|CLICK|ENTER|VERIFY|CONFIRM|SIGN|LOGIN|EMAIL|PHONE|DONOT|TODAY|HELLO|THANKS|UNIQUE|ACTIVE|USED)$/

/** Parts of expressions such as `state-of-the-art`, which no code has. */
export const COMMON_PARTS =
  /(?:^|-)(?:the|and|for|not|but|you|our|your|all|out|new|old|use|ready|source|code|first|end|based|time|date|well|case|sensitive|only|free|safe|way|mail|side|line|off|read|write|self|non|pre|post|high|low|level|open|long|short|term)(?:-|$)/
