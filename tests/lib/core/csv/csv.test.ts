import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCsvInstant, formatCsvRows, readCsv, writeCsv } from '#lib/core/csv/csv.ts'

describe('a CSV file', () => {
  test('has a header row even without rows, and begins with a UTF-8 byte order mark', () => {
    expect(writeCsv(['name', 'phone'], [])).toBe('\ufeffname,phone\r\n')
    expect(formatCsvRows([])).toBe('')
  })

  test('neutralises cells that a spreadsheet would execute, and numbers stay numbers', () => {
    const csv = writeCsv(['a'], [['=1+1'], ['+380441112233'], ['@x'], ['-5'], [-5], [null]])
    expect(csv.split('\r\n').slice(1, -1)).toEqual([`"'=1+1"`, `"'+380441112233"`, `"'@x"`, `"'-5"`, '-5', ''])
  })

  test('is read back with every cell unchanged', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom("'=1", "''+x", "'", '\t-1', 'a;b', 'a,b', '"', 'x\ny', '+380 44 111 22 33'),
    )
    const row = fc.array(cell, { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const full = rows.map((cells) => ['x', ...cells.map((text) => text.replace(/\r\n?/g, '\n'))])
        expect(readCsv(writeCsv(['head', 'of', 'file'], full)).slice(1)).toEqual(full)
      }),
      {
        // Short files with more semicolons in their cells than commas between them.
        examples: [
          [
            [
              ["'=1", "'=1", 'a;b', 'a;b'],
              ["'=1", 'a;b'],
            ],
          ],
          [
            [
              [';', 'a;b', '', "'=1"],
              [';', ''],
            ],
          ],
        ],
      },
    )
  })

  test('is read from text pasted with tabs or semicolons', () => {
    expect(readCsv('a\tb\n1\t2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect(readCsv('a;b\n\n1;2\n')).toHaveLength(2)
    expect(readCsv('Звіт, складений учора\nІм’я;Пошта;Телефон\nА;б;1\nВ;г;2')[2]).toEqual(['А', 'б', '1'])
  })

  test.each([
    ['2026-03-29T00:59:59Z', 'Europe/Kyiv', '2026-03-29T02:59:59+02:00'],
    ['2026-03-29T01:00:00Z', 'Europe/Kyiv', '2026-03-29T04:00:00+03:00'],
    ['2026-10-25T00:30:00Z', 'Europe/Kyiv', '2026-10-25T03:30:00+03:00'],
    ['2026-10-25T01:30:00Z', 'Europe/Kyiv', '2026-10-25T03:30:00+02:00'],
    ['2026-01-01T00:00:00Z', 'America/St_Johns', '2025-12-31T20:30:00-03:30'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:00:00+00:00'],
  ])('writes %s in %s as %s, which is the same instant', (instant, zone, written) => {
    expect(formatCsvInstant(new Date(instant), zone)).toBe(written)
    expect(new Date(written)).toEqual(new Date(instant))
  })
})
