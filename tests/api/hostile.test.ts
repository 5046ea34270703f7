import { isProcedure } from '@orpc/server'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { router } from '#lib/api.ts'
import { REFUSALS } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { sampleOf, shapeOf } from '../architecture/checks/sample-input.ts'
import { createCourse } from '../setup/parsed/course.ts'
import { inviteToCourse } from '../setup/parsed/course-access.ts'
import { addLesson } from '../setup/parsed/course-outline.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { type Reply, requestApi } from './api-request.ts'

/** Values from malicious users and broken programs. */
const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\u202eexe',
  '\u212a',
  '💥'.repeat(300),
  'x'.repeat(20_000),
  "' or 1=1 --",
  '"; drop table lesson; --',
  '%',
  '_',
  '\\',
  '{{email}}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '//evil.test',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '00000000-0000-0000-0000-000000000000',
  '9'.repeat(40),
  '1e999',
  '2026-13-45T99:99:99Z',
  'a@b.test',
  'А@б.укр',
  Buffer.from('9999-99-99 99:99:99+00|x').toString('base64url'),
  Buffer.from('99|x').toString('base64url'),
  Buffer.from(`${'9'.repeat(16)}|${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`).toString('base64url'),
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  true,
  false,
  null,
  [],
  {},
  [[]],
  Array(2000).fill('x'),
  { toString: 1 },
  { length: -1 },
  JSON.parse('{"__proto__":{"admin":true}}'),
  { constructor: { prototype: 1 } },
  { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a\u0000' }] }] },
  { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: '\ud800' }] }] },
  { type: 'doc', content: [{ type: 'image', attrs: { src: 'data:text/html,x', alt: '\u0000' } }] },
]

/** The same for elements of lists and objects, which have many positions. */
const INSIDE: readonly unknown[] = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '__proto__',
  'constructor',
  '9'.repeat(40),
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -1,
  1e308,
  null,
  {},
  [],
  JSON.parse('{"__proto__":{"admin":true}}'),
]

const procedures = Object.entries(router).flatMap(([room, actions]) =>
  Object.entries<unknown>(actions).flatMap(([action, procedure]) => {
    if (!isProcedure(procedure)) return []
    const { inputSchema, route } = procedure['~orpc']
    const shape = inputSchema instanceof z.ZodType ? shapeOf(inputSchema) : {}
    return [{ name: `${room}/${action}`, method: route.method ?? 'POST', shape }]
  }),
)

let home: TestTenant
let ids: Record<string, string>
beforeAll(async () => {
  home = await createTestTenant()
  const owner = home.as.OWNER
  const { courseId } = await createCourse(owner, { title: 'Курс' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Урок' })
  const { studentId } = await inviteToCourse(owner, { courseId, email: 'guest@elsewhere.test' })
  ids = { courseId, moduleId, lessonId, studentId, memberId: home.as.MENTOR.membershipId }
})

describe.each(procedures)('$name', ({ name, method, shape }) => {
  const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }), fc.jsonValue())
  const names = Object.keys(shape.properties ?? { nothing: true })
  const dents = fc.dictionary(fc.constantFrom(...names, '__proto__', 'tenantId', 'roles', 'id'), hostile, {
    maxKeys: 3,
  })

  test('accepts or refuses each hostile value in each field', async () => {
    const base = Object(sampleOf(shape, (field) => ids[field] ?? home.as.OWNER.sessionId))
    for (const [field, value] of names.flatMap((each) => HOSTILE.map((input) => [each, input] as const))) {
      const input = { ...base, [field]: value }
      const target = method === 'GET' ? `${name}?${query(input)}` : name
      expectAnswer(await requestApi(method, target, { body: input, actor: home.as.OWNER, address: stranger() }), 'uk')
    }
  }, 60_000)

  test('accepts or refuses each hostile value in each nested position', async () => {
    const base = Object(sampleOf(filled(shape), (field) => ids[field] ?? home.as.OWNER.sessionId))
    for (const place of placesIn(base).filter((steps) => steps.length > 1)) {
      for (const value of INSIDE) {
        const input = replaced(base, place, value)
        const target = method === 'GET' ? `${name}?${query(input)}` : name
        expectAnswer(await requestApi(method, target, { body: input, actor: home.as.OWNER, address: stranger() }), 'uk')
      }
    }
  }, 60_000)

  test('responds to any input with a result, or with a refusal in the caller’s language', async () => {
    const base = Object(sampleOf(shape, (field) => ids[field] ?? home.as.OWNER.sessionId))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 3, arbitrary: dents.map((dent) => ({ ...base, ...dent })) },
          { weight: 1, arbitrary: hostile },
        ),
        fc.constantFrom<(keyof TestTenant['as'] | null)[]>('OWNER', 'STUDENT', null),
        fc.constantFrom<Locale[]>('uk', 'en'),
        async (input, role, locale) => {
          const actor: Actor | null = role && home.as[role]
          const target = method === 'GET' ? `${name}?${query(input)}` : name
          const reply = await requestApi(method, target, { body: input, actor, locale, address: stranger() })
          expectAnswer(reply, locale)
          if (actor === null && reply.status === 200) expect(OPEN_TO_ALL).toContain(name)
        },
      ),
      { numRuns: 80 },
    )
  }, 60_000)
})

test.each([
  ['{bad', 'application/json', 400],
  ['', 'application/json', 400],
  ['[1', 'application/json', 400],
  ['x', 'multipart/form-data', 400],
  ['x', 'multipart/form-data; boundary=q', 400],
  ['a[b=1&%%%', 'application/x-www-form-urlencoded', 400],
  [`{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'application/json', 400],
  ['{}', 'text/plain', 415],
  ['{}', 'application/xml', 415],
])('a body of another type than its header names: %.12j as %s', async (body, type, status) => {
  for (const locale of ['uk', 'en'] as const) {
    const reply = await requestApi('POST', 'course/create', { body, type, actor: home.as.OWNER, locale })
    expect(reply.status).toBe(status)
    expectAnswer(reply, locale)
  }
})

test.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])('%s is not a path into the API', async (method) => {
  for (const call of ['course/list', 'course/create', '__proto__/constructor', 'course/__proto__']) {
    expect(await requestApi(method, call, { body: {}, actor: home.as.OWNER })).toMatchObject({ status: 404 })
  }
})

/** All other procedures need a login session. */
const OPEN_TO_ALL = [
  'tenant/findSubdomain',
  'settings/findServedDomain',
  'user/login',
  'user/logout',
  'user/register',
  'user/resendCode',
  'user/forgotPassword',
  'user/checkVerification',
  'user/resetPassword',
  'billing/openSchool',
  'student/inviteAccept',
  'student/register',
  'student/resendInvitation',
  'student/confirmEmailCorrection',
  'student/signInByLink',
  'registration/get',
  'registration/register',
  'registration/requestNextEvent',
]

/** A sample whose lists are not empty. */
function filled<T>(shape: T): T {
  if (typeof shape !== 'object' || shape === null) return shape
  const entries = Object.entries(shape).map(([name, inner]) => [name, filled(inner)])
  const copy = Array.isArray(shape) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  if (Reflect.get(copy, 'type') === 'array') copy.minItems = Math.max(1, Number(copy.minItems ?? 0))
  return copy
}

/** The paths of all nested values. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [[], ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner).map((rest) => [name, ...rest]))]
}

function replaced(value: unknown, [step, ...rest]: string[], by: unknown): unknown {
  if (step === undefined) return by
  const copy = structuredClone(Object(value))
  return Object.assign(copy, { [step]: replaced(copy[step], rest, by) })
}

// A different caller each time, so that rate limits do not hide other results.
let strangers = 0
const stranger = (): string => `stranger ${++strangers}`

function expectAnswer({ status, body }: Reply, locale: Locale): void {
  expect(status, JSON.stringify(body)).toBeLessThan(500)
  if (status < 400) return
  const { code, message, fields } = body
  expect(Object.keys(REFUSALS)).toContain(code)
  expect(status).toBe(Reflect.get(REFUSALS, String(code)))
  const texts = [message, ...Object.values(Object(fields)).flat()].filter((words) => !IN_ENGLISH.has(String(words)))
  for (const words of texts) {
    if (locale === 'uk') expect(words).toMatch(/[а-яіїєґ]/i)
    else expect(words).toMatch(/^[^а-яіїєґ]+$/i)
  }
}

// Messages of the specification, which exist in English only.
const IN_ENGLISH = new Set(['Invalid invitation parameters'])

function query(input: unknown): string {
  if (typeof input !== 'object' || input === null) return encoded(String(input))
  return Object.entries(input)
    .map(([key, value]) => `${encoded(key)}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
