import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cleanName,
  clipName,
  fullName,
  NamePart,
  PERSON_NAME_LIMIT,
  PersonName,
  RequiredPersonName,
  splitName,
} from '#lib/core/shared/text/person-name.ts'

describe("a person's name", () => {
  test.each([
    ['Анна-Марія О’Ніл'],
    ["Дар'я Мур'ян"],
    ['Дарʼя'],
    ['José Ñandú-Łukasz'],
    ['李小龍'],
    ['محمد'],
    ['-'],
    ['Bob (the builder) [1] {2} a|b ^ $ * + ? .'],
    ['🎹 Соломія'],
    ['می\u200cخواهم'],
    ['ක්\u200dෂිතිජ'],
    ['न्\u200dनेहा'],
    ['Олена 👩\u200d💻 👩🏽\u200d🎤 🏳\ufe0f\u200d🌈'],
  ])('%j stays as it is typed', (name) => expect(RequiredPersonName.parse(name)).toBe(name))

  test.each([
    ['  Олена  ', 'Олена'],
    ['Олена\r\nКоваль', 'Олена Коваль'],
    ['Олена\tКоваль\u0000', 'Олена Коваль'],
    ['Олена\u2028\u2029Коваль', 'Олена Коваль'],
    ['\u202eanelO\u202c', 'anelO'],
    ['О\u200bле\u00adна\ufeff', 'Олена'],
    ['\u2066Олена\u2069\u061c', 'Олена'],
    ['Олена\ud800', 'Олена'],
    ['Ол\u200dе\u200cна\u200d', 'Олена'],
    ['می\u200c\u200c', 'می'],
    ['👩\u200dа', '👩а'],
    ['і\u0308', 'ї'],
  ])('%j becomes %j', (typed, name) => expect(PersonName.parse(typed)).toBe(name))

  test('without visible characters is missing', () => {
    const invisible = ['', ' ', '\u200b', '\u202e\u0000', '\u200d', '\u200d\ufe0f', '\u3164', '\u2800 \u115f', '\u0308']
    for (const typed of invisible) expect(RequiredPersonName.safeParse(typed).success).toBe(false)
  })

  test('may be as long as the limit and no longer', () => {
    expect(PersonName.parse('я'.repeat(PERSON_NAME_LIMIT))).toHaveLength(PERSON_NAME_LIMIT)
    expect(PersonName.safeParse('я'.repeat(PERSON_NAME_LIMIT + 1)).success).toBe(false)
    // This character is normalized to four: the limit applies to the stored text.
    expect(PersonName.safeParse('\u{1d160}'.repeat(60)).success).toBe(false)
  })

  test('that is valid stays valid and unchanged when parsed again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (typed) => {
        const name = PersonName.safeParse(typed)
        if (!name.success) return
        expect(PersonName.parse(name.data)).toBe(name.data)
        expect(name.data.isWellFormed()).toBe(true)
        expect(name.data).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      }),
      { numRuns: 1000 },
    )
  })

  test('that is cut is still a valid name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400, size: 'max' }), (typed) => {
        expect(PersonName.parse(clipName(typed))).toBe(clipName(typed))
      }),
    )
    expect(fullName({ firstName: 'я'.repeat(80), lastName: 'ї'.repeat(80) })).toHaveLength(PERSON_NAME_LIMIT)
    expect(splitName(`${'я'.repeat(200)} ${'ї'.repeat(200)}`)).toEqual({
      firstName: 'я'.repeat(80),
      lastName: 'ї'.repeat(80),
    })
    expect(NamePart.safeParse(splitName('Марія Іванівна Коваль').lastName).data).toBe('Іванівна Коваль')
    expect(cleanName(fullName({ firstName: '', lastName: '' }))).toBe('')
  })
})
