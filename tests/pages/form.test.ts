import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal, type RefusalCode } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { runFormAction } from '../../src/pages/_request/form-actions.ts'
import { attemptForm } from '../../src/pages/_request/form-outcome.ts'

const locals = { t: getTranslator('en') } as App.Locals
const Person = z.object({ email: z.email(), password: z.string().min(8) })

function pageWith(fields: readonly (readonly [string, string])[]) {
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  return { locals, request: new Request('http://school.test/page', { method: 'POST', body }) }
}

test('invalid input is reported next to its field, with what was typed except for secrets', async () => {
  const form = { email: 'olena', password: 'long enough', roles: ['EXPERT', 'CURATOR'] }
  const { done, refused } = await attemptForm({ locals }, Person, form, async () => 'saved')
  expect(done).toBeNull()
  expect(refused).toMatchObject({ status: 400, typed: { email: 'olena', roles: 'CURATOR' } })
  expect(Object.keys(refused?.fields ?? {})).toEqual(['email'])
  expect(refused?.values).toEqual({ email: ['olena'], roles: ['EXPERT', 'CURATOR'] })
})

test('a form is run with its parsed input', async () => {
  const form = { email: 'olena@school.test', password: 'long enough', intent: 'save' }
  const { done } = await attemptForm({ locals }, Person, form, async (input) => input)
  expect(done).toEqual({ email: 'olena@school.test', password: 'long enough' })
})

test('a refusal keeps all values, and its reason applies to the form', async () => {
  const page = pageWith([
    ['intent', 'save'],
    ['answer', 'first'],
    ['answer', 'second'],
  ])
  const refuse = () => Promise.reject(new Refusal('conflict', { fields: { form: ['invalid'], answer: ['required'] } }))
  const form = await runFormAction(page, { save: refuse })
  expect(form).toMatchObject({ to: null, status: 409, intent: 'save', values: { answer: ['first', 'second'] } })
  expect(form.message).toBe(form.errors.form?.[0])
  expect(form.errors.answer).toHaveLength(1)
})

test.each<RefusalCode>(['unauthorized', 'forbidden', 'not_found'])('%s leads to the error page', async (code) => {
  const refuse = () => Promise.reject(new Refusal(code))
  await expect(runFormAction(pageWith([['intent', 'save']]), { save: refuse })).rejects.toMatchObject({ code })
})

test('a page names the refusals of its error pages', async () => {
  const refuse = () => Promise.reject(new Refusal('unauthorized'))
  expect(await runFormAction(pageWith([['intent', 'save']]), { save: refuse }, ['not_found'])).toMatchObject({
    status: 401,
  })
})

test('a form without a known action is refused, a bug is thrown', async () => {
  await expect(runFormAction(pageWith([['intent', 'toString']]), {})).rejects.toMatchObject({ code: 'invalid' })
  const fail = () => Promise.reject(new Error('bug'))
  await expect(runFormAction(pageWith([['intent', 'save']]), { save: fail })).rejects.toThrow('bug')
})

test('a success leads to another page or shows the same one with what was typed', async () => {
  const actions = { go: async () => '/courses', stay: async () => null }
  expect(await runFormAction(pageWith([['intent', 'go']]), actions)).toMatchObject({ to: '/courses', typed: {} })
  const typed = { intent: 'stay', title: 'Algebra' }
  expect(await runFormAction(pageWith(Object.entries(typed)), actions)).toMatchObject({ to: null, status: 200, typed })
})
