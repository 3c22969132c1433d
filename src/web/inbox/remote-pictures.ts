/** Asking for the pictures of one message that stand on other servers: a link that only this session can have made. */
import { createHmac } from 'node:crypto'
import type { Visitor } from '../page/page.js'
import type { FetchPictures } from './fetch-pictures.js'

/** Value of the query `pictures` for a message. A stranger can't make it, so no link of theirs makes the server fetch anything. */
export const picturesQuery = ({ mark }: Visitor, messageId: string): string =>
  createHmac('sha256', mark).update(`pictures\0${messageId}`).digest('base64url').slice(0, 22)

/** As the sanitiser writes it: within a tag no `<` and `>`, within a value no quote. */
const REMOTE = /(<img\b[^<>]*?) src="(https?:[^"<>]*)"/gi

/** @param safe made by the sanitiser with pictures of other servers @returns the same with `data:` pictures, and without those that could not be had */
export async function withRemotePictures(safe: string, fetchPictures: FetchPictures): Promise<string> {
  const written = new Set([...safe.matchAll(REMOTE)].map(([, , link = '']) => link))
  const links = new Map([...written].map((link) => [link, unescapeHtml(link)]))
  const pictures = await fetchPictures(new Set(links.values()))
  return safe.replace(REMOTE, (_all, start: string, link: string) => {
    const picture = pictures.get(links.get(link) ?? '')
    return picture === undefined ? start : `${start} src="${picture}"`
  })
}

/** The entities that the sanitiser writes in values. */
const unescapeHtml = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
