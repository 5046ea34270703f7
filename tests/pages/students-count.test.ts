import type { APIContext } from 'astro'
import { expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatStudentCount } from '../../src/pages/students/_format-student-count.ts'
import { GET } from '../../src/pages/v1/students/count.ts'
import { addTestMember, createOtherTenant, createTestTenant } from '../setup/tenants.ts'

async function count(actor: Actor | null, query: string, locale: 'uk' | 'en' = 'uk'): Promise<string> {
  const url = new URL(`https://school.test/v1/students/count?${query}`)
  const locals = { actor, locale, t: getTranslator(locale) }
  const response = (await GET({ url, locals } as never as APIContext)) as Response
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  return response.text()
}

test('the count of a list follows its query, in the language of the page', async () => {
  const home = await createTestTenant()
  const other = await createOtherTenant()
  for (const name of ['anna', 'bohdan', 'vira']) await addTestMember(home, 'STUDENT', `${name}@count.test`)
  await addTestMember(other, 'STUDENT', 'anna@other.test')
  expect(await count(home.as.OWNER, 'q=count.test')).toBe('Знайдено 3 студентів')
  expect(await count(home.as.DIRECTOR, 'q=anna&sort=name&cursor=whatever', 'en')).toBe('1 student found')
  await expect(count(home.as.CURATOR, '')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(count(null, '')).rejects.toMatchObject({ code: 'unauthorized' })
})

test('a count beyond its limit shows that there are more', () => {
  expect(formatStudentCount(getTranslator('uk'), 'uk', 501, 500)).toBe('Знайдено понад 500 студентів')
  expect(formatStudentCount(getTranslator('en'), 'en', 500, 500)).toBe('500 students found')
})
