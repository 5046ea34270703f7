import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSubdomainProblem, listSubdomainCandidates, RESERVED_SUBDOMAINS } from '#lib/tenant/rules.ts'
import { FindSubdomain, OrganisationName, Subdomain } from '#lib/tenant/schema.ts'
import { slugOf, transliterate } from '#lib/tenant/transliteration.ts'

test.each(['abc', 'shkola-mriia', '4u-school', 'a'.repeat(40)])('%s may be a subdomain', (name) => {
  expect(findSubdomainProblem(name)).toBeNull()
})

test.each([
  'ab',
  'a'.repeat(41),
  '-abc',
  'abc-',
  'a--b',
  'xn--80ak6aa92e',
  'Abc',
  'школа',
  'a.b',
  'a_b',
  'аbc',
  'abc\n',
  'ab c',
  '../a',
  'a%00b',
])('%j is no subdomain', (name) => {
  expect(findSubdomainProblem(name)).toBe('subdomain_format')
})

test.each(['go', 'www', 'api', 'admin', 'static', 'cdn', 'status', 'login'])(
  '%s is reserved by the platform',
  (name) => {
    expect(RESERVED_SUBDOMAINS.has(name)).toBe(true)
    expect(findSubdomainProblem(name)).toBe(name === 'go' ? 'subdomain_format' : 'subdomain_reserved')
  },
)

test('any accepted subdomain is a plain lower-case label that is not reserved', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[a-zA-Z0-9-]{0,45}$/),
    fc.constantFrom('GO', ' www '),
  )
  fc.assert(
    fc.property(words, (word) => {
      const parsed = Subdomain.safeParse(word)
      if (!parsed.success) return
      expect(parsed.data).toMatch(/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/)
      expect(parsed.data).not.toContain('--')
      expect(RESERVED_SUBDOMAINS.has(parsed.data)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('letters that only look Latin are not transliterated to Latin', () => {
  for (const name of ['\uff53chool', '\u017fchool', '\u212aschool', '\u0448kola', 'sch\u043eol']) {
    expect(Subdomain.safeParse(name).error?.issues).toMatchObject([{ message: 'subdomain_format' }])
  }
})

test("an organisation's name has no control or direction characters", () => {
  expect(OrganisationName.parse('  Школа «Мрія»  ')).toBe('Школа «Мрія»')
  for (const name of ['', '   ', 'a\u202eb', 'a\nb', 'x'.repeat(121), 'a\u200bb']) {
    expect(OrganisationName.safeParse(name).success).toBe(false)
  }
  expect(FindSubdomain.safeParse({ subdomain: 'x'.repeat(201) }).success).toBe(false)
})

test.each([
  ['Згурський', 'zghurskyi'],
  ['Єнакієве', 'yenakiieve'],
  ['Їжакевич', 'yizhakevych'],
  ['Знам’янка', 'znamianka'],
  ['Щербухи', 'shcherbukhy'],
  ['Гоща Ґалаґан', 'hoshcha galagan'],
  ['Юрій Яготин Йосипівка', 'yurii yahotyn yosypivka'],
])('%s is written %s', (word, latin) => {
  expect(transliterate(word)).toBe(latin)
})

test('a subdomain derived from any name is a valid label or empty', () => {
  expect(slugOf('Школа «Мрія» — Київ')).toBe('shkola-mriia-kyiv')
  expect(slugOf('Школа №5')).toBe('shkola-5')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(slugOf(name)).toMatch(/^$|^[a-z0-9]+(-[a-z0-9]+)*$/)
      for (const candidate of listSubdomainCandidates(slugOf(name))) expect(findSubdomainProblem(candidate)).toBeNull()
    }),
  )
})

test('suggested subdomains are derived from the name and shortened to a label', () => {
  expect(listSubdomainCandidates('mriia').slice(0, 5)).toEqual([
    'mriia',
    'mriia-school',
    'mriia-online',
    'mriia-study',
    'mriia-academy',
  ])
  expect(listSubdomainCandidates('mriia')).toHaveLength(13)
  expect(listSubdomainCandidates('mriia').at(-1)).toBe('mriia-9')
  expect(listSubdomainCandidates(`${'a'.repeat(29)}-bcd`)[0]).toBe('a'.repeat(29))
  expect(listSubdomainCandidates('login')[0]).toBe('login-school')
})
