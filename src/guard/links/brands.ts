/** Brands that mail imitates, and their own domains. Data for judging links and senders, not an allow list. */

export interface Brand {
  /** Spelling in domain names: lower case without hyphens. */
  name: string
  /** Registrable domains. Brands with domains in many countries are recognized by `name` alone: `amazon.de` is `name` + public suffix. */
  domains: string[]
  /** Names of the brand in text; `name` when missing, never matched in text when empty. */
  said?: string[]
  /** Also an ordinary word or name: only imitated letters and bait count. */
  word?: true
}

const b = (name: string, domains: string, said?: string[]): Brand => ({
  name,
  domains: domains.split(' '),
  ...(said ? { said } : {}),
})
const w = (name: string, domains: string, said: string[] = []): Brand => ({ ...b(name, domains, said), word: true })

// prettier-ignore
export const BRANDS: readonly Brand[] = [
  // Mail, search, software
  b('microsoft', 'microsoft.com live.com office.com office365.com microsoftonline.com outlook.com hotmail.com sharepoint.com onedrive.com msn.com bing.com azure.com windows.net skype.com microsoftemail.com aka.ms 1drv.ms office.net teams.com', ['microsoft', 'office 365', 'outlook web access', 'onedrive', 'sharepoint']),
  w('office365', 'office365.com office.com microsoft.com'),
  w('outlook', 'outlook.com office.com microsoft.com live.com'),
  w('onedrive', 'onedrive.com live.com microsoft.com'),
  w('sharepoint', 'sharepoint.com microsoft.com'),
  b('google', 'google.com gmail.com googlemail.com youtube.com goo.gl googleusercontent.com googleapis.com g.co forms.gle withgoogle.com android.com blogger.com', ['google account', 'gmail', 'google drive', 'google docs', 'google workspace']),
  w('gmail', 'gmail.com google.com'),
  w('apple', 'apple.com icloud.com me.com itunes.com', ['apple id', 'icloud', 'apple support', 'apple account', 'itunes']),
  b('icloud', 'icloud.com apple.com'),
  b('yahoo', 'yahoo.com yahoo.co.jp yahoodns.net'),
  b('adobe', 'adobe.com adobesign.com echosign.com adobe.io'),
  b('dropbox', 'dropbox.com dropboxmail.com hellosign.com'),
  b('docusign', 'docusign.com docusign.net'),
  b('github', 'github.com github.io githubusercontent.com', []),
  b('gitlab', 'gitlab.com', []),
  w('slack', 'slack.com'),
  w('zoom', 'zoom.us zoom.com'),
  b('atlassian', 'atlassian.com atlassian.net bitbucket.org', []),
  b('salesforce', 'salesforce.com force.com', []),
  w('notion', 'notion.so notion.com'),
  b('godaddy', 'godaddy.com secureserver.net'),
  b('cloudflare', 'cloudflare.com', []),
  b('namecheap', 'namecheap.com'),
  b('mailchimp', 'mailchimp.com mailchimpapp.com list-manage.com', []),
  b('openai', 'openai.com chatgpt.com'),
  b('norton', 'norton.com nortonlifelock.com gendigital.com', ['norton antivirus', 'norton 360', 'norton lifelock']),
  b('mcafee', 'mcafee.com'),
  b('webmail', 'webmail.com', []),
  // Payment and money
  b('paypal', 'paypal.com paypal.me paypal-communication.com paypalobjects.com xoom.com'),
  w('stripe', 'stripe.com', ['stripe account', 'stripe dashboard']),
  w('square', 'squareup.com square.com'),
  b('venmo', 'venmo.com'),
  b('klarna', 'klarna.com'),
  b('westernunion', 'westernunion.com', ['western union']),
  b('moneygram', 'moneygram.com'),
  b('revolut', 'revolut.com'),
  w('wise', 'wise.com transferwise.com'),
  b('payoneer', 'payoneer.com'),
  b('quickbooks', 'quickbooks.com intuit.com'),
  b('intuit', 'intuit.com'),
  b('americanexpress', 'americanexpress.com aexp.com', ['american express', 'amex']),
  b('mastercard', 'mastercard.com', []),
  // Banks
  w('chase', 'chase.com jpmorganchase.com', ['chase bank', 'chase online', 'jpmorgan chase', 'jp morgan chase']),
  b('wellsfargo', 'wellsfargo.com wf.com', ['wells fargo', 'wellsfargo']),
  b('bankofamerica', 'bankofamerica.com bofa.com', ['bank of america', 'bankofamerica']),
  b('citibank', 'citibank.com citi.com citigroup.com'),
  b('capitalone', 'capitalone.com', ['capital one']),
  b('usbank', 'usbank.com', ['u.s. bank', 'us bank online']),
  b('hsbc', 'hsbc.com hsbc.co.uk'),
  b('barclays', 'barclays.com barclays.co.uk barclaycard.co.uk barclaysus.com'),
  b('lloydsbank', 'lloydsbank.com lloydsbank.co.uk lloydsbankinggroup.com', ['lloyds bank', 'lloyds tsb']),
  b('natwest', 'natwest.com'),
  b('santander', 'santander.com santander.co.uk santander.es'),
  b('bbva', 'bbva.com bbva.es bbva.mx'),
  b('caixabank', 'caixabank.es caixabank.com'),
  b('deutschebank', 'deutsche-bank.de db.com', ['deutsche bank']),
  b('commerzbank', 'commerzbank.de commerzbank.com'),
  b('sparkasse', 'sparkasse.de sparkasse.at'),
  b('volksbank', 'volksbank.de vr.de volksbank.at'),
  b('postbank', 'postbank.de'),
  b('comdirect', 'comdirect.de'),
  b('bnpparibas', 'bnpparibas.com bnpparibas.net mabanque.bnpparibas', ['bnp paribas']),
  b('creditagricole', 'credit-agricole.fr ca-paris.fr', ['credit agricole']),
  b('societegenerale', 'societegenerale.fr societegenerale.com', ['societe generale']),
  b('boursorama', 'boursorama.com boursobank.com'),
  b('intesasanpaolo', 'intesasanpaolo.com', ['intesa sanpaolo']),
  b('unicredit', 'unicredit.it unicreditgroup.eu'),
  b('posteitaliane', 'poste.it posteitaliane.it', ['poste italiane', 'postepay', 'bancoposta']),
  b('rabobank', 'rabobank.nl rabobank.com'),
  b('abnamro', 'abnamro.nl abnamro.com', ['abn amro']),
  b('mbank', 'mbank.pl'),
  b('pkobp', 'pkobp.pl ipko.pl', ['pko bp', 'pko bank']),
  b('bradesco', 'bradesco.com.br'),
  b('itau', 'itau.com.br', ['banco itau']),
  b('nubank', 'nubank.com.br'),
  b('sberbank', 'sberbank.ru sber.ru', ['sberbank', 'сбербанк']),
  b('garantibbva', 'garantibbva.com.tr', ['garanti bbva']),
  b('icbc', 'icbc.com.cn', []),
  b('rakuten', 'rakuten.co.jp rakuten.com rakuten-card.co.jp', ['rakuten', '楽天']),
  b('smbc', 'smbc.co.jp smbc-card.com', ['三井住友']),
  b('ubs', 'ubs.com', []),
  b('postfinance', 'postfinance.ch'),
  // Parcels
  b('dhl', 'dhl.com dhl.de dhl-news.com dpdhl.com', ['dhl']),
  b('fedex', 'fedex.com'),
  b('ups', 'ups.com', ['ups package', 'ups parcel', 'ups delivery']),
  b('usps', 'usps.com usps.gov', ['usps']),
  b('royalmail', 'royalmail.com royalmail.co.uk', ['royal mail']),
  b('dpd', 'dpd.com dpd.de dpd.co.uk dpd.fr dpdgroup.com', ['dpd parcel', 'dpd package', 'dpd paket', 'colis dpd']),
  b('myhermes', 'myhermes.de myhermes.co.uk hermesworld.com', []),
  b('evri', 'evri.com'),
  b('laposte', 'laposte.fr laposte.net', ['la poste']),
  b('chronopost', 'chronopost.fr'),
  b('colissimo', 'laposte.fr colissimo.fr'),
  b('correos', 'correos.es correos.com'),
  b('postnl', 'postnl.nl postnl.be'),
  b('inpost', 'inpost.pl inpost.eu inpost.co.uk'),
  b('canadapost', 'canadapost.ca canadapost-postescanada.ca', ['canada post']),
  b('auspost', 'auspost.com.au', ['australia post', 'auspost']),
  b('japanpost', 'japanpost.jp', ['日本郵便']),
  // Shops, media, travel
  b('amazon', 'amazon.com amazonaws.com aws.com amzn.to a.co media-amazon.com audible.com amazonses.com', ['amazon']),
  b('ebay', 'ebay.com'),
  b('walmart', 'walmart.com'),
  b('costco', 'costco.com'),
  b('alibaba', 'alibaba.com aliexpress.com alipay.com', ['alibaba']),
  b('mercadolibre', 'mercadolibre.com mercadolivre.com.br mercadopago.com', ['mercado libre', 'mercado livre', 'mercado pago']),
  b('allegro', 'allegro.pl', []),
  b('netflix', 'netflix.com'),
  b('spotify', 'spotify.com'),
  b('disneyplus', 'disneyplus.com disney.com', ['disney+', 'disney plus']),
  w('booking', 'booking.com', ['booking.com']),
  b('airbnb', 'airbnb.com'),
  b('expedia', 'expedia.com', []),
  w('steam', 'steampowered.com steamcommunity.com', ['steam account', 'steam guard']),
  b('roblox', 'roblox.com'),
  // Social
  b('facebook', 'facebook.com fb.com facebookmail.com meta.com fb.me'),
  w('meta', 'meta.com facebook.com', ['meta business', 'meta support', 'meta ads']),
  b('instagram', 'instagram.com'),
  b('whatsapp', 'whatsapp.com wa.me', ['whatsapp account', 'whatsapp support']),
  b('linkedin', 'linkedin.com lnkd.in'),
  b('twitter', 'twitter.com x.com t.co', []),
  b('tiktok', 'tiktok.com'),
  b('telegram', 'telegram.org t.me telegram.me', []),
  w('discord', 'discord.com discord.gg discordapp.com', ['discord nitro', 'discord account']),
  // Crypto
  b('coinbase', 'coinbase.com'),
  b('binance', 'binance.com'),
  b('kraken', 'kraken.com', ['kraken account']),
  b('metamask', 'metamask.io'),
  b('trustwallet', 'trustwallet.com', ['trust wallet']),
  w('ledger', 'ledger.com ledgerwallet.com', ['ledger wallet', 'ledger live', 'ledger nano', 'ledger device']),
  b('trezor', 'trezor.io'),
  b('blockchain', 'blockchain.com', []),
  b('opensea', 'opensea.io'),
  b('bitpanda', 'bitpanda.com'),
  // Telephone and cable
  b('vodafone', 'vodafone.com vodafone.de vodafone.co.uk'),
  b('telekom', 'telekom.de t-online.de telekom.com'),
  b('verizon', 'verizon.com verizonwireless.com'),
  b('comcast', 'comcast.com comcast.net xfinity.com'),
  b('xfinity', 'xfinity.com comcast.net'),
  b('swisscom', 'swisscom.ch swisscom.com'),
  // Offices of states
  w('irs', 'irs.gov', ['internal revenue service', 'irs tax', 'irs refund']),
  b('hmrc', 'gov.uk hmrc.gov.uk service.gov.uk', ['hmrc', 'hm revenue']),
  b('elster', 'elster.de', []),
  b('impots', 'impots.gouv.fr gouv.fr', ['impots.gouv', 'direction generale des finances publiques']),
  b('ameli', 'ameli.fr', ['assurance maladie']),
  b('agenciatributaria', 'agenciatributaria.gob.es agenciatributaria.es', ['agencia tributaria']),
  b('gosuslugi', 'gosuslugi.ru', ['госуслуг']),
]

/** Words and real companies that are one letter away from a brand: never a sign. */
export const NEIGHBOURS: ReadonlySet<string> = new Set(
  (
    'appie stearn stearns finance revolt telecom paypay amazone amazonia googol goggle lloyds barclay correo corres netflex yahoos amazing mails telekon broker appel ' +
    'gitlab github instagrams webmaster webmails coinbases spotity intuits norton nortons horton morton santanders postbanks allegra allegre ' +
    'kraken krakens krakow rakutan twittr twitters blockchains facebooks dropboxes linkedins walmarts expedias roblux vodaphone telegrams telegraph ' +
    'evrik itaus adobes adore ebays impost imports impot inputs instapost outpost comcasts openair opencv openapi nonpost outlooks unicredits mastercards'
  ).split(' '),
)
