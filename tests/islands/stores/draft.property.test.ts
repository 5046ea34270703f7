import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeWorld, settle, type Weather } from './world.ts'

type Step =
  | { do: 'type' }
  | { do: 'pass'; milliseconds: number }
  | { do: 'blur' }
  /** The next character is typed while the text is being sent. */
  | { do: 'hurry' }
  | { do: 'weather'; weather: Weather }
  | { do: 'crash' }
  | { do: 'stranger' }
  | { do: 'refresh' }
  | { do: 'choose'; choice: 'mine' | 'theirs' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>({ do: 'type' }) },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 0, max: 3000 }).map((milliseconds): Step => ({ do: 'pass', milliseconds })),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'blur' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'hurry' }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<Weather>('good', 'offline', 'signedOut', 'refused', 'fault', 'answerLost')
      .map((weather): Step => ({ do: 'weather', weather })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'crash' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'stranger' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'refresh' }) },
  { weight: 2, arbitrary: fc.constantFrom('mine', 'theirs').map((choice): Step => ({ do: 'choose', choice })) },
)

test.each([
  ['counters', 1],
  ['digests', -1],
])(
  'whatever happens at whatever moment, the last text is kept and no other is replaced unasked: versions are %s',
  async (_, stride) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const { world, start, pass, crash, write, kept, read } = makeWorld({ step: stride })
        let draft = start()
        await draft.restore()
        let typed = ''
        let count = 0
        /** Versions by other users that the user has not agreed to replace. */
        const strangers = new Set<number>()

        for (const each of steps) {
          if (each.do === 'type') {
            count += 1
            typed = `mine ${count}`
            draft.type(typed)
          } else if (each.do === 'pass') await pass(each.milliseconds)
          else if (each.do === 'blur') await draft.flush()
          else if (each.do === 'hurry') {
            const going = draft.flush()
            count += 1
            typed = `mine ${count}`
            draft.type(typed)
            await going
          } else if (each.do === 'weather') world.weather = each.weather
          else if (each.do === 'stranger') strangers.add(write(`stranger ${world.server.version}`))
          else if (each.do === 'refresh') {
            const wasSaved = draft.state().kind === 'saved'
            await draft.refresh(read)
            // The user has no unsaved text and sees the server's text.
            if (wasSaved) {
              strangers.clear()
              typed = draft.value()
            }
          } else if (each.do === 'choose') {
            const state = draft.state()
            if (state.kind !== 'conflict') continue
            strangers.delete(state.theirVersion)
            if (each.choice === 'theirs') typed = state.theirs
            await draft.resolve(each.choice)
          } else {
            await draft.whenStored()
            crash(draft)
            const storedDraft = kept(draft)
            draft = start()
            await draft.restore()
            if (storedDraft !== undefined) expect(draft.value()).toBe(storedDraft)
            // A page that is rendered again shows the server's text, which the user has then seen.
            if (draft.state().kind !== 'conflict') {
              strangers.clear()
              typed = draft.value()
            }
          }
          await settle()
          await draft.whenStored()

          const places = [world.server.value, kept(draft), draft.value()]
          expect(places).toContain(typed)
          const onlyInMemory = world.server.value !== typed && kept(draft) !== typed
          expect(onlyInMemory && !strangers.has(world.server.version) && typed !== '').toBe(false)
          for (const version of strangers) {
            const after = world.history.get(version + stride)
            expect(after === undefined || after.startsWith('stranger')).toBe(true)
          }
        }
      }),
      { numRuns: 300 },
    )
  },
)
