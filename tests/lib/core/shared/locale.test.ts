import { describe, expect, test } from 'vitest'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'

const KYIV = 'Europe/Kyiv'
// Half past midnight in Kyiv on the morning after the clocks went back.
const NOW = new Date('2026-10-25T22:30:00Z')

describe('a recent date', () => {
  test("is named today or yesterday in the reader's time zone", () => {
    expect(formatRelativeDateTime('2026-10-25T22:05:00Z', KYIV, 'uk', NOW)).toBe('сьогодні, 00:05')
    expect(formatRelativeDateTime('2026-10-25T21:59:00Z', KYIV, 'uk', NOW)).toBe('учора, 23:59')
    expect(formatRelativeDateTime('2026-10-24T21:01:00Z', KYIV, 'en', NOW)).toBe('yesterday, 00:01')
  })

  test('shows its year only when it is another one', () => {
    expect(formatRelativeDateTime('2026-10-24T20:59:00Z', KYIV, 'en', NOW)).toBe('24 Oct, 23:59')
    expect(formatRelativeDateTime('2025-12-31T20:00:00Z', KYIV, 'en', NOW)).toBe('31 Dec 2025, 22:00')
  })
})
