import { expect, test } from 'vitest'
import { redirectToChosenLocale } from '#lib/core/i18n/locale-choice.ts'

const visit = (target: string, method = 'GET') => {
  const url = new URL(target, 'http://kafedra.localhost')
  return redirectToChosenLocale({ url, request: new Request(url, { method }) })
}

test('sets the language named in the query, and shows the page without it', () => {
  const answer = visit('/login?return=%2Fcourses&locale=en')
  expect([answer?.status, answer?.headers.get('location')]).toEqual([303, '/login?return=%2Fcourses'])
  expect(answer?.headers.get('set-cookie')).toContain('locale=en')
})

test('does not touch the input of an API call', () => {
  expect(visit('/v1/module/registration/previewEmail?locale=en')).toBeNull()
})

test('ignores unknown languages and forms', () => {
  expect(visit('/login?locale=xx')).toBeNull()
  expect(visit('/login?locale=en', 'POST')).toBeNull()
})
