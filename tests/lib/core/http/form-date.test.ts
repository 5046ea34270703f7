import { describe, expect, test } from 'vitest'
import { readDay, readInstant, readTime, withIsoDays } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'

const ZONE = 'Europe/Kyiv'
const form = (value: string) => new URLSearchParams({ at: value })
const refusedField = (read: () => unknown): string | undefined => {
  try {
    read()
  } catch (error) {
    if (error instanceof Refusal) return error.details.fields?.at?.[0]
    throw error
  }
  return undefined
}

describe('a form', () => {
  test('posts what was typed without JavaScript, and ISO values with it', () => {
    expect(readInstant(form('22.11.2026, 19:00'), 'at', ZONE)).toBe('2026-11-22T17:00:00.000Z')
    expect(readInstant(form('2026-11-22T19:00'), 'at', ZONE)).toBe('2026-11-22T17:00:00.000Z')
    expect(readDay(form('22 листопада 2026'), 'at', ZONE)).toBe('2026-11-22')
    expect(readTime(form('9.30'), 'at')).toBe('09:30')
  })

  test('may leave a date empty', () => {
    expect(readInstant(form(' '), 'at', ZONE)).toBeNull()
    expect(readDay(new URLSearchParams(), 'at', ZONE)).toBeNull()
  })

  test('is refused with text that is no date, next to the field', () => {
    expect(refusedField(() => readDay(form('31.02.2026'), 'at', ZONE))).toBe('date_format')
    expect(refusedField(() => readTime(form('25:00'), 'at'))).toBe('time_format')
    expect(refusedField(() => readInstant(form('22.11.2026'), 'at', ZONE))).toBe('datetime_format')
  })

  test('is refused with a time that the clocks skip, and a repeated time is the first one', () => {
    expect(refusedField(() => readInstant(form('29.03.2026, 03:30'), 'at', ZONE))).toBe('time_skipped')
    expect(readInstant(form('25.10.2026, 03:30'), 'at', ZONE)).toBe('2026-10-25T00:30:00.000Z')
  })

  test('is refused with a zone that does not exist', () => {
    expect(() => readInstant(form('22.11.2026, 19:00'), 'at', 'Mars/Olympus')).toThrow(Refusal)
  })

  test('keeps other text for the schema', () => {
    const fields = { from: '1.11.2026', to: 'колись', q: '1.11.2026' }
    expect(withIsoDays(fields, ['from', 'to'], ZONE)).toEqual({ ...fields, from: '2026-11-01' })
  })
})
