/** Words of dates and verbs of saying in the languages that mail programs are translated to. Data for `attribution.ts`. */

const words = (...lists: string[]): string[] => lists.flatMap((list) => list.split(' '))

/** Lower case, without the full stop of an abbreviation. */
export const MONTHS = new Set(
  words(
    'january february march april may june july august september october november december',
    'jan feb mar apr jun jul aug sep sept oct nov dec',
    'januar jänner februar märz mai juni juli oktober dezember mrz mär okt dez',
    'janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre janv févr fevr avr juil déc',
    'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene abr ago set dic',
    'janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev out',
    'gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug ott',
    'gener febrer març maig juny juliol setembre desembre',
    'januari februari maart mei augustus mrt',
    'marts maj augusti desember des',
    'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu',
    'tammik helmik maalisk huhtik toukok kesäk heinäk elok syysk lokak marrask jouluk',
    'tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta',
    'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia sty lut kwi cze lip sie wrz paź lis gru',
    'ledna února března dubna května června července srpna září října listopadu prosince led úno bře dub kvě čvn čvc srp zář říj lis pro',
    'januára februára apríla mája júna júla augusta septembra októbra novembra decembra',
    'január február március április május június július augusztus szeptember október febr márc ápr máj jún júl szept',
    'ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie ian iun iul noi',
    'ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık oca şub nis haz tem ağu eyl eki kas ara',
    'января февраля марта апреля мая июня июля августа сентября октября ноября декабря янв февр фев мар апр июн июл авг сент сен окт нояб ноя дек',
    'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня січ лют бер квіт трав черв лип серп вер жовт лист груд',
    'януари февруари март април май юни юли август септември октомври ноември декември',
    'ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου',
    'ιαν φεβ μαρ απρ μαΐ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ',
    'januari februari maret juni juli agustus oktober agu agt',
    'ינו׳ פבר׳ מרץ אפר׳ מאי יוני יולי אוג׳ ספט׳ אוק׳ נוב׳ דצמ׳ ינואר פברואר אפריל אוגוסט ספטמבר אוקטובר נובמבר דצמבר',
    'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر',
  ),
)

export const WEEKDAYS = new Set(
  words(
    'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun',
    'montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so',
    'lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim',
    'lunes martes miércoles miercoles jueves viernes sábado sabado domingo mié mie jue vie sáb sab dom',
    'segunda-feira terça-feira quarta-feira quinta-feira sexta-feira segunda terça quarta quinta sexta seg ter qua qui sex',
    'lunedì martedì mercoledì giovedì venerdì sabato domenica gio',
    'dl dt dc dj dv ds dg dilluns dimarts dimecres dijous divendres dissabte diumenge',
    'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo',
    'måndag tisdag onsdag torsdag fredag lördag söndag mån tis ons tor fre lör sön',
    'mandag tirsdag lørdag søndag man tir lør søn',
    'maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai ti ke to pe la su',
    'maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina',
    'poniedziałek wtorek środa środę czwartek piątek sobota sobotę niedziela niedzielę pon wt śr czw pt sob nd niedz',
    'pondělí úterý středa čtvrtek pátek sobota neděle po út st čt pá ne pondelok utorok streda štvrtok piatok nedeľa',
    'hétfő kedd szerda csütörtök péntek szombat vasárnap',
    'luni marți miercuri joi vineri sâmbătă duminică joi vin sâm',
    'pazartesi salı çarşamba perşembe cuma cumartesi pazar pzt sal çar per cum cmt paz',
    'понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье пн вт ср чт пт сб вс',
    'понеділок середа середу четвер п’ятниця пʼятниця субота неділя нд понеделник вторник сряда четвъртък петък събота неделя',
    'δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή δευ τρί τρι τετ πέμ πεμ παρ σάβ σαβ κυρ',
    'senin selasa rabu kamis jumat sabtu minggu sen sel rab kam jum min th cn',
  ),
)

/** Prepositions, units and zones of a date, and articles in front of a name. */
export const LITTLE = new Set(
  words(
    'on at in the of and from by am pm a.m p.m noon um den dem der von vom uhr le à de du h el la las a los em às no na dia de da do il lo alle ore',
    'op om te het kl klo kello den d på ved i o godz dnia dniu w we v ve dne dňa hod ob pe ora orele în tarihinde saat günü -de',
    'в во от на о об у г г. р р. год года року час час. στις την ο η ώρα pada pukul tanggal jam hari vào lúc ngày tháng thg',
    'utc gmt cet cest wet west eet eest bst ist msk est edt cst cdt mst mdt pst pdt akst hst aest aedt jst kst sgt hkt z zone time standard daylight',
    'data giorno keltezéssel user użytkownik odesílatel χρήστης пользователь korisnik i.e',
    'ב ב- מאת בתאריך יום ב׳ في من بتاريخ الساعة 於 于 在 从 由 發自',
  ),
)

/** First words of attributions that don't begin with the date or the name. */
export const OPENERS = new Set(
  words(
    'on at in am um le el il em op på den dne dňa dnia w pe στις la в во на у vào pada since tarihinde ke em a die de del 在 于 於 בתאריך في بتاريخ',
  ),
)

/** Lower-case parts of people's names. */
export const PARTICLES = new Set(
  words('van von der den de del della di da do dos du la le los las el al bin bint ibn ten ter zu zur af av y e i via'),
)

/** Words of sentences: text with one of them is not a name, and was not written by a program. */
export const NEVER_NAMES = new Set(
  words(
    'i you we he she they it me us him them my your our his her its their this that these those here there what who which when where why how',
    'is are was were be been will would can could should shall must may might have has had do does did not no yes please as if so but because then than',
    'to for with about about into over after before until till below above again also just only all any some more thanks thank hi hello dear regards',
    'well now ok okay however perhaps maybe yesterday today tomorrow later then everybody everyone nobody somebody people another',
    'see say says said tell told ask asked call called meet meeting send sent reply answer answers quote email mail message letter note page point section item',
    'ich du wir ihr sie er es mir mich uns dir ist sind war waren wird und oder nicht ja nein bitte wie was wer wo wenn dass auch noch nur mit für bis nach',
    'je tu nous vous ils elles on ce cette ces qui que quoi est sont était pas oui non merci avec pour dans comme si mais voici voilà',
    'yo tú usted nosotros ellos eso esto este esta que quien es son era no sí si gracias con para como pero aquí',
    'eu você nós eles isso isto que quem é são foi não sim obrigado com para como mas aqui io noi voi loro questo quello che chi sono non grazie con per come ma ecco',
    'ik jij je u wij jullie zij dit dat wat wie niet ja nee met voor als maar jag vi ni detta som inte nej tack med för jeg vi dere ikke',
    'я ты мы вы он она они это этот что кто не да нет спасибо как но для с и или вот',
    'ben sen biz siz onlar bu şu ne kim değil evet hayır için ile ama saya kamu kami kita anda mereka ini itu yang apa siapa tidak ya untuk dengan tapi',
    'ja ty my wy oni to co kto nie tak dziękuję jak ale dla z i lub oto',
  ),
)

const VERBS =
  `wrote|writes|said|says|mentioned|asked|mused|spake|a écrit|écrit|schrieb|schreibt|hat geschrieben|schreef|escribió|escribio|ha escrito|escreveu|
ha scritto|scrive|va escriure|ha escrit|napisał|napisała|napisał\\(a\\)|pisze|skrev|kirjoitti|kirjutas|napsal|napsala|napsal\\(a\\)|napísal|napísala|napísal\\(a\\)|írta|ezt írta|
a scris|yazdı|şunu yazdı|şunları yazdı|έγραψε|написал|написала|написал\\(а\\)|пишет|пише|написав|написала|написа|đã viết|menulis|写道|寫道|のメール|님이 작성|작성|כתב|כתבה|كتب|
je napisao|je napisal|napisao je|reiddi|skrifaði|rakstīja|rašė`
    .split('|')
    .map((verb) => verb.trim())
    // Longer ones first: an alternation takes the first match.
    .sort((a, b) => b.length - a.length)

/** The verb of saying; in scripts without spaces directly after the name. */
export const SAYING = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])(?:${VERBS.join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
)

/** `Quoting Ada <ada@x.example>:`, with nothing after the name. */
export const QUOTING = new Set(words('quoting quoted zitat zitiere citando citant citerar citerer'))
