import { describe, expect, test } from 'vitest'
import { createPseudonyms } from '#lib/autowebinar/pseudonym.ts'

const salts = Array.from({ length: 200 }, (_, index) => `salt ${index}`)

describe('pseudonyms', () => {
  test('are never names of real participants, not even first names', () => {
    const names = salts.map((salt) => createPseudonyms('uk', salt, ['Петро Спам', 'ольга коваль'])('person'))
    expect(new Set(names).size).toBeGreaterThan(50)
    for (const name of names) expect(name).not.toMatch(/^(Петро|Ольга) /u)
  })

  test('are unique for everybody, even when all first names are taken', () => {
    const real = salts.map((salt) => createPseudonyms('uk', salt, [])('person'))
    const nameFor = createPseudonyms('uk', 'one', real)
    const people = Array.from({ length: 3000 }, (_, index) => nameFor(`person ${index}`))
    expect(new Set([...people, ...real]).size).toBe(3000 + new Set(real).size)
    expect(nameFor('person 7')).toBe(people[7])
  })
})
