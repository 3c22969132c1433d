/** House styles of services that send HTML, and the HTML of mail clients. */
import type { Random } from '../template.js'
import type { Style } from './layout.js'

interface Sender {
  company: string
  host: string
  /** What lists show beside the subject; hidden in the message. */
  preheader: string
}

const COLOURS = ['#1a73e8', '#0b6e4f', '#d9480f', '#5f3dc4', '#222222', '#c2255c', '#00695c', '#f59f00']
const FONTS = [
  'Arial, Helvetica, sans-serif',
  "'Helvetica Neue', Helvetica, Arial",
  'Georgia, serif',
  '-apple-system, Segoe UI, Roboto',
  'Verdana',
]

/** As a service sends. */
export function houseStyle(random: Random, sender: Sender): Style {
  const colour = random.pick(COLOURS)
  const font = random.pick(FONTS)
  const preheader = random.chance(0.7)
    ? `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;">${sender.preheader}${random.chance(0.4) ? '&nbsp;&zwnj;'.repeat(random.int(6, 40)) : ''}</div>`
    : ''
  const logo = `<img src="https://${random.pick(['cdn', 'static', 'img', 'assets', 'www'])}.${sender.host}/${random.pick(['logo', 'mail/logo@2x', 'email/header'])}.png" width="${random.int(90, 180)}" alt="${sender.company}">`
  const pixel = random.chance(0.5)
    ? `<img src="https://${random.pick(['track', 'e', 'o', 'open'])}.${sender.host}/o/${random.int(1e7, 9e7)}.gif" width="1" height="1" alt="">`
    : ''
  const common = {
    title: (html: string) =>
      `<h1 style="font-size:${random.pick([20, 22, 24, 28])}px;color:${random.pick(['#111', colour])}">${html}</h1>`,
    small: (html: string) => `<p style="font-size:${random.pick([11, 12])}px;color:#888888">${html}</p>`,
    button: (html: string) =>
      `<table role="presentation" cellpadding="0" cellspacing="0"><tr><td bgcolor="${colour}" style="border-radius:4px">${html}</td></tr></table>`,
    buttonAttributes: ` style="display:inline-block;padding:12px 24px;background:${colour};color:#ffffff;text-decoration:none;border-radius:4px"${random.chance(0.4) ? ' target="_blank"' : ''}`,
    table: 'cellpadding="0" cellspacing="0" width="100%"',
  }
  return random.pick<() => Style>([
    () => ({
      ...common,
      paragraph: (html) => `<p style="margin:0 0 16px;font-family:${font};font-size:15px;line-height:1.5">${html}</p>`,
      page: (body) =>
        `<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${sender.company}</title></head><body style="margin:0;background:#f4f4f4">${preheader}<table role="presentation" width="100%"><tr><td align="center"><table role="presentation" width="600" style="background:#ffffff"><tr><td style="padding:24px">${logo}</td></tr><tr><td style="padding:0 24px 24px">\n${body}\n</td></tr></table></td></tr></table>${pixel}</body></html>`,
    }),
    () => ({
      ...common,
      paragraph: (html) => `<p>${html}</p>`,
      button: (html) => `<p>${html}</p>`,
      page: (body) =>
        `<html><body style="font-family:${font};color:#333;max-width:560px">${preheader}\n${body}\n${pixel}</body></html>`,
    }),
    () => ({
      ...common,
      paragraph: (html) =>
        `<tr><td style="padding:8px 32px;font-family:${font};font-size:16px;color:#3d3d3d">${html}</td></tr>`,
      title: (html) => `<tr><td style="padding:24px 32px 8px"><h2 style="margin:0">${html}</h2></td></tr>`,
      small: (html) =>
        `<tr><td style="padding:16px 32px;background:#fafafa;font-size:12px;color:#999">${html}</td></tr>`,
      button: (html) => `<tr><td align="center" style="padding:16px 32px">${html}</td></tr>`,
      page: (body) =>
        `<!doctype html><html xmlns:v="urn:schemas-microsoft-com:vml"><head><!--[if mso]><style>td{font-family:Arial}</style><![endif]--><style>@media only screen and (max-width:480px){.w{width:100%!important}} a{color:${colour}}</style></head><body>${preheader}<center><table class="w" width="640" border="0"><tr><td style="background:${colour};padding:20px 32px">${logo}</td></tr>\n${body}\n</table></center>${pixel}</body></html>`,
    }),
    () => ({
      ...common,
      paragraph: (html) => `<div style="padding:6px 0">${html}</div>`,
      page: (body) =>
        `<div style="font-family:${font};font-size:14px">${preheader}${logo}<hr style="border:0;border-top:1px solid #eee">\n${body}\n</div>${pixel}`,
    }),
  ])()
}

/** As people write. */
export function clientStyle(random: Random): Style {
  const plain = {
    title: (html: string) => `<h3>${html}</h3>`,
    small: (html: string) => `<div><font size="1" color="#999999">${html}</font></div>`,
    button: (html: string) => `<div>${html}</div>`,
    buttonAttributes: '',
    table: 'border="1" cellspacing="0"',
  }
  return random.pick<Style>([
    {
      ...plain,
      paragraph: (html) => `<div>${html}</div><div><br></div>`,
      page: (body) => `<div dir="ltr">${body}</div>`,
    },
    {
      ...plain,
      paragraph: (html) =>
        `<p class="MsoNormal"><span style="font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif">${html}<o:p></o:p></span></p>`,
      page: (body) =>
        `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang="EN-GB" link="#0563C1"><div class="WordSection1">${body}</div></body></html>`,
    },
    {
      ...plain,
      paragraph: (html) => `<p>${html}</p>`,
      page: (body) =>
        `<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body>${body}</body></html>`,
    },
    {
      ...plain,
      paragraph: (html) => `${html}<br><br>`,
      page: (body) => `<html><body dir="auto">${body}<div dir="ltr">-- </div></body></html>`,
    },
  ])
}

/** Where a click is counted before it goes on: at the sender's own domain, or at the service that sends for it. */
export function clickCounter(random: Random, host: string): (target: string) => string {
  const id = (): string => `${random.int(1e8, 9e8).toString(36)}${random.int(1e8, 9e8).toString(36)}`
  const own = random.pick([
    `click.${host}/c`,
    `links.${host}/e/c`,
    `email.${host}/ls/click?upn=`,
    `t.${host}/r`,
    `go.${host}`,
    `news.${host}/l`,
  ])
  const service = random.pick([
    `u${random.int(1e6, 9e6)}.ct.sendgrid.net/ls/click?upn=`,
    `${host.split('.')[0]}.us${random.int(2, 21)}.list-manage.com/track/click?u=${id()}&id=`,
    `${random.int(1e5, 9e5).toString(36)}.r.eu-west-1.awstrack.me/L0/`,
    `${random.int(1e5, 9e5).toString(36)}.r.a.d.sendibm1.com/mk/cl/f/`,
  ])
  const by = random.chance(0.65) ? own : service
  const known = new Map<string, string>()
  return (target) => {
    const url = known.get(target) ?? `https://${by}${by.endsWith('=') || by.endsWith('/') ? '' : '/'}${id()}`
    known.set(target, url)
    return url
  }
}
