/** The page about installing, on Debian 12. */
import t from 'tap'
import { debianSkip, debianStory } from './debian-story.js'

t.test('from a bare Debian 12 to mail in both directions, an upgrade, and away again', { skip: debianSkip }, (t) =>
  debianStory(t, 'bookworm'),
)
