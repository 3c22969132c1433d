/** Links that lead to programs, or to programs of the reader's own computer by their schemes; and brands in paths of other hosts. */
import { BRANDS } from './brands.js'
import { ownerOf } from './domains.js'
import { FREE_HOSTS, SHORTENERS, UPLOAD_HOSTS } from './link-hosts.js'
import { brandOf } from './lookalike.js'

/** Schemes that start a program with the link as its argument, or open a folder of another server. */
const HANDLERS =
  /^(?:search|search-ms|ms-msdt|ms-appinstaller|ms-officecmd|ms-search|ms-cxh(?:-full)?|shell|file|smb|afp|itms-services|jnlp|hcp|res|mhtml|wscript|powershell):$/
const PROGRAM =
  /\.(?:exe|scr|pif|cpl|msi|msix|appinstaller|hta|jse?|vb[es]|wsf|bat|cmd|ps1|lnk|jar|xll|iso|img|vhdx?|apk|dmg|pkg|chm|one|url|library-ms)$/i
const ARCHIVE = /\.(?:zip|rar|7z|tar|t?gz|cab|ace|arj|r\d\d)$/i
/** Assets of pages, which every page has. */
const ASSET = /\.js$/i
/** Homes of software, where programs are expected. */
const SOFTWARE =
  /^(?:github\.com|gitlab\.com|sourceforge\.net|codeberg\.org|bitbucket\.org|npmjs\.(?:org|com)|pypi\.org|python\.org|nodejs\.org|debian\.org|ubuntu\.com|mozilla\.(?:org|net)|microsoft\.com|apple\.com|google\.com|jetbrains\.com|docker\.com|visualstudio\.com|kernel\.org|apache\.org|videolan\.org|libreoffice\.org|documentfoundation\.org)$/

export interface LeadsTo {
  kind: 'handler' | 'program' | 'free program' | 'free archive'
  what: string
}

/** @param host in Unicode; '' for links that are not for the web */
export function leadsTo(url: URL, host: string): LeadsTo | undefined {
  if (host === '') {
    // A file of the reader's own computer is a slip of the author; one of another server is not.
    const isOwn = url.protocol === 'file:' && url.host === '' && !/^\/{2,}/.test(url.pathname)
    return HANDLERS.test(url.protocol) && !isOwn ? { kind: 'handler', what: url.protocol } : undefined
  }
  const file = fileOf(url)
  const isArchive = ARCHIVE.test(file)
  if (!isArchive && (!PROGRAM.test(file) || ASSET.test(file))) return undefined
  const owner = ownerOf(host)
  const isFree =
    UPLOAD_HOSTS.has(host) ||
    UPLOAD_HOSTS.has(owner.domain) ||
    FREE_HOSTS.has(owner.domain) ||
    isAddress(host) ||
    (owner.isGuest && !/^github\.io$/.test(owner.domain))
  if (isFree) return { kind: isArchive ? 'free archive' : 'free program', what: file }
  return isArchive || SOFTWARE.test(owner.domain) ? undefined : { kind: 'program', what: file }
}

/** The last name in the path, or the file that the query of a download page names. */
function fileOf({ pathname, searchParams }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (PROGRAM.test(last) || ARCHIVE.test(last)) return last.slice(-80)
  for (const name of ['file', 'filename', 'name', 'download']) {
    const value = searchParams.get(name)
    if (value !== null && /^[^?#]{1,300}$/.test(value)) return value.slice(-80)
  }
  return last.slice(-80)
}

const isAddress = (host: string): boolean => /^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)

const LOGIN = /^(?:log-?in|sign-?in|verif\w{0,8}|secur\w{0,5}|account|auth|confirm|update|unlock|billing|wallet|webscr)/
const NAMES = new Map(BRANDS.filter(({ word, name }) => !word && name.length >= 3).map((brand) => [brand.name, brand]))

/**
 * A brand as a whole name in the path, followed by words of a sign-in page: `/paypal/login.php`, `/dhl-tracking/verify`. News about a brand is at
 * `/news/paypal-results`, without such words.
 */
export function brandInPath(url: URL, host: string): string | undefined {
  if (host === '' || url.pathname.length < 5 || url.pathname.length > 500) return undefined
  const owner = ownerOf(host)
  if (brandOf(owner) || SOFTWARE.test(owner.domain) || SHORTENERS.has(owner.domain)) return undefined
  const names = url.pathname.toLowerCase().split('/')
  for (const [index, name] of names.entries()) {
    const [first = '', ...others] = name.split(/[-_.]/)
    const brand = NAMES.get(first)
    if (brand && [...others, ...names.slice(index + 1)].some((word) => LOGIN.test(word)))
      return brand.domains[0] ?? first
  }
  return undefined
}
