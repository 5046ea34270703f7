import { describe, expect, test } from 'vitest'
import { activeFilters, changeAddress } from '#layouts/ui/filter-address.ts'

const url = new URL('https://demo.kafedra.test/homework?tab=mine&course=7&q=Олена&cursor=abc&notice=saved')

describe('address of a filtered list', () => {
  test('keeps known parameters and drops the place in the pages and messages of the last action', () => {
    expect(changeAddress(url, ['tab', 'course', 'q'])).toBe(
      `/homework?${new URLSearchParams({ tab: 'mine', course: '7', q: 'Олена' })}`,
    )
  })

  test('removes, replaces and adds parameters', () => {
    expect(changeAddress(url, ['tab', 'course'], { course: null })).toBe('/homework?tab=mine')
    expect(changeAddress(url, ['tab', 'course'], { course: '9', cursor: 'next' })).toBe(
      '/homework?tab=mine&course=9&cursor=next',
    )
  })

  test('is the bare path when nothing is left', () => {
    expect(changeAddress(url, [])).toBe('/homework')
  })

  test('keeps all values of a parameter and omits empty ones', () => {
    const repeated = new URL('https://demo.kafedra.test/team?role=mentor&role=author&q=')
    expect(changeAddress(repeated, ['role', 'q'])).toBe('/team?role=mentor&role=author')
  })
})

describe('active filters', () => {
  const options = [
    { value: 'draft', label: 'Чернетки' },
    { value: 'published', label: 'Опубліковані' },
  ]
  const select = { name: 'status', label: 'Стан', options }

  test('names the chosen option and the search as text', () => {
    const filters = activeFilters([{ ...select, value: 'draft' }], { name: 'q', label: 'Назва', value: ' курс ' })
    expect(filters).toEqual([
      { name: 'status', label: 'Стан', value: 'Чернетки' },
      { name: 'q', label: 'Назва', value: 'курс' },
    ])
  })

  test('has nothing for the option that does not filter, an unknown value or an empty search', () => {
    const search = { name: 'q', label: 'Назва', value: '  ' }
    expect(activeFilters([{ ...select, value: '' }], search)).toEqual([])
    expect(activeFilters([{ ...select, value: 'all', anyValue: 'all' }])).toEqual([])
    expect(activeFilters([{ ...select, value: 'tampered' }])).toEqual([])
  })
})
