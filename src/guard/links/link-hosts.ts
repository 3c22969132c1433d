/** Hosts known for what they do: shorten, redirect, or host pages of anyone. Data; none is a sign by itself. */

const list = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/))

/** Domains that hide the target of a link. */
export const SHORTENERS = list(
  `bit.ly bitly.com tinyurl.com t.co goo.gl ow.ly is.gd v.gd buff.ly rebrand.ly rb.gy cutt.ly shorturl.at tiny.cc t.ly s.id bl.ink lnkd.in
  adf.ly shorte.st soo.gd clck.ru qr.ae trib.al dlvr.it mcaf.ee urlz.fr u.to x.co tr.im cli.gs bc.vc po.st shrtco.de 1url.com hyperurl.co
  urlr.me kutt.it short.io chilp.it v.ht qrco.de me-qr.com linktr.ee tiny.one snip.ly t2m.io surl.li zpr.io vk.cc shorturl.asia dub.sh han.gl
  rotf.lol n9.cl goolnk.com tny.im l.ead.me`,
)

/** Hosts where anyone can publish a page within minutes, besides those in the private part of the public suffix list. */
export const FREE_HOSTS = list(
  `weebly.com wixsite.com wordpress.com sites.google.com docs.google.com forms.gle forms.office.com jimdosite.com godaddysites.com square.site
  webflow.io glitch.me repl.co replit.app firebaseapp.com web.app 000webhostapp.com netlify.app vercel.app pages.dev workers.dev r2.dev
  herokuapp.com azurewebsites.net blogspot.com github.io gitlab.io surge.sh onrender.com fly.dev ngrok.io ngrok-free.app ngrok.app trycloudflare.com
  typeform.com jotform.com formstack.com cognitoforms.com telegra.ph carrd.co strikingly.com ucraft.net mystrikingly.com notion.site
  infinityfreeapp.com duckdns.org ddns.net no-ip.org hopto.org zapto.org sytes.net dynv6.net ipfs.io dweb.link framer.app framer.website softr.app
  backblazeb2.com blob.core.windows.net z13.web.core.windows.net s3.amazonaws.com storage.googleapis.com pantheonsite.io gitbook.io`,
)

/** Hosts where anyone can put a file, a paste or raw text: known programs come from elsewhere. */
export const UPLOAD_HOSTS = list(
  `cdn.discordapp.com media.discordapp.net mediafire.com mega.nz mega.io anonfiles.com gofile.io transfer.sh file.io wetransfer.com we.tl
  sendspace.com zippyshare.com uploadfiles.io ufile.io filebin.net catbox.moe litterbox.catbox.moe pixeldrain.com krakenfiles.com send.cm
  limewire.com bashupload.com temp.sh tmpfiles.org 0x0.st oshi.at dropmefiles.com easyupload.io fex.net qaz.im workupload.com 1fichier.com
  dropboxusercontent.com dl.dropboxusercontent.com drive.usercontent.google.com raw.githubusercontent.com gist.githubusercontent.com
  pastebin.com paste.ee rentry.co hastebin.com ghostbin.com pastes.io controlc.com api.telegram.org cdn.telegram.org t.me
  ipfs.io dweb.link cloudflare-ipfs.com gateway.pinata.cloud nftstorage.link w3s.link fleek.co archive.org`,
)

interface Redirector {
  host: RegExp
  path: RegExp
  /** Query parameters that may hold the target. */
  parameters: string[]
  /** Wraps links to check them when they are opened, which is no sign against the link. */
  protects?: true
}

const GOOGLE = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/

/** Pages of well-known hosts that redirect to any target in the link. */
const REDIRECTORS: Redirector[] = [
  {
    host: GOOGLE,
    path: /^\/(?:url|imgres|local_url)$/,
    parameters: ['q', 'url', 'imgurl'],
  },
  { host: /^(?:www\.)?youtube\.com$/, path: /^\/redirect$/, parameters: ['q'] },
  { host: /^(?:l|lm|www)\.(?:facebook|instagram)\.com$/, path: /^\/(?:l\.php|flx\/warn\/)?$/, parameters: ['u'] },
  {
    host: /^(?:www\.)?linkedin\.com$/,
    path: /^\/(?:redir\/redirect|safety\/go|authwall)$/,
    parameters: ['url', 'sessionRedirect'],
  },
  { host: /^slack-redir\.net$/, path: /^\/link$/, parameters: ['url'] },
  { host: /^(?:t\.umblr\.com|href\.li|out\.reddit\.com|steamcommunity\.com)$/, path: /^\//, parameters: ['z', 'url'] },
  {
    host: /(?:^|\.)(?:doubleclick\.net|googleadservices\.com|googlesyndication\.com)$/,
    path: /^\//,
    parameters: ['adurl', 'ds_dest_url'],
  },
  { host: /^(?:www\.)?bing\.com$/, path: /^\/(?:ck\/a|alink\/link)$/, parameters: ['u', 'url'] },
  { host: /^(?:www\.)?baidu\.com$/, path: /^\/link$/, parameters: ['url'] },
  { host: /^(?:vk\.com|away\.vk\.com)$/, path: /^\/away(?:\.php)?$/, parameters: ['to'] },
  { host: /^medium\.com$/, path: /^\/r\/$/, parameters: ['url'] },
  { host: /\.safelinks\.protection\.outlook\.com$/, path: /^\//, parameters: ['url'], protects: true },
  { host: /^urldefense\.(?:proofpoint\.com|com|us)$/, path: /^\/v\d/, parameters: ['u'], protects: true },
  { host: /^linkprotect\.cudasvc\.com$/, path: /^\//, parameters: ['a'], protects: true },
]

/** Most hosts are none of them: one look tells. */
const ANY_REDIRECTOR = new RegExp(REDIRECTORS.map(({ host }) => host.source).join('|'))

export interface Redirection {
  target: string
  /** True if anyone may use the page as a redirector and it does not protect its reader. */
  isOpen: boolean
}

const ABSOLUTE = /^https?:\/\//i

/** The target of a link to a known redirector; undefined for all others. */
export function redirectionOf(url: URL): Redirection | undefined {
  if (url.search === '' && url.pathname.length < 9) return undefined
  const { hostname, pathname } = url
  if (!ANY_REDIRECTOR.test(hostname)) return undefined
  const known = REDIRECTORS.find(({ host, path }) => host.test(hostname) && path.test(pathname))
  if (known) {
    for (const name of known.parameters) {
      const value = url.searchParams.get(name)
      const target = value === null ? undefined : targetIn(value)
      if (target !== undefined) return { target, isOpen: known.protects !== true }
    }
    // Proofpoint: https://urldefense.com/v3/__https://host/path__;…
    const inPath = /^\/v3\/__(https?:\/{1,2}[^_]{1,2000})/i.exec(pathname)?.[1]
    if (inPath !== undefined) return { target: inPath.replace(/^(https?:)\/(?!\/)/i, '$1//'), isOpen: false }
  }
  const amp = /^\/amp\/s\/([^/]{1,253}\/?.{0,1500})$/.exec(pathname)?.[1]
  if (amp !== undefined && GOOGLE.test(hostname)) return { target: `https://${amp}`, isOpen: true }
  return undefined
}

function targetIn(value: string): string | undefined {
  if (ABSOLUTE.test(value)) return value
  // Proofpoint's second form writes `-3A__` for `://`; Bing's is Base64 behind `a1`.
  if (/^https?-3A__/i.test(value)) return value.replace(/^(https?)-3A__/i, '$1://').replaceAll('_', '/')
  if (/^a1aHR0c[\w-]{4,2000}$/.test(value)) {
    const decoded = Buffer.from(value.slice(2), 'base64url').toString()
    return ABSOLUTE.test(decoded) ? decoded : undefined
  }
  return undefined
}
