import { z } from 'zod'
import { foldForSearch } from '#lib/core/shared/text/search-text.ts'
import type { StudentField } from './schema.ts'

const Day = z.iso.date()
const MAX_TEXT = 500

/**
 * Converts a typed value to its stored form, or returns the validation error. A number may have a decimal comma and
 * spaces; an unchanged choice is valid even if it is no longer offered.
 */
export function readFieldValue(
  { kind, options }: Pick<StudentField, 'kind' | 'options'>,
  typed: string,
  current = '',
): { value: string } | { problem: 'field_too_long' | 'field_number' | 'field_date' | 'field_choice' } {
  const text = typed.trim().replace(/\s+/g, ' ')
  if (text === '') return { value: '' }
  switch (kind) {
    case 'text':
      return text.length <= MAX_TEXT ? { value: text } : { problem: 'field_too_long' }
    case 'number': {
      const number = text.replace(/[\s\u00a0]/g, '').replace(',', '.')
      return /^-?\d{1,15}(\.\d{1,6})?$/.test(number) ? { value: number } : { problem: 'field_number' }
    }
    case 'date': {
      // «05.11.2026», also with a time of the day as spreadsheets write it.
      const day = text.replace(/[ T]\d{1,2}:\d{2}(?::\d{2})?$/, '')
      const [, date, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(day) ?? []
      const value = date && month && year ? `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}` : day
      return Day.safeParse(value).success ? { value } : { problem: 'field_date' }
    }
    case 'choice':
      return options.includes(text) || text === current ? { value: text } : equalOption(options, text)
  }
}

function equalOption(options: readonly string[], text: string): { value: string } | { problem: 'field_choice' } {
  const equal = options.find((option) => foldForSearch(option) === foldForSearch(text))
  return equal === undefined ? { problem: 'field_choice' } : { value: equal }
}
