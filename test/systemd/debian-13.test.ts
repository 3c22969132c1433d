/** The page about installing, on Debian 13. */
import t from 'tap'
import { debianSkip, debianStory } from './debian-story.js'

t.test('from a bare Debian 13 to mail in both directions, an upgrade, and away again', { skip: debianSkip }, (t) =>
  debianStory(t, 'trixie'),
)
