import type { APIContext } from 'astro'
import { expect, test } from 'vitest'
import { findRoute } from '#lib/core/access/routes.ts'
import { keepUnsentForm } from '#lib/core/http/form.ts'
import { readUnsentForm } from '../../src/pages/_request/unsent-form.ts'

const QUESTIONS = '/test/0b7c2f0e-5d0c-4b2f-9d3c-6f2b3f1c9a11/questions?page=2'

function contextOf(path: string, body: FormData | null, actor: object | null = null): APIContext {
  const url = new URL(path, 'http://go.school.test')
  const request = new Request(url, body ? { method: 'POST', body } : {})
  return { url, request, locals: { actor, route: findRoute(url.pathname) } } as never
}

function answers(): FormData {
  const form = new FormData()
  form.append('intent', 'submit')
  form.append('a.1', 'так')
  form.append('a.1', 'ні')
  form.append('f.2', new File(['x'], 'x.txt'))
  return form
}

test('a form without a session is kept with its order, and the sign-in page is shown', async () => {
  const context = contextOf(QUESTIONS, answers())
  const request = await keepUnsentForm(context)
  expect(request?.method).toBe('GET')
  expect(new URL(request?.url ?? '').pathname).toBe('/login')
  expect(context.locals.unsentForm).toEqual({
    to: QUESTIONS,
    fields: [
      ['intent', 'submit'],
      ['a.1', 'так'],
      ['a.1', 'ні'],
    ],
  })
  expect(readUnsentForm(JSON.stringify(context.locals.unsentForm))).toEqual(context.locals.unsentForm)
})

test('nothing is kept of signed-in people, visits, other pages and forms that no sign-in form could carry', async () => {
  const long = new FormData()
  long.set('a.1', 'а'.repeat(500_000))
  const contexts = [
    contextOf(QUESTIONS, answers(), {}),
    contextOf(QUESTIONS, null),
    contextOf('/profile', answers()),
    contextOf(QUESTIONS, long),
  ]
  for (const context of contexts) {
    expect(await keepUnsentForm(context)).toBeNull()
    expect(context.locals.unsentForm).toBeUndefined()
  }
})

test.each([
  undefined,
  '',
  '{',
  '{"to":"/profile","fields":[]}',
  '{"to":"//elsewhere.test/test/1/questions","fields":[]}',
  '{"to":"https://elsewhere.test/test/1/questions","fields":[]}',
  '{"to":"/test/1/questions","fields":[["a",1]]}',
  '{"to":"/\\\\elsewhere.test/test/1/questions","fields":[]}',
])('%s is no kept form', (text) => {
  expect(readUnsentForm(text)).toBeNull()
})
