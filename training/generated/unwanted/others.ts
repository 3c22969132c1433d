/** Unwanted mail in Russian, Turkish, Japanese, Chinese, Swedish, Czech, Arabic and Hindi. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const [ru, tr, ja, zh] = [templatesIn('ru'), templatesIn('tr'), templatesIn('ja'), templatesIn('zh')]
const [sv, cs, ar, hi] = [templatesIn('sv'), templatesIn('cs'), templatesIn('ar'), templatesIn('hi')]

export const others: Template[] = [
  ru.phishing('akkaunt', {
    from: 'brand <brand>',
    brands: ['Сбербанк', 'Госуслуги', 'Яндекс', 'Почта Mail', 'Telegram'],
    subject:
      '{Ваш {аккаунт|почтовый ящик} {заблокирован|будет удалён}|{Подозрительный|Новый} вход в {аккаунт|учётную запись}|{Подтвердите|Обновите} {данные|аккаунт}|Вам {положена выплата|начислено} <round>}',
    body: `
      {Здравствуйте|Уважаемый {пользователь|клиент}|Добрый день}{, <to>|}!
      {{Мы {обнаружили|зафиксировали}|Зафиксирован} {подозрительный вход|попытку входа} {в ваш аккаунт|с нового устройства}{ (<ip>)|}. {Доступ {временно |}ограничен.|}|Ваш почтовый ящик {заполнен|будет отключён <soon>}. {Новые письма не доставляются.|}|Вам {начислена|доступна} {выплата|компенсация} {в размере |}<round>. {Срок получения истекает <soon>.|}}
      {Подтвердите {личность|данные карты|пароль}|Перейдите по ссылке}{ в течение 24 часов|}{, {иначе|в противном случае} аккаунт будет удалён|, чтобы сохранить доступ|}.
      @ {{Подтвердить|Войти|Восстановить доступ}|Получить выплату|Перейти в личный кабинет}
      С уважением,<br>{служба безопасности|команда} <brand>
    `,
  }),
  ru.scam('nasledstvo-shantazh', {
    from: 'free',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Важное|Срочное} сообщение|{Наследство|Пожертвование}|Ваше устройство взломано|{Деловое предложение|Привет}|Это {директор|<name>}}',
    body: `
      {Здравствуйте|Добрый день|Привет}!
      {Меня зовут <name>, я {адвокат|вдова и тяжело больна}. {Мой клиент оставил <million> без наследников|Хочу передать <million> на благотворительность} {через вас|и нужна ваша помощь}. {Вы получите 40 %.|}|Я {получил доступ к вашему устройству|взломал вашу почту} и {записал вас на камеру|снял видео}, {пока вы смотрели|на} {сайты для взрослых|порно}. {Переведите|Отправьте} <round> в биткоинах на <wallet> за 48 часов{, иначе видео увидят все ваши контакты|}.|{Вы на месте|Сможете помочь}? Нужно срочно {оплатить счёт|перевести <sum>}, {я на совещании, пишите сюда|это конфиденциально}.|{Заработок|Доход} от <round> в {день|неделю} на {инвестициях|криптовалюте} {без риска|с гарантией}. {Минимальный вклад <price>.|}}
      ? {Ответьте|Пишите} на <mail>.
      ? {С уважением|Жду ответа}, <first>
    `,
  }),
  ru.spam('reklama', {
    from: 'odd {<name>|Отдел продаж|Казино <first>}',
    subject:
      '{{Продвижение|Раскрутка} сайта{ <domain>|}|{База|Рассылка} {email|предприятий}|Семинар: {налоги|кадры} <year>|<n 50-200> фриспинов {в подарок|ждут}|{Печать|Визитки} {дёшево|от <price>}|{Похудеть|Минус <n 5-20> кг}}',
    body: `
      {Здравствуйте|Добрый день|Уважаемые коллеги}!
      {{Предлагаем|Сделаем} {рассылку по базе|базу} {из |}<n 1-9> млн адресов {за <price>|дёшево}.|{Выведем|Поднимем} {ваш сайт|<domain>} в ТОП-10 {Яндекса|Google} за <n 1-3> месяца.|Приглашаем на семинар «{Налоговая оптимизация|Управление персоналом}» <soon>{, {стоимость|скидка до} <price>|}.|{Забирай|Получи} <n 50-200> фриспинов и бонус до <round> {за регистрацию|без депозита}!|{Похудейте|Сбросьте} <n 5-20> кг без диет{: натуральное средство|}.}
      @ {Подробнее|Заказать|Играть|Получить}
      ? {Тел.: <chat>|Для отписки ответьте «нет».}
      ? <nonsense>
    `,
  }),
  ru.phishing('dokument', {
    from: 'robbed',
    attach: '{Акт_сверки_<n 10-99>.zip|Счет_<n 100-999>.html|Скан.pdf.html}',
    looks: ['plain', 'letter'],
    subject: '{Акт сверки|Счёт на оплату <ref>|Документы{ на подпись|}|{Re|Fwd}: {заказ|договор} <ref>}',
    body: `
      {Добрый день|Здравствуйте}{, <to>|}!
      {{Направляю|Высылаю} {счёт|акт сверки|договор} {<ref>|за <month>}{, {прошу оплатить до <soon>|просьба подписать сегодня}|}.|Во вложении {документы|платёжное поручение}. {Пароль: <code>.|Для просмотра войдите под своей почтой.}}
      ? @ {Открыть документ|Скачать}
      {С уважением|Спасибо},<br><name>{<br>бухгалтерия <company>|}
    `,
  }),
  tr.phishing('kargo-banka', {
    from: 'brand <brand>',
    brands: ['PTT Kargo', 'e-Devlet', 'Ziraat', 'Garanti', 'Yurtiçi Kargo'],
    subject:
      '{{Kargonuz|Gönderiniz} {teslim edilemedi|bekliyor}|Hesabınız {kısıtlandı|askıya alındı}|{Aidat iadesi|İadeniz} {<amount>|hazır}|{Güvenlik|Önemli} uyarı{sı|}}',
    body: `
      {Sayın {müşterimiz|<toname>}|Merhaba},
      {{Kargonuz|<code> numaralı gönderiniz} {adres eksikliği|ödenmemiş <fee> gümrük ücreti} nedeniyle {teslim edilemedi|bekletiliyor}.|Hesabınızda {şüpheli işlem|olağan dışı giriş} tespit edildi{ ve erişiminiz {kısıtlandı|durduruldu}|}.|{Kart aidatı|Vergi} iadeniz <amount> {onaylandı|sizi bekliyor}.}
      {Lütfen {bilgilerinizi|adresinizi} {24 saat içinde |}{doğrulayın|güncelleyin}|{İşleminizi|Ödemeyi} {<soon> tarihine kadar |}tamamlayın}{, aksi halde {hesabınız kapatılacaktır|gönderi iade edilecektir}|}.
      @ {{Doğrula|Giriş yap|Güncelle}|Ödeme yap|İadeyi al|Kargomu takip et}
      {Saygılarımızla|Teşekkürler},<br><brand>
    `,
  }),
  tr.scam('miras', {
    from: 'free',
    replyTo: 'free',
    looks: ['plain'],
    subject: '{Merhaba|{Acil|Gizli} {teklif|mesaj}|Bağış <million>|{Ödeme|Havale} talebi|Cihazınız hacklendi}',
    body: `
      {Merhaba|Sayın dostum|Günaydın},
      {Ben <name>, {kanser hastasıyım ve|avukatım,} {servetim olan <million> tutarını bağışlamak istiyorum|vefat eden müvekkilim <million> bıraktı}. {Size %40 vereceğim.|Güvenilir birine ihtiyacım var.}|{Müsait misin|Ofiste misin}? {Bugün <sum> havale yapmamız gerekiyor|Acil <n 3-9> hediye kartı lazım}, toplantıdayım, {mail ile dön|kimseye söyleme}.|Cihazınıza {sızdım|virüs yükledim} ve {sizi kaydettim|görüntüleriniz elimde}. 48 saat içinde <wallet> adresine <round> değerinde bitcoin gönderin{, yoksa herkese yayarım|}.}
      ? {Cevabınızı|Yanıtınızı} <mail> adresine {bekliyorum|yazın}.
      ? {Saygılar|Teşekkürler}, <first>
    `,
  }),
  tr.spam('bahis', {
    from: 'odd {Bonus Merkezi|<name>|VIP <first>}',
    subject:
      '{%<n 50-300> {hoş geldin |}bonusu|<n 50-250> {bedava|ücretsiz} dönüş|{Deneme bonusu|Çevrimsiz bonus}|{Google|Site} {ilk sayfa|tanıtımı}|{Zayıflama|<n 5-20> kilo ver}}',
    body: `
      {{Hemen|Şimdi} üye ol, {<round> deneme bonusu|%<n 50-300> hoş geldin bonusu} {kazan|kap}! {Yatırım şartsız|Anında çekim}.|{Sitenizi|<domain> adresini} Google{\'|’}da ilk sayfaya {taşıyoruz|çıkarıyoruz}. {Aylık <price>.|Ücretsiz analiz.}|{Diyetsiz|Sporsuz} <n 5-20> kilo verin{: doğal çay|}, bugün {%<n 30-70> indirim|kargo bedava}.}
      @ {{Üye ol|Bonusu al|Sipariş ver}|Tıkla {kazan|incele}}
      ? % <a Listeden çık>
    `,
  }),
  tr.phishing('posta-fatura', {
    from: 'own {Sistem Yöneticisi|Bilgi İşlem|Muhasebe}',
    attach: '{Fatura_<n 100-999>.html|Dekont.zip|e-Fatura.pdf.html}',
    subject:
      '{Posta kutunuz {doldu|kapatılacak}|Şifreniz bugün sona eriyor|{Fatura|Dekont} <ref>|e-Fatura {bildirimi|<ref>}}',
    body: `
      {Sayın kullanıcı|Merhaba <local>|Sayın yetkili},
      {<user> posta kutunuz {kotasını aştı|dolmak üzere}{ ve yeni ileti alamayacak|}.|Şifrenizin süresi {bugün|<soon>} doluyor.|{Ekte|Aşağıda} {<amount> tutarlı |}{faturanız|ödeme dekontu} yer almaktadır.}
      {Hesabınızı {doğrulamak|korumak} için {giriş yapın|tıklayın}|Görüntülemek için e-posta şifrenizle giriş yapın}.
      @ {Kotayı artır|Şifremi koru|Faturayı görüntüle|Doğrula}
      {Bilgi İşlem|İyi çalışmalar}
    `,
  }),
  ja.phishing('card-mail', {
    from: 'brand <brand>',
    brands: ['Amazon', '三井住友カード', 'えきねっと', 'JCB', '楽天市場', 'イオンカード', 'ETC利用照会サービス'],
    subject:
      '{【重要】|【<brand>】|}{お支払い方法の{確認|更新}|ご利用{確認|制限}のお知らせ|アカウント{停止|の一時制限}|カードのご利用を{一部|}制限}{|（<ref>）}',
    body: `
      {いつも<brand>をご利用いただき{、|}ありがとうございます。|<brand>{をご利用の|}お客様{へ|各位}}
      {{お客様のアカウントで|}{第三者による不正{アクセス|利用}|普段と異なるログイン}{が検出され|を確認し}{ました|たため、ご利用を一時的に制限しております}。|{お支払い方法|お客様情報}に{問題があり|不備があり}、{会員資格を更新できません|サービスを継続できません}でした。|本人確認が{完了していません|必要です}。}
      ? * ご請求金額：<amount>
      {<n 24-72>時間以内に|{お手数ですが|つきましては}、下記{より|のリンクから}}{ご本人確認|情報の更新|お手続き}を{お願い{いたします|申し上げます}|完了してください}。
      @ {{ご利用確認|本人確認|ログイン}はこちら|情報を更新する|確認する}
      ? {ご{回答|確認}がない場合、{アカウントは{停止|削除}されます|カードのご利用{制限|停止}が継続されます}。|ご不便とご心配をおかけしますが、何とぞご理解{賜りたく|}お願い申し上げます。}
      % {発行者|発行}：<brand>{株式会社|カスタマーセンター}{<br>※本メールは送信専用です。|}
    `,
  }),
  ja.phishing('takuhai-zei-letter', {
    from: 'odd <brand>',
    brands: ['ヤマト運輸', '佐川急便', '国税庁', '日本郵便', '東京電力'],
    subject:
      '{お荷物{のお届け|の配達}に{ついて|失敗しました}|【<brand>】{未納|未払い}{税金|料金}のお知らせ|{再配達|お届け先}の{ご確認|ご依頼}|還付金{のお知らせ|：<amount>}}',
    body: `
      {お客様|<toname> 様|ご担当者様}
      {お荷物{（<code>）|}を{配達|お届け}しましたが、{ご不在|住所不明}のため持ち帰りました。|{未払い|滞納}{料金|税金}{<amount>|}がございます。{期限までに納付がない場合、差押え{の|}処分{となります|を行います}。|}|{還付金|払い戻し}<amount>の{受け取り|手続き}が{可能です|完了していません}。}
      下記{より|のURLから}{再配達|お支払い|ご確認|お手続き}をお願いいたします{（期限：<soon>）|}。
      <link>
      ? <brand>
    `,
  }),
  ja.scam('toushi', {
    from: 'free',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{投資|副業}の{ご案内|ご相談}|突然のメール失礼{いたし|し}ます|あなたの{デバイス|アカウント}{は|が}ハッキング{されました|済み}|{業務連絡|至急}|{支援金|当選}<million>}',
    body: `
      {こんにちは|お疲れ様です|はじめまして}{。|、<name>です。}
      {{毎日|週に}<round>{の利益|稼げる}{AI自動売買|暗号資産投資}を{ご紹介|限定公開}{しています|します}。{リスクはありません。|}|あなたの{端末に侵入し|カメラを通じて}{録画|動画を撮影}しました。48時間以内に<round>相当のビットコインを<wallet>へ送金{してください|しなければ連絡先全員に公開します}。|{今|現在}{社内にいますか|お時間ありますか}。{業務の都合で|}LINEグループを{作成|新規作成}し、QRコードを{返信|送って}ください。|{資産家|遺産}より<million>の{支援金|受け取り権利}が{あなたに|}{決定|当選}しました。手数料<price>で{受け取れます|お振込みします}。}
      ? {ご連絡|返信}は{こちら|}：<mail>
    `,
  }),
  ja.spam('deai', {
    from: 'odd {<first>|運営事務局|<name>}',
    subject:
      '{{完全無料|限定}{登録|ご招待}|<first>さんから{メッセージ|写真}が届いて{います|ます}|{ED治療薬|ダイエット}{最安|特別価格}|{ブランド|時計}{コピー|スーパーコピー}|{オンライン|}カジノ{入金不要|<n 50-200>回無料}}',
    body: `
      {{新着|未読}メッセージが<n 1-9>件{あります|届いています}。{今すぐ確認|}|{ロレックス|ルイヴィトン}{など|}ブランド{コピー|}時計{・バッグ|}が{最大|}<n 50-90>％OFF{！|、品質保証、送料無料。}|{バイアグラ|シアリス}{ジェネリック|}1錠<n 50-300>円から{、処方箋不要|}。|{登録|初回}だけで<round>{ボーナス|分}＋フリースピン<n 20-200>回。|飲むだけで<n 5-20>kg減{！|、医師も驚き}。}
      @ {今すぐ{登録|見る|購入}|詳細はこちら}
      ? % 配信停止は<a こちら>
    `,
  }),
  zh.phishing('youxiang', {
    from: 'own {系统管理员|邮件中心|IT服务台|{人事|财务}部}',
    attach: '{工资补贴_<n 10-99>.html|通知.docx|附件<n 100-999>.zip}',
    subject:
      '{邮箱{容量已满|升级通知|停用提醒}|【{重要|紧急}】{账号|邮箱}{异常|备案}{通知|}|关于<year>年{工资|个人劳动}补贴{申领|通知}|密码{即将|今日}过期|<n 2-9>封邮件被{拦截|隔离}}',
    body: `
      {尊敬的{用户|员工}|各位同事|<user>}：
      {您的邮箱{存储空间已满|使用率<n 95-99>%}，{将无法接收新邮件|请尽快扩容}。|系统{检测到|发现}您的账号{在异地（<city>）登录|存在异常}，{为保障安全|}{将于<soon>停用|需要重新认证}。|根据{财政部|人力资源部}{最新|}通知，现发放{个人劳动|工资|高温}补贴，{请于<soon>前|}{扫描附件二维码|登录}{办理|申领}{，逾期视为放弃|}。|您有<n 2-9>封邮件被{服务器|}拦截，{请登录释放|点击查看}。}
      请{点击下方链接|立即}{验证|更新|登记}{账号|邮箱密码|银行卡信息}{，否则将被{停用|注销}|}。
      @ {立即{验证|升级|申领|登录}|点击{此处|查看}|保留密码}
      {系统管理员|信息中心|<company>}{<br><date>|}
    `,
  }),
  zh.phishing('kuaidi', {
    from: 'odd <brand>',
    brands: ['顺丰速运', '中国邮政', 'ETC服务中心', '微信支付', '招商银行', '支付宝'],
    looks: ['plain', 'card', 'letter'],
    subject: '【<brand>】{包裹{派送失败|滞留}|您的{账户|ETC}已{停用|被限制}|{退款|积分}{通知|即将到期}|安全提醒}',
    body: `
      【<brand>】{尊敬的客户|您好}，{您的{快递|包裹}<code>因{地址不详|未支付关税<fee>}{无法派送|被扣留}|您的{ETC|账户}{已过期|存在风险}，{为避免影响使用|}请{重新认证|及时更新}|您有<n 1000-99999>积分{今日到期|可兑换礼品}|您的订单可退款<amount>}。
      {请在24小时内{点击链接|}处理|点击{下方|链接}{办理|更新}}：
      <link>
      ? 如有疑问请联系客服，{退订回T|谢谢}。
    `,
  }),
  zh.scam('laoban', {
    from: 'free',
    looks: ['plain'],
    replyTo: 'free',
    subject:
      '{{在吗|请回复|工作安排}|{通知|重要}|{合作|投资}{邀请|项目}|{您的|你的}设备已被{入侵|控制}|{遗产|捐赠}<million>}',
    body: `
      {你好|您好|<to>}，
      {我是<name>，{现在|}请{建一个QQ群|加我微信}，{把财务拉进来|有工作安排}，{群号发到本邮箱|收到回复}。|{今天|}需要{紧急|}付一笔{货款|款项}<sum>，{我在开会|不方便接电话}，邮件联系{，注意保密|}。|我们有{稳赚|高回报}{虚拟币|外汇}项目，{日收益<n 2-20>%|每天<round>}，{加客服|联系}：<mail>。|我已{入侵你的电脑|录下你的视频}，48小时内向<wallet>支付<round>{，否则发给所有联系人|}。|我是{律师|银行经理}，{一位|}客户去世留下<million>，{希望与您合作|您可得40%}，请回复<mail>。|诚招{兼职|刷单员}，{在家|手机}操作，{日结<n 200-900>元|月入过万}。}
      ? {谢谢|祝好}，<first>
    `,
  }),
  zh.spam('fapiao', {
    from: 'odd {<name>|<company>|财务<last>经理}',
    many: true,
    subject:
      '{{代开|优惠开}{^发票^|各类票据}|{企业管理|销售|财务}{培训|课程}{<soon>|}|{外贸|企业}{邮箱|客户}{群发|数据}|{工厂|LED灯}{直销|报价}|{娱乐城|彩金}<n 18-188>元}',
    body: `
      {贵公司{（经理/财务）|}{：|}|尊敬的{负责人|先生/女士}：|您好！}
      {我司{可|长期}{代开|提供}{增值税|各行业}^发票^，{税点|点数}<n 1-6>%{，验证后付款|}。|{诚邀|欢迎}参加《{非财务经理的财务|采购谈判|生产管理}》课程，{时间：<soon>|地点：{上海|深圳}}，费用<price>。|提供{海外买家|外贸客户}邮箱<n 10-900>万条，{精准|}群发软件{低至<price>|}。|注册{即|就}送<n 18-188>元{彩金|}，{首存翻倍|秒到账}！|专业{制造|出口}{LED灯|包装盒|五金}，{厂价|质优价廉}，{欢迎询价|可寄样}。}
      {联系{人|}：<last>{先生|小姐}{ 电话|}：<chat>|QQ：<n 100000000-999999999>|{详情|官网}：<link>}
    `,
  }),
  sv.phishing('postnord', {
    from: 'brand <brand>',
    brands: ['PostNord', 'Swedbank', 'BankID', 'Skatteverket', 'Netflix', 'Försäkringskassan'],
    subject:
      '{{Ditt|Ert} paket {väntar|kunde inte levereras}|{Ditt|Ditt BankID} {konto|} {har {spärrats|begränsats}|måste {uppdateras|verifieras}}|{Skatteåterbäring|Återbetalning}: <amount>|{Din|Senaste} betalning misslyckades}',
    body: `
      {Hej{ <to>|}|Kära kund|Bästa kund}{,|!}
      {Ditt paket {<code> |}{kunde inte levereras {på grund av {ofullständig adress|obetald tullavgift}|}|väntar på betalning av <fee>}.|Vi har {upptäckt|noterat} {ovanlig aktivitet|ett inloggningsförsök} på ditt konto{ och det har {tillfälligt |}spärrats|}.|Du har rätt till {en återbetalning|skatteåterbäring} på <amount>.|Vi kunde inte {dra|genomföra} din senaste betalning.}
      {{Vänligen b|B}ekräfta dina uppgifter|{Vänligen l|L}ogga in med BankID|Betala avgiften} {inom <n 24-72> timmar|senast <soon>}{, annars {stängs kontot|returneras paketet}|}.
      @ {{Bekräfta|Betala|Logga in} {nu|här}|Uppdatera {uppgifter|betalning}|Spåra paket|Begär återbetalning}
      Med vänlig hälsning,<br>{<brand>|Kundtjänst}
    `,
  }),
  sv.phishing('brevlada', {
    from: 'own {IT-support|Systemadministratör|Webbmail|<name>}',
    attach: '{Faktura_<n 100-999>.html|Dokument.zip}',
    subject:
      '{Din {brevlåda|inkorg} är {full|nästan full}|Lösenordet {går ut|upphör} {idag|<soon>}|<n 2-9> {meddelanden|mejl} {väntar|hålls kvar}|Faktura <ref>|<name> har delat {ett dokument|en fil}}',
    body: `
      {Hej|Bästa användare|Hej <local>},
      {din brevlåda {<user> |}har {nått|överskridit} gränsen{ och kan inte ta emot mejl|}.|lösenordet för <user> går ut {idag|<soon>}.|<n 2-9> meddelanden {kunde inte levereras|har fastnat på servern}.|bifogat finns {fakturan|faktura <ref>} {på <amount>|som är obetald}.|<name> har delat ett dokument med dig{ via OneDrive|}.}
      {Klicka nedan|Logga in|Verifiera kontot} för att {utöka utrymmet|behålla lösenordet|{läsa|frigöra} {meddelandena|dokumentet}|undvika avstängning}.
      @ {Utöka|Behåll lösenord|Visa {dokument|faktura}|Verifiera|Logga in}
      {IT-supporten|Mvh<br><name>}
    `,
  }),
  sv.scam('arv-vd', {
    from: 'free',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Hej|Hej <to>}|{Brådskande|Viktigt}|Donation{ på <million>|}|{Betalning|Överföring} idag|{Lån|Investering} {erbjudande|}|Din enhet är hackad}',
    body: `
      {Hej|God dag|Kära vän}{ <to>|},
      {är du {på plats|tillgänglig}? {Jag behöver {föra över|betala} <sum> idag|Kan du köpa <n 3-9> presentkort åt mig}, {jag sitter i möte|svara via mejl}.|jag heter <name>, {har cancer och vill|är advokat och ska} {skänka|fördela} <million>. {Du får 40 %.|Din hjälp behövs.}|vi {erbjuder|ger} lån på upp till <million> till 3 % ränta{ utan UC|}.|jag har {hackat din enhet|filmat dig} {när du besökte porrsidor|}. Skicka <round> i bitcoin till <wallet> inom 48 timmar{, annars skickas filmen till alla dina kontakter|}.}
      ? {Svara till|Kontakta} <mail>{ med namn och telefon|}.
      {Mvh|Hälsningar},<br><first>
    `,
  }),
  sv.spam('bonus', {
    from: 'odd {<name>|Vinst {Nu|Idag}|Erbjudande}',
    subject:
      '{Grattis{ <local>|}!|<n 50-200> free spins|Du har {vunnit|blivit utvald}|{Gå ner|Minus} <n 5-20> kg|{Synas|Först} på Google{?|}|{Potensmedel|^Viagra^} utan recept}',
    body: `
      {{Svara på <n 3-9> frågor|Delta i vår undersökning} och {vinn|få} {en iPhone|ett presentkort på <round>}.|{Registrera dig|Spela} idag: bonus upp till <round> {och <n 50-200> free spins|utan insättning}.|Gå ner <n 5-20> kg {utan diet|på <n 2-6> veckor} med {detta knep|en kapsel om dagen}.|Vi {lyfter|tar} <domain> till första sidan på Google {på <n 30-90> dagar|från <price>}.|^Viagra^ {utan recept|från <n 5-19> kr}, diskret leverans.}
      @ {Hämta {nu|bonus}|Spela|Läs mer|Beställ}
      ? % <a Avregistrera>
    `,
  }),
  cs.phishing('zasilka-mail', {
    from: 'brand <brand>',
    brands: ['Česká pošta', 'Česká spořitelna', 'Zásilkovna', 'PPL', 'Finanční správa', 'ČSOB'],
    subject:
      '{{Vaše|Váš} {zásilka|balíček} {čeká|nebyl{a|} doručen{a|}}|{Váš účet|Vaše karta} {byl|} {zablokován|omezen}{a|}|{Přeplatek|Vrácení daně} <amount>|{Důležité|Bezpečnostní} upozornění}',
    body: `
      {Dobrý den|Vážený zákazníku|Vážená paní, vážený pane},
      {{vaše zásilka|váš balík} {<code> |}{nemohla být doručena|čeká na zaplacení} {kvůli {neúplné adrese|celnímu poplatku <fee>}|}.|{zaznamenali jsme|zjistili jsme} {neobvyklé přihlášení|podezřelou aktivitu} na vašem účtu{, přístup byl dočasně omezen|}.|máte nárok na {vrácení přeplatku|příspěvek} ve výši <amount>.}
      {Prosím {potvrďte své údaje|uhraďte poplatek}|Přihlaste se a ověřte účet} {do <n 24-48> hodin|do <soon>}{, jinak bude {účet zablokován|zásilka vrácena}|}.
      @ {{Zaplatit|Potvrdit|Ověřit} {nyní|údaje}|Sledovat zásilku|Přihlásit se|Získat přeplatek}
      S pozdravem<br><brand>
    `,
  }),
  cs.phishing('plna-schranka', {
    from: 'own {IT podpora|Správce pošty|Účtárna|<name>}',
    attach: '{Faktura_<n 100-999>.html|Objednavka.zip|Platba.pdf.html}',
    subject:
      '{Vaše schránka je {plná|téměř plná}|Heslo {vyprší {dnes|zítra}|pro <user>}|{Faktura|Objednávka} <ref>|<n 2-9> zpráv {nedoručeno|čeká}}',
    body: `
      {Dobrý den|Vážený uživateli},
      {vaše schránka {<user> |}{překročila limit|je z <n 95-99> % plná}{ a nebude přijímat zprávy|}.|platnost hesla k <user> vyprší {dnes|<soon>}.|<n 2-9> zpráv nebylo doručeno{ kvůli chybě serveru|}.|v příloze {zasílám|posílám} {fakturu|objednávku} <ref>{, prosím o {potvrzení|úhradu}|}. {Soubor otevřete přihlášením e-mailem.|}}
      ? {Klikněte níže|Přihlaste se} {a ověřte účet|pro zachování hesla|pro zobrazení}.
      @ {Navýšit limit|Ponechat heslo|Zobrazit {fakturu|zprávy}|Ověřit účet}
      {S pozdravem|Děkujeme},<br>{<name>|IT oddělení}
    `,
  }),
  cs.scam('dedictvi', {
    from: 'free',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Dobrý den|Ahoj}|{Naléhavé|Důvěrné}|{Dar|Dědictví} <million>|{Půjčka|Nabídka} {bez registru|}|Platba {dnes|}|Vaše zařízení bylo napadeno}',
    body: `
      {Dobrý den|Ahoj|Drahý příteli},
      {jmenuji se <name>, {mám rakovinu a chci|jsem právník a mohu} {darovat|převést} <million> {vám|na charitu přes vás}. {Dostanete 40 %.|}|{jste v kanceláři|máte chvilku}? Potřebuji {dnes |}{převést <sum>|koupit dárkové karty}, jsem na jednání, {pište mailem|je to důvěrné}.|{nabízíme|poskytuji} půjčky až <million> s úrokem 3 %{ bez registru|}.|{naboural jsem se|mám přístup} do vašeho {počítače|telefonu} a {natočil vás|mám video}. Pošlete <round> v bitcoinech na <wallet> do 48 hodin{, jinak ho uvidí všechny vaše kontakty|}.}
      ? {Odpovězte na|Pište na} <mail>.
      {S pozdravem|Děkuji},<br><first>
    `,
  }),
  cs.spam('vyhra', {
    from: 'odd {<name>|Výhra dne|Akce}',
    subject:
      '{Gratulujeme{, <local>|}!|{Vyhráli jste|Byli jste vybráni}|<n 50-200> volných zatočení|{Zhubněte|Dolů} <n 5-20> kg|{SEO|Web} pro <domain>|Půjčka {ihned|do hodiny}}',
    body: `
      {{Odpovězte na <n 3-9> otázek|Vyplňte dotazník} a {získejte|vyhrajte} {iPhone|poukaz na <round>}.|{Registrujte se|Hrajte}: bonus až <round> {a <n 50-200> zatočení|bez vkladu}.|Zhubněte <n 5-20> kg {bez diety|za <n 2-6> týdnů} {s tímto trikem|díky kapslím}.|{Dostaneme|Posuneme} <domain> na první stranu {Googlu|Seznamu} {za <n 30-90> dní|od <price>}.|Půjčka až <round> {ihned na účet|bez registru}.}
      @ {{Získat|Hrát|Objednat} {nyní|hned}|Více zde}
      ? % <a Odhlásit odběr>
    `,
  }),
  ar.phishing('hisab', {
    from: 'brand <brand>',
    brands: ['أرامكس', 'البريد السعودي', 'أبشر', 'نتفليكس', 'مصرف الراجحي', 'DHL'],
    subject:
      '{{شحنتك|طردك} {في الانتظار|لم يتم تسليمه}|تم {إيقاف|تعليق} {حسابك|بطاقتك}|{تحديث|تأكيد} {بيانات الحساب|معلوماتك}|{استرداد|مخالفة} بقيمة <amount>}',
    body: `
      {عزيزي {العميل|المستخدم}|مرحبا|السادة الكرام}،
      {{تعذر|لم نتمكن من} {تسليم|توصيل} {شحنتك|طردك} {رقم <code> |}{بسبب {عنوان غير مكتمل|عدم دفع رسوم الجمارك <fee>}|}.|{لاحظنا|تم رصد} {نشاطا غير عادي|محاولة دخول مشبوهة} في حسابك{، وتم تعليقه مؤقتا|}.|{لديك|يوجد} {مبلغ مسترد|مخالفة غير مدفوعة} {بقيمة |}<amount>.}
      {يرجى {تأكيد|تحديث} {بياناتك|معلومات الدفع}|الرجاء {الدفع|تسجيل الدخول}} {خلال <n 24-72> ساعة|عبر الرابط}{ لتجنب {إيقاف الحساب|إعادة الشحنة}|}.
      @ {{تأكيد|تحديث} {الآن|الحساب}|ادفع الآن|تتبع الشحنة|تسجيل الدخول}
      {مع تحيات|شكرا لكم}،<br>{فريق |}<brand>
    `,
  }),
  ar.scam('mirath', {
    from: 'free',
    replyTo: 'free',
    looks: ['plain'],
    many: true,
    subject: '{{تحية طيبة|مرحبا}|{عرض|اقتراح} {عمل|سري}|{تبرع|ميراث} <million>|{قرض|تمويل} {سريع|}|{عاجل|مهم}}',
    body: `
      {السلام عليكم|تحية طيبة|عزيزي الصديق}،
      {أنا {السيدة|المحامي|} <name>، {أرملة مصابة بالسرطان|أعاني من مرض خطير} وأرغب في التبرع بمبلغ <million> {للأعمال الخيرية عن طريقك|لك}.|أنا {محام|موظف في بنك} {وقد ترك|توفي} {عميلي|أحد العملاء} {وترك |}<million> دون ورثة، {وأحتاج مساعدتك|وستحصل على 40٪}.|نقدم قروضا {شخصية وتجارية |}حتى <million> بفائدة 3٪ {دون ضمانات|خلال 48 ساعة}.|لقد اخترقت جهازك و{سجلت لك فيديو|أملك صورك}. ادفع <round> بيتكوين إلى <wallet> خلال 48 ساعة{ وإلا سأنشرها|}.|استثمر في {العملات الرقمية|الفوركس} واربح <round> {يوميا|أسبوعيا} {مضمونة|بدون خبرة}.}
      {{للتواصل|يرجى الرد على}: <mail>|راسلني على <mail>}{ مع الاسم والهاتف|}.
      {مع الشكر|بارك الله فيك}،<br><name>
    `,
  }),
  ar.spam('iklan', {
    from: 'odd {<name>|عروض اليوم|التسويق}',
    subject:
      '{{عرض خاص|خصم <n 30-80>٪}|{تصدر|سيو} {جوجل|موقعك}|{ربحت|مبروك}!|{دورة|شهادة} معتمدة|{تنحيف|خسارة} <n 5-20> كيلو}',
    body: `
      {{نقوم بتصدر|اجعل} موقعك {<domain> |}{في الصفحة الأولى|الأول} في جوجل {خلال <n 30-90> يوما|بسعر <price>}.|{اخسر|تخلص من} <n 5-20> كيلو {بدون رجيم|في أسابيع} مع {هذا المنتج|الكبسولات الطبيعية}.|مبروك! تم اختيارك للفوز {بآيفون|بقسيمة <round>}.|سجل الآن واحصل على {مكافأة <round>|<n 50-200> دورة مجانية}.|{دورة|دبلوم} {معتمد|} عن بعد في {الإدارة|الموارد البشرية} بسعر <price>.}
      @ {اطلب الآن|{سجل|اشترك} هنا|المزيد}
      ? % <a إلغاء الاشتراك>
    `,
  }),
  ar.phishing('barid', {
    from: 'own {مسؤول النظام|الدعم الفني|بريد <domain>}',
    attach: '{فاتورة_<n 100-999>.html|مستند.zip}',
    subject:
      '{{صندوق بريدك|بريدك} ممتلئ|كلمة المرور {تنتهي اليوم|منتهية}|{فاتورة|مستند} <ref>|<n 2-9> رسائل {معلقة|محجوزة}}',
    body: `
      {عزيزي المستخدم|مرحبا <local>}،
      {لقد {تجاوز|بلغ} بريدك <user> {الحد المسموح|<n 95-99>٪ من المساحة}{ ولن تستقبل رسائل جديدة|}.|ستنتهي صلاحية كلمة مرور <user> {اليوم|في <soon>}.|{مرفق|تجدون مرفقا} {الفاتورة|المستند} <ref>{ للمراجعة|}.|هناك <n 2-9> رسائل محجوزة في الخادم.}
      {اضغط أدناه|يرجى تسجيل الدخول} {لتأكيد حسابك|للاحتفاظ بكلمة المرور|لعرض الرسائل}{ قبل إغلاق الحساب|}.
      @ {تأكيد الحساب|عرض {الرسائل|المستند}|الاحتفاظ بكلمة المرور|زيادة المساحة}
      {الدعم الفني|إدارة البريد}
    `,
  }),
  hi.phishing('kyc', {
    from: 'brand <brand>',
    brands: ['SBI', 'HDFC Bank', 'India Post', 'आयकर विभाग', 'Paytm', 'बिजली विभाग'],
    subject:
      '{आपका {खाता|KYC} {बंद|निलंबित} {हो गया है|कर दिया जाएगा}|{KYC|पैन} अपडेट {करें|आवश्यक}|{पार्सल|डिलीवरी} रुकी हुई है|आयकर रिफंड <amount>|{महत्वपूर्ण|अंतिम} सूचना}',
    body: `
      {प्रिय {ग्राहक|उपभोक्ता}|नमस्ते},
      {आपका {<brand> |}{खाता|नेट बैंकिंग} {KYC अपडेट न होने के कारण |}{आज|<soon> को} {बंद|ब्लॉक} कर दिया जाएगा।|{आपको|आपके लिए} <amount> का {आयकर |}रिफंड {स्वीकृत हुआ है|मंजूर किया गया है}।|आपका पार्सल <code> {अधूरे पते|<fee> शुल्क बकाया होने} के कारण {रोक दिया गया है|डिलीवर नहीं हो सका}।|आपकी बिजली आज रात <time> बजे काट दी जाएगी, {पिछला बिल अपडेट नहीं है|बिल बकाया है}।}
      कृपया {नीचे दिए गए लिंक पर|तुरंत} {अपना विवरण|पैन और आधार|बैंक विवरण} {अपडेट|सत्यापित} करें{, अन्यथा {खाता बंद हो जाएगा|पार्सल लौटा दिया जाएगा}|}।
      @ {{अभी|यहाँ} {अपडेट करें|सत्यापित करें|क्लिक करें}|रिफंड प्राप्त करें|भुगतान करें}
      {धन्यवाद|सादर},<br>{<brand>|ग्राहक सेवा}
    `,
  }),
  hi.scam('lottery-notice', {
    from: 'free',
    replyTo: 'free',
    looks: ['plain'],
    many: true,
    subject:
      '{{KBC|} लॉटरी {विजेता|<million>}|{बधाई|शुभ समाचार}{ हो|}|{दान|विरासत} <million>|{लोन|ऋण} {तुरंत|ऑफर}|घर बैठे {कमाएं|काम}}',
    body: `
      {नमस्ते|प्रिय मित्र|बधाई हो}{,|!}
      {{आपका ईमेल|आपका मोबाइल नंबर} {KBC |}लॉटरी में <million> {जीता है|के लिए चुना गया है}।|मैं {श्रीमती |}<name> हूँ, {कैंसर से पीड़ित हूँ और|} <million> {दान|आपको} करना चाहती हूँ।|{बिना गारंटी|कम ब्याज पर} <million> तक का लोन {24 घंटे में|केवल आधार पर}। {प्रोसेसिंग शुल्क <price>।|}|घर बैठे {मोबाइल से|ऑनलाइन} {रोज|हर दिन} <n 1000-9000> रुपये कमाएं, {वीडियो लाइक करें|कोई अनुभव नहीं चाहिए}।|मैंने आपका {फोन|कंप्यूटर} हैक कर लिया है, 48 घंटे में <wallet> पर <round> भेजें{, नहीं तो वीडियो सबको भेज दूँगा|}।}
      {संपर्क करें|जवाब दें}: {<mail>|WhatsApp <chat>}{, नाम और फोन नंबर भेजें|}।
      ? {धन्यवाद|भगवान आपका भला करे}, <first>
    `,
  }),
  hi.spam('vigyapan-letter', {
    from: 'odd {<name>|ऑफर|आयुर्वेद}',
    subject:
      '{{वजन|मोटापा} {घटाएं|कम करें}|{<n 30-80>% छूट|विशेष ऑफर}|वेबसाइट {<price> में|बनवाएं}|{शुगर|घुटनों का दर्द} {का इलाज|खत्म}|{गेम|रमी} खेलें, <round> जीतें}',
    body: `
      {<n 5-20> किलो वजन {घटाएं|कम करें} {बिना डाइट|<n 2-6> हफ्तों में}, {आयुर्वेदिक|100% प्राकृतिक}।|{गूगल पर|} अपनी वेबसाइट {<domain> |}पहले पेज पर लाएं, केवल <price> {प्रति माह|}।|{रमी|तीन पत्ती} खेलें और {जीतें|पाएं} <round> {का बोनस|रोज}{, तुरंत निकासी|}।|{शुगर|जोड़ों का दर्द} {जड़ से|} खत्म करें{, डॉक्टर भी हैरान|}। {आज <n 30-70>% छूट।|}}
      @ {अभी {खरीदें|खेलें}|{और|अधिक} जानें|ऑर्डर करें}
      ? % <a सदस्यता समाप्त करें>
    `,
  }),
  hi.phishing('mailbox', {
    from: 'own {सिस्टम प्रशासक|आईटी सहायता}',
    subject:
      '{आपका मेलबॉक्स {भर गया है|बंद हो जाएगा}|पासवर्ड {आज समाप्त|समाप्ति सूचना}|<n 2-9> संदेश {रुके हुए हैं|लंबित}|चालान <ref>}',
    attach: '{Invoice_<n 100-999>.html|Document.zip}',
    body: `
      {प्रिय उपयोगकर्ता|नमस्ते <local>},
      {आपके मेलबॉक्स <user> की {सीमा पूरी हो गई है|<n 95-99>% जगह भर गई है}{, नए ईमेल नहीं मिलेंगे|}।|<user> का पासवर्ड {आज|<soon> को} समाप्त हो रहा है।|<n 2-9> संदेश सर्वर पर {रुके हुए हैं|रोक दिए गए हैं}।|संलग्न चालान <ref> देखें{ और भुगतान करें|}, {खोलने के लिए ईमेल से लॉगिन करें|राशि <amount>}।}
      ? कृपया {24 घंटे में |}{लॉगिन करके|} अपना खाता सत्यापित करें{, अन्यथा बंद कर दिया जाएगा|}।
      @ {खाता सत्यापित करें|पासवर्ड रखें|संदेश देखें|अभी लॉगिन करें}
      {आईटी सहायता|धन्यवाद}
    `,
  }),
]
