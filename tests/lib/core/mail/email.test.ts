import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Email, needsUtf8 } from '#lib/core/shared/text/email.ts'

const refusalOf = (value: unknown) => Email.safeParse(value).error?.issues.map(({ message }) => message)

describe('an email address', () => {
  test('is trimmed and lower-cased', () => {
    expect(Email.parse('  Olena.Koval+1@Kafedra.TEST ')).toBe('olena.koval+1@kafedra.test')
  })

  test.each([
    ['olena@пошта.укр', 'olena@xn--80a1acn3a.xn--j1amh'],
    ['olena@Пошта.УКР', 'olena@xn--80a1acn3a.xn--j1amh'],
    ['olena@xn--80a1acn3a.xn--j1amh', 'olena@xn--80a1acn3a.xn--j1amh'],
    ['OLENA@XN--80A1ACN3A.XN--J1AMH', 'olena@xn--80a1acn3a.xn--j1amh'],
    ['olena@пошта。укр', 'olena@xn--80a1acn3a.xn--j1amh'],
    ['info@bücher.example', 'info@xn--bcher-kva.example'],
    ['Олена@пошта.укр', 'олена@xn--80a1acn3a.xn--j1amh'],
    ['олена.коваль@kafedra.test', 'олена.коваль@kafedra.test'],
    ['і\u0308жак@kafedra.test', 'їжак@kafedra.test'],
    ['用户@例子.公司', '用户@xn--fsqu00a.xn--55qx5d'],
    ["o'brien@kafedra.test", "o'brien@kafedra.test"],
  ])('%j is kept as %j', (typed, kept) => expect(Email.parse(typed)).toBe(kept))

  test.each([
    ['', 'required'],
    ['   ', 'required'],
    ['olena', 'email'],
    ['olena@', 'email'],
    ['@kafedra.test', 'email'],
    ['olena@kafedra', 'email'],
    ['olena@kafedra.t', 'email'],
    ['olena@kafedra.1', 'email'],
    ['olena@127.0.0.1', 'email'],
    ['olena@[127.0.0.1]', 'email'],
    ['olena@-kafedra.test', 'email'],
    ['olena@kafedra..test', 'email'],
    ['olena@kafedra.test.', 'email'],
    ['.olena@kafedra.test', 'email'],
    ['ol..ena@kafedra.test', 'email'],
    ['ol ena@kafedra.test', 'email'],
    ['olena@kafedra.test\nbcc: x@y.ua', 'email'],
    ['olena@kafedrа.test', 'email'],
    ['оlena@kafedra.test', 'email'],
    ['olena@xn--.test', 'email'],
    ['\u212Aate@kafedra.test', 'email'],
    ['ﬁlm@kafedra.test', 'email'],
    ['olena\u200b@kafedra.test', 'email'],
    ['o\u202elena@kafedra.test', 'email'],
    ['<b>@kafedra.test', 'email'],
    [`${'a'.repeat(65)}@kafedra.test`, 'email'],
    [`${'ї'.repeat(33)}@kafedra.test`, 'email'],
    [`a@${'a'.repeat(64)}.test`, 'email'],
    [`${'a'.repeat(250)}@kafedra.test`, 'email'],
  ])('%j is refused: %s', (value, message) => expect(refusalOf(value)).toEqual([message]))

  test('that is valid is short, normalized, and unchanged when parsed again', () => {
    const local = fc.string({ unit: fc.constantFrom(...'aZ0-_.+їІßſKİ用א'), minLength: 1, maxLength: 8 })
    const host = fc.string({ unit: fc.constantFrom(...'aZ0-.їІßſKİ用א。．'), minLength: 1, maxLength: 8 })
    const alike = fc.tuple(local, host).map(([name, domain]) => `${name}@${domain}.укр`)
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), alike, fc.string({ unit: 'binary' }), fc.anything()), (value) => {
        const parsed = Email.safeParse(value)
        if (!parsed.success) return
        const [, domain = ''] = parsed.data.split('@')
        expect(domain).toBe(domainToASCII(domain))
        expect(new TextEncoder().encode(parsed.data).length).toBeLessThanOrEqual(254)
        expect(parsed.data).not.toMatch(/[\s\p{C}]/u)
        expect(Email.parse(parsed.data)).toBe(parsed.data)
        expect(Email.parse(String(value))).toBe(parsed.data)
      }),
      { numRuns: 3000 },
    )
  })

  test('needs SMTPUTF8 only for its local part', () => {
    expect(needsUtf8(Email.parse('olena@пошта.укр'))).toBe(false)
    expect(needsUtf8(Email.parse('олена@пошта.укр'))).toBe(true)
  })
})
