/** Templates of wanted mail. */
import type { Template } from '../template.js'
import { accountEn } from './account-en.js'
import { moreEurope } from './more-europe.js'
import { moreWorld } from './more-world.js'
import { dutch } from './dutch.js'
import { italian } from './italian.js'
import { polish } from './polish.js'
import { portuguese } from './portuguese.js'
import { french } from './french.js'
import { spanish } from './spanish.js'
import { german } from './german.js'
import { newsEn } from './news-en.js'
import { agentsEn } from './agents-en.js'
import { privateEn } from './private-en.js'
import { supportEn } from './support-en.js'
import { workEn } from './work-en.js'
import { ordersEn } from './orders-en.js'

export const legitimate: Template[] = [
  accountEn,
  agentsEn,
  moreEurope,
  moreWorld,
  dutch,
  italian,
  polish,
  portuguese,
  french,
  spanish,
  german,
  newsEn,
  ordersEn,
  privateEn,
  supportEn,
  workEn,
].flat()
