import t from 'tap'
import { PlaceSet } from '../../../src/mailbox/search/place-set.js'
import { below, randomFrom } from '../../support/random.js'

/** Numbers of events go on far from the last one after a restore. */
const FAR = 2 ** 40

t.test('sets of places are as sets of numbers', async (t) => {
  const random = randomFrom(3)
  const somewhere = (): number => below(random, 2) * FAR + below(random, 3) * 4096 + below(random, 40)
  const all = [0, FAR].flatMap((start) =>
    [0, 1, 2].flatMap((page) => Array.from({ length: 40 }, (_, i) => start + page * 4096 + i)),
  )
  for (let round = 0; round < 200; round++) {
    const [numbers, others] = [new Set<number>(), new Set<number>()]
    const [places, more] = [new PlaceSet(), new PlaceSet()]
    for (let i = below(random, 120); i > 0; i--) {
      const place = somewhere()
      numbers.add(place)
      places.add(place)
    }
    for (let i = below(random, 60); i > 0; i--) {
      const place = somewhere()
      others.add(place)
      more.add(place)
    }
    const those = (set: { has(place: number): boolean }): number[] => all.filter((place) => set.has(place))
    t.same(those(places), those(numbers))
    t.same(
      those(places.within(more)),
      all.filter((place) => numbers.has(place) && others.has(place)),
    )
    t.same(
      those(places.without(more)),
      all.filter((place) => numbers.has(place) && !others.has(place)),
    )
    t.same(
      those(places.and(more)),
      all.filter((place) => numbers.has(place) || others.has(place)),
    )
    t.same(those(places), those(numbers), 'they are not changed')
    t.same(
      [places.hasMoreThan(numbers.size - 1), places.hasMoreThan(numbers.size)],
      [numbers.size > 0, false],
      'and counted',
    )
  }
})
