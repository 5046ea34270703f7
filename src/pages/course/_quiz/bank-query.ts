import type { z } from 'zod'
import { ListBankQuestions } from '#lib/quiz/bank/schema.ts'

export const BANK_FILTERS = ['q', 'type', 'tag', 'difficulty', 'bankId', 'complete'] as const

/** The list input of the bank's URL. */
export function bankInput(params: URLSearchParams): z.output<typeof ListBankQuestions> {
  const filters = Object.fromEntries(BANK_FILTERS.map((name) => [name, params.get(name) ?? '']))
  return ListBankQuestions.parse({ ...filters, cursor: params.get('cursor') ?? undefined })
}
