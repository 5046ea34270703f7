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

test('every procedure declares its input, its output and a summary', async () => {
  const incomplete = Object.entries(router).flatMap(([module, procedures]) =>
    Object.entries(procedures).flatMap(([name, procedure]) => {
      const { inputSchema, outputSchema, route } = procedure['~orpc']
      return inputSchema && outputSchema && route.summary ? [] : [`${module}/${name}`]
    }),
  )
  expect(incomplete).toEqual([])
})

test('a summary is one short line', async () => {
  const { paths = {} } = await getApiDocument(router)
  for (const [path, item] of Object.entries(paths)) {
    const summary = (item?.get ?? item?.post)?.summary ?? ''
    expect(summary, path).toMatch(/^[A-Z].{5,119}[^.]$/)
  }
})
