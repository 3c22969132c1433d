/** Wanted mail in Japanese, Chinese, Arabic and Hindi. */
import { mails } from './mails.js'

export const moreWorld = mails(`
### order/ja/order html
From: {company} <[order|shop|info]@{host}>
Subject: [=【{company}】ご注文ありがとうございます(注文番号 {order})|【{company}】商品を発送しました]

{dear}

[=このたびはご注文いただき、誠にありがとうございます。|ご注文の商品を本日発送いたしました。{dateSoon}頃にお届けの予定です。]

| 注文番号 | {order}
| 商品 | {product}
| 合計金額 | {amount:15-200}
| 伝票番号 | {tracking}

=> [ご注文内容を確認する|配送状況を確認する] -> https://{host}/mypage/orders/{token}

? [ご不明な点がございましたら、このメールにご返信ください。|お届け日時の変更は前日までに承ります。]

~ {legal}

### account/ja/security own html mixed
From: {company} <[no-reply|account|security]@{host}>
Subject: [=パスワード再設定のご案内|認証コード:{code}|新しい端末からのログインのお知らせ|メールアドレスの確認]

[{company}をご利用いただきありがとうございます。|{youFamily} 様]

[=パスワード再設定のお申し込みを受け付けました。{1-24}時間以内に下記よりお手続きください。<<パスワードを再設定する -> https://{host}/password/{token}>>|認証コードは {code} です。有効期限は{5-15}分です。他の人に教えないでください。|{date} {time}頃、新しい端末({city})からログインがありました。|ご登録ありがとうございます。<<メールアドレスを確認する -> https://{host}/verify/{token}>>]

[お心当たりがない場合は、このメールを破棄してください。|ご本人の場合、お手続きは不要です。]

### work/ja/business
From: {meFull} <{meLocal}@{host}>
Subject: [=打ち合わせの件|お見積書送付の件({invoice})|日程変更のお願い|議事録({date})|請求書送付のご案内]
To: 1-4
Attach: [=|見積書_{invoice}.pdf|||請求書_{invoice}.pdf]

{dear}

[お世話になっております。{company}の{meFamily}です。|いつもお世話になっております。]

[=来週の打ち合わせですが、{dateSoon} {time}からはいかがでしょうか。|お見積書をお送りいたします。金額は{amount:900-9000}(税別)、有効期限は{dateLater}です。|申し訳ございませんが、{weekday}の会議を{dateSoon}に変更させていただけますでしょうか。|昨日の議事録をお送りします。修正がありましたらご連絡ください。|{lastMonth}分の請求書をお送りします。お支払い期限は{dateLater}です。]

[ご確認のほど、よろしくお願いいたします。|ご都合をお聞かせいただければ幸いです。]

{meFull}
{company} {job}
TEL {dial}

### agent/ja/request
From: {meFull} 代理アシスタント <{meLocal}@agents.yubin9.example>
Subject: [在庫についてのお問い合わせ|予約のお願い({dateSoon})|定期購読の解約について|作業完了のご報告]

ご担当者様

[{meFull}の代理としてご連絡しているAIアシスタントです。|{meFull}の依頼でご連絡いたします。]

- [{product}の在庫はございますか。{city}までの送料も教えてください。|{dateSoon} {time}に{2-6}名で予約は可能でしょうか。]
- [税込の金額をお知らせください。|解約の確認をメールでいただけますか。]

[簡単なご返信で結構です。|{weekday}までにお返事いただけると助かります。]

### private/ja/family
Subject: [日曜日|お母さんの誕生日|写真|元気?|Re: 今夜]

{hi}

[週末は楽しかったね、ありがとう!|久しぶり。みんな元気にしてる?|お母さんのプレゼント、一人{amount:15-40}くらいでどうかな。|了解、{weekday}の{time}に駅で。] [お父さんの薬は朝に半錠、夜に一錠だって。|宝くじで{amount:3-20}当たったから、コーヒーおごるよ。|チケット代、明日振り込むね。|{ann}が新しい仕事を始めたよ。|{5-25}分くらい遅れるかも。]

? [日曜、ご飯食べに来ない?|{time}すぎに電話して。]

{cheers}

### news/ja/shop html bulk
From: {company} <[news|magazine]@{host}>
Subject: [【{10-40}%OFF】{dateSoon}まで|{month}の新商品のご案内|本日最終日!セール終了まであとわずか|会員様限定のお知らせ]

# [セール開催中|新商品入荷]

[{dateSoon}まで、全品{10-40}%オフ。クーポンコード THANKS{5-30} をご利用ください。|春の新作が入荷しました。|{dateLater} {time}より、店頭イベントを開催します。] [{amount:25-60}以上のお買い上げで送料無料。|]

=> [詳しく見る|セール会場へ|申し込む] -> https://{host}/[sale|new|event]

~ {unsubscribe}
~ {legal}

### order/zh/order html
From: {company} <[order|service|info]@{host}>
Subject: [=订单 {order} 已确认|您的包裹已发货|【取件通知】您的包裹已到达]

{dear}

[=感谢您的购买,我们正在为您备货。|您的订单已于今日发货,预计{dateSoon}送达。|您的包裹已到达{street}{2-90}号自提点,取件码 {code}。]

| 订单号 | {order}
| 商品 | {product}
| 实付金额 | {amount:15-200}

=> [查看订单|查看物流] -> https://{host}/order/{token}

? [收到商品后七天内可无理由退货。|如有疑问,请直接回复本邮件。]

~ {legal}

### account/zh/security own html mixed
From: {company} <[noreply|security|account]@{host}>
Subject: [=重置密码|验证码:{code}|新设备登录提醒|请验证您的邮箱]

{dear}

[=我们收到了您重置密码的请求,链接{1-24}小时内有效:<<设置新密码 -> https://{host}/reset/{token}>>|您的验证码是 {code},{5-15}分钟内有效,请勿告诉他人。|您的账号于{date} {time}在新设备上登录({city})。|感谢注册,请点击<<验证邮箱 -> https://{host}/verify/{token}>>完成最后一步。]

[如非本人操作,请忽略此邮件。|如是您本人操作,无需处理。]

{company}

### work/zh/business
From: {meFull} <{meLocal}@{host}>
Subject: [=关于{weekday}会议|报价单 {invoice}|会议改期|合同修改稿|回复:付款事宜|应聘{job}]
To: 1-4
Attach: [=|报价单{invoice}.pdf||合同v{2-4}.docx||简历.pdf]

{dear}

[=想约您{dateSoon} {time}开个短会,讨论一下项目进度,方便吗?|附件是我们的报价,共计{amount:900-9000}(不含税),有效期至{dateLater}。|抱歉,{weekday}的会议需要改到{dateSoon},时间不变。|附件为合同修改稿,主要改动在第{3-12}条,请查收。|发票{invoice}已于{dayBefore}到期,如已付款请忽略。|我在{otherCompany}工作了{3-12}年,附件是我的简历。]

? [{ann}负责联系供应商,{bob}准备演示材料。|有问题请随时联系我:{dial}。]

{bye}
{meFull}
{company}

### agent/zh/request
From: {meFull}的助理 <{meLocal}@agents.youxiang9.example>
Subject: [代{meFull}咨询|库存询问|取消订阅 {10000-99999}|任务已完成|预约 {dateSoon}]

您好,

[我是{meFull}的智能助理,受委托与您联系。|受{meFull}委托发此邮件。]

1. [请问{product}有现货吗?寄到{city}运费多少?|请问{dateSoon} {time}左右还有空位吗?]
2. [请告知含税价格。|请书面确认取消。|请在{weekday}前回复。]

[简单回复即可。|谢谢!]

### private/zh/family
Subject: [周末|妈妈生日|照片|最近好吗|回复:今晚]

{hi}

[周末玩得真开心,孩子们还在说划船的事。|好久没联系了,家里都好吗?|妈妈的礼物每人出{amount:15-40},行吗?|好的,{weekday} {time}见。] [爸爸的药早上半片,晚上一片,别忘了。|买彩票中了{amount:2-10},我请喝咖啡。|票钱明天转给你。|我可能晚到{5-25}分钟。|{ann}换了新工作。]

? [周日来家里吃饭吧。|{time}以后给我打电话。]

{cheers}
{me}

### news/zh/shop html bulk
From: {company} <[news|hello|vip]@{host}>
Subject: [全场{6-9}折,仅限本周|{month}新品上架|最后一天!|会员专享|邀请函:{dateLater}]

# [限时优惠|新品上市]

[{dateSoon}前使用优惠码 XIEXIE{5-30},全场{6-9}折。|新一季产品已经上架。|{dateLater} {time},欢迎参加我们的开放日。] [满{amount:20-50}包邮。|]

=> [立即选购|了解更多|报名参加] -> https://{host}/[sale|new|event]

~ {unsubscribe}
~ {legal}

### order/ar/order html
From: {company} <[orders|info|shop]@{host}>
Subject: [=تأكيد الطلب {order}|تم شحن طلبك|طلبك جاهز للاستلام]

{dear}

[=شكراً لطلبك، نحن نجهزه الآن.|تم تسليم طلبك إلى شركة الشحن ومن المتوقع وصوله في {dateSoon}.|طلبك بانتظارك في {street}، رمز الاستلام {pin}.]

| رقم الطلب | {order}
| المنتج | {product}
| الإجمالي | {amount:15-200}

=> [عرض الطلب|تتبع الشحنة] -> https://{host}/orders/{token}

? [يمكنك الإرجاع خلال 14 يوماً.|لأي استفسار يمكنك الرد على هذه الرسالة.]

~ {legal}

### account/ar/security own html mixed
From: {company} <[noreply|security]@{host}>
Subject: [=إعادة تعيين كلمة المرور|رمز الدخول: {code}|تسجيل دخول من جهاز جديد|تأكيد البريد الإلكتروني]

مرحباً {you}،

[=طلبتَ تغيير كلمة المرور. الرابط صالح لمدة {2-10} ساعات: <<اختيار كلمة مرور جديدة -> https://{host}/reset/{token}>>|رمز الدخول هو {code}، وهو صالح لبضع دقائق. لا تشاركه مع أحد.|تم تسجيل الدخول إلى حسابك من جهاز جديد ({city}) في {date} الساعة {time}.|بقيت خطوة واحدة: <<تأكيد العنوان -> https://{host}/confirm/{token}>>]

[إذا لم تكن أنت من طلب ذلك، فتجاهل هذه الرسالة.|إن كنت أنت، فلا حاجة لأي إجراء.]

فريق {company}

### work/ar/business
From: {meFull} <{meLocal}@{host}>
Subject: [=اجتماع يوم {weekday}|عرض السعر {invoice}|تذكير بالفاتورة {invoice}|محضر الاجتماع|استفسار بالنيابة عن عميل]
Attach: [=|offer-{invoice}.pdf|||]

{dear}

[=هل يناسبكم أن نجتمع في {dateSoon} الساعة {time} لمناقشة المشروع؟|مرفق عرض السعر بقيمة {amount:900-9000} دون الضريبة، وهو صالح حتى {dateLater}.|نود تذكيركم بأن الفاتورة المستحقة في {dayBefore} لم تُسدد بعد. إن كنتم قد سددتم فلا حاجة للرد.|مرفق محضر اجتماع الأمس، يرجى إضافة ملاحظاتكم.|أنا مساعد رقمي أكتب بالنيابة عن {annFull}: هل يتوفر لديكم {product}؟ وكم تكلفة التوصيل إلى {city}؟]

? [{ann} ستتواصل مع المورد هذا الأسبوع.|للاستفسار: {dial}]

{bye}
{meFull}
{company}

### private/ar/family
Subject: [يوم الجمعة|عيد ميلاد أمي|الصور|كيف الحال؟|رد: الليلة]

{hi}

[شكراً على عطلة نهاية الأسبوع، الأولاد ما زالوا يتحدثون عن القارب.|لم نسمع منكم منذ مدة، هل كل شيء بخير؟|لهدية أمي فكرت أن يدفع كل واحد {amount:15-40}.|تمام، نلتقي {weekday} الساعة {time}.] [أبي يأخذ نصف حبة صباحاً وحبة كاملة مساءً.|سأحوّل لك ثمن التذاكر غداً.|سأتأخر حوالي {5-25} دقيقة.|{bob} بدأ عملاً جديداً في {city}.|القهوة عليّ هذه المرة.]

? [تعالوا للغداء يوم الجمعة.|اتصل بي بعد {time}.]

{cheers}
{me}

### news/ar/shop html bulk
From: {company} <[news|hello]@{host}>
Subject: [خصم {10-40}% حتى نهاية الأسبوع|جديدنا في {month}|آخر يوم للتخفيضات|ندعوكم في {dateLater}]

# [بدأت التخفيضات|وصل الجديد]

[حتى {dateSoon} خصم {10-40}% على كل المنتجات مع الرمز SHUKRAN{5-30}.|وصلت المجموعة الجديدة إلى متجرنا.|يسعدنا حضوركم في {dateLater} الساعة {time}.] [التوصيل مجاني للطلبات فوق {amount:25-60}.|]

=> [تسوق الآن|اكتشف المزيد|سجّل الآن] -> https://{host}/[sale|new|event]

~ {unsubscribe}

### order/hi/order html
From: {company} <[orders|seva|info]@{host}>
Subject: [=आपका ऑर्डर {order} मिल गया|आपका पार्सल भेज दिया गया है|ऑर्डर {order} डिलीवर हो गया]

{dear}

[=ऑर्डर के लिए धन्यवाद! हम इसे पैक कर रहे हैं।|आपका पार्सल आज रवाना हो गया है और {dateSoon} तक पहुँच जाएगा।|आपका पार्सल आज {time} बजे पहुँचा दिया गया।]

| ऑर्डर नंबर | {order}
| सामान | {product}
| कुल राशि | {amount:10-90}

=> [ऑर्डर देखें|पार्सल ट्रैक करें] -> https://{host}/order/{token}

? [14 दिन के भीतर वापसी मुफ़्त है।|कोई सवाल हो तो इसी ईमेल का जवाब दें।]

~ {legal}

### account/hi/security own html mixed
From: {company} <[noreply|suraksha]@{host}>
Subject: [=पासवर्ड बदलें|आपका OTP: {code}|नए डिवाइस से लॉगिन|अपना ईमेल सत्यापित करें]

नमस्ते {you},

[=आपने पासवर्ड बदलने का अनुरोध किया है। यह लिंक {1-24} घंटे तक मान्य है: <<नया पासवर्ड बनाएँ -> https://{host}/reset/{token}>>|आपका OTP {code} है, {5-15} मिनट तक मान्य। इसे किसी को न बताएँ।|{date} को {time} बजे नए डिवाइस ({city}) से आपके खाते में लॉगिन हुआ।|बस एक क़दम बाक़ी है: <<ईमेल की पुष्टि करें -> https://{host}/verify/{token}>>]

[अगर यह आप नहीं थे, तो इस संदेश को अनदेखा करें।|अगर यह आप ही थे, तो कुछ करने की ज़रूरत नहीं है।]

{company}

### work/hi/business
From: {meFull} <{meLocal}@{host}>
Subject: [={weekday} की बैठक|कोटेशन {invoice}|भुगतान की याद: बिल {invoice}|बैठक का विवरण|पूछताछ]
Attach: [=|quotation-{invoice}.pdf|||]

{dear}

[=क्या {dateSoon} को {time} बजे परियोजना पर बात हो सकती है?|संलग्न कोटेशन {amount:900-5000} का है और {dateLater} तक मान्य है।|{dayBefore} को देय बिल का भुगतान अभी तक नहीं मिला है। यदि भुगतान हो चुका है तो कृपया इसे अनदेखा करें।|कल की बैठक का विवरण संलग्न है, कुछ छूट गया हो तो बताएँ।|मैं {annFull} का डिजिटल सहायक हूँ और उनकी ओर से पूछ रहा हूँ: क्या {product} उपलब्ध है, और {city} तक डिलीवरी का ख़र्च कितना है?]

? [{bob} प्रस्तुति तैयार कर रहे हैं।|किसी भी सवाल के लिए: {dial}]

{bye}
{meFull}
{company}

### private/hi/family
Subject: [रविवार|माँ का जन्मदिन|तस्वीरें|कैसे हो?|Re: आज शाम]

{hi}

[पिछले हफ़्ते बहुत मज़ा आया, बच्चे अब भी नाव की बात करते हैं।|बहुत दिनों से बात नहीं हुई, सब ठीक है?|माँ के तोहफ़े के लिए सब {amount:5-20} दे दें?|ठीक है, {weekday} को {time} बजे मिलते हैं।] [पापा को सुबह आधी गोली और रात को एक गोली लेनी है।|टिकट के पैसे कल भेज दूँगा।|मुझे {5-25} मिनट देर हो जाएगी।|{bob} को {city} में नई नौकरी मिल गई।|चाय मेरी तरफ़ से!]

? [रविवार को खाने पर आ जाओ।|{time} बजे के बाद फ़ोन करना।]

{cheers}
{me}

### news/hi/shop html bulk
From: {company} <[news|namaste]@{host}>
Subject: [रविवार तक {10-40}% की छूट|{month} में नया|सेल का आख़िरी दिन|{dateLater}: आप आमंत्रित हैं]

# [सेल शुरू|नया सामान]

[{dateSoon} तक कोड DHANYAVAD{5-30} से हर चीज़ पर {10-40}% छूट।|नया संग्रह दुकान में आ गया है।|{dateLater} को {time} बजे हमारी कार्यशाला में आपका स्वागत है।] [{amount:10-30} से ऊपर डिलीवरी मुफ़्त।|]

=> [अभी ख़रीदें|और देखें|पंजीकरण करें] -> https://{host}/[sale|new|event]

~ {unsubscribe}

### appointment/hi/reminder
From: {company} <[appointments|reception]@{host}>
Org: नवजीवन क्लिनिक @ navjeevanclinic.example;डॉ. शर्मा दंत चिकित्सा @ sharmadental.example;होटल सरोवर @ hotelsarovar.example
Subject: [याद दिलाना: {dateSoon}, {time} बजे|आपकी अपॉइंटमेंट|बुकिंग {booking} की पुष्टि]

{dear}

[आपकी अपॉइंटमेंट {dateSoon} को {time} बजे है।|{dateSoon} के लिए {2-6} लोगों की बुकिंग पक्की है।|{weekday} को {time} बजे आपका इंतज़ार रहेगा।] [कृपया पुरानी रिपोर्ट और दवाइयों की सूची साथ लाएँ।|कृपया दस मिनट पहले पहुँचें।]

[न आ सकें तो एक दिन पहले बता दें: {dial}।|रद्द करने के लिए: https://{host}/cancel/{token}]

{company}

### agent/hi/errand
From: {meFull} (सहायक) <{meLocal}@agents.daak9.example>
Subject: [{meFull} की ओर से पूछताछ|क्या {product} उपलब्ध है?|सदस्यता {10000-99999} रद्द करें|काम पूरा हुआ: रिपोर्ट]

नमस्कार,

[मैं {meFull} का एआई सहायक हूँ और उनकी ओर से लिख रहा हूँ।|यह संदेश {meFull} के कहने पर भेजा गया है।]

1. [क्या {product} स्टॉक में है? {city} तक डिलीवरी का ख़र्च बताएँ।|क्या {dateSoon} को {time} बजे के आसपास समय मिल सकता है?]
2. [कृपया कर सहित क़ीमत बताएँ।|कृपया लिखित पुष्टि भेजें।]

[छोटा-सा उत्तर काफ़ी है।|{weekday} तक उत्तर मिल जाए तो अच्छा होगा।]
`)
