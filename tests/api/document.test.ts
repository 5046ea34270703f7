import { expect, test } from 'vitest'
import { router } from '#lib/api.ts'
import { getApiDocument, listCalls } from '#lib/core/http/api/openapi.ts'
import { REFUSALS } from '#lib/core/http/refusal.ts'

test('the OpenAPI document lists every call, its input and every error', async () => {
  const document = await getApiDocument(router)
  expect(document.openapi).toMatch(/^3\.1\./)
  const calls = Object.entries(router).flatMap(([room, actions]) =>
    Object.keys(actions).map((action) => `/module/${room}/${action}`),
  )
  expect(Object.keys(document.paths ?? {}).sort()).toEqual(calls.sort())
  expect((await listCalls(router)).map(({ path }) => path).sort()).toEqual(calls)
  const login = document.paths?.['/module/user/login']?.post
  const statuses = Object.keys(login?.responses ?? {})
  expect(statuses).toEqual(expect.arrayContaining(['200', ...Object.values(REFUSALS).map(String)]))
  expect(JSON.stringify(login?.requestBody)).toContain('password')
})
