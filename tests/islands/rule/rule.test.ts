import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { changeMode, createRule, parseFieldValue, toFieldValue } from '#islands/rule/rule-shape.ts'
import { formatRule } from '#islands/rule/rule-text.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { addDays, isTimeZone } from '#lib/core/shared/time-zone.ts'
import { AccessRule } from '#lib/course/schema.ts'

const KYIV = 'Europe/Kyiv'
const t = createTranslator(flat('outline:', JSON.parse(readFileSync('public/locales/uk/outline.json', 'utf8'))), 'uk')
const words = (rule: AccessRule) => formatRule(rule, t, KYIV, 'uk')

describe('an access rule', () => {
  test('is described as text', () => {
    expect(words({ mode: 'open' })).toBe('одразу')
    expect(words({ mode: 'date', at: '2026-10-25T07:00:00.000Z' })).toBe('25 жовт. 2026 р., 09:00 за Києвом')
    expect(words({ mode: 'afterStart', days: 3, time: '09:00', zone: 'Asia/Kathmandu' })).toBe(
      'через 3 дні після початку, 09:00 за часом Kathmandu',
    )
    expect(
      words({
        mode: 'any',
        rules: [{ mode: 'manual' }, { mode: 'afterPrevious', of: 'lesson', require: 'completed', delayHours: 24 }],
      }),
    ).toBe('коли відкриє школа або коли завершено попередній урок, ще через 24 години')
  })

  test("shows its date in the author's time zone, also on nights of clock changes", () => {
    for (const field of ['2026-03-29T02:30', '2026-03-29T04:00', '2026-10-25T03:30', '2026-10-25T04:00']) {
      expect(toFieldValue(parseFieldValue(field, KYIV) ?? '', KYIV)).toBe(field)
    }
    // Between three and four no local time exists that night.
    expect(toFieldValue(parseFieldValue('2026-03-29T03:30', KYIV) ?? '', KYIV)).toBe('2026-03-29T04:30')
    expect(parseFieldValue('2026-03-', KYIV)).toBeNull()
  })

  test('keeps its conditions when "all" becomes "any", and otherwise starts again', () => {
    const all = createRule('all', KYIV)
    expect(changeMode(all, 'any', KYIV)).toEqual({ ...all, mode: 'any' })
    expect(changeMode(all, 'open', KYIV)).toEqual({ mode: 'open' })
    for (const mode of ['date', 'afterStart', 'afterPrevious', 'manual', 'all', 'any'] as const) {
      expect(AccessRule.safeParse(createRule(mode, KYIV)).success).toBe(true)
    }
  })

  test('refuses an unknown zone and unbounded conditions', () => {
    expect(AccessRule.safeParse({ mode: 'afterStart', days: 1, time: '09:00', zone: 'Europe/Atlantis' }).success).toBe(
      false,
    )
    let deep: unknown = { mode: 'open' }
    for (let n = 0; n < 50_000; n += 1) deep = { mode: 'all', rules: [deep] }
    expect(AccessRule.safeParse(deep).success).toBe(false)
    expect([isTimeZone(KYIV), isTimeZone('UTC'), isTimeZone('europe/kyiv'), isTimeZone('+02:00')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

test('a moment some days later keeps its time of day across both clock changes', () => {
  expect(addDays(new Date('2026-03-25T07:00:00Z'), 7, KYIV).toISOString()).toBe('2026-04-01T06:00:00.000Z')
  expect(addDays(new Date('2026-10-20T06:00:00Z'), 7, KYIV).toISOString()).toBe('2026-10-27T07:00:00.000Z')
  expect(addDays(new Date('2026-10-30T13:00:00Z'), 7, 'America/New_York').toISOString()).toBe(
    '2026-11-06T14:00:00.000Z',
  )
})

function flat(prefix: string, tree: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : Object.entries(flat(`${prefix}${key}.`, Object(value))),
    ),
  )
}
