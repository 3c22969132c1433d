/**
 * How the spam score does on labelled mail, with nothing known of the senders. The rules are written by hand, but their weights and the share
 * of long texts were chosen with a view to spamassassin, nazario and the Enron folders: this guards against getting worse, and says
 * little of mail from elsewhere.
 */
import t from 'tap'
import { areThere, FOLDER, measure, SOURCES } from './corpora.js'

const MAX_FALSE_SPAM = 0.005
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
