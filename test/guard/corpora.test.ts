/**
 * How the spam score does on labelled mail, with nothing known of the senders, which is the hardest it gets. The rules are written by hand
 * and have no numbers that were fitted to these files.
 */
import t from 'tap'
import { areThere, FOLDER, measure, SOURCES } from './corpora.js'

const MAX_FALSE_SPAM = 0.005
/** Anything that takes longer holds up others. */
const percent = (share: number, all: number): string => (all === 0 ? '-' : `${((100 * share) / all).toFixed(2)} %`)

t.test(
  'of legitimate mail at most 5 in 1,000 of each source are called spam, and none is refused',
  { skip: areThere() ? false : `${FOLDER} is not there` },
  async (t) => {
    for (const source of SOURCES) {
      const { legit, unwanted } = measure(source)
      t.comment(
        `${source}: legitimate ${legit.messages}, over the spam line ${legit.spam} (${percent(legit.spam, legit.messages)}), refused ${legit.reject}; ` +
          `unwanted ${unwanted.messages}, found ${unwanted.spam} (${percent(unwanted.spam, unwanted.messages)}), refused ${unwanted.reject}`,
      )
      t.ok(legit.spam <= MAX_FALSE_SPAM * legit.messages, `${source}: ${legit.spam} of ${legit.messages}`)
      t.equal(legit.reject, 0, `${source}: refused`)
    }
  },
)
