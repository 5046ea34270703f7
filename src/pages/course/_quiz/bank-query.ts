import type { ListQuestions } from '#lib/quiz/bank/schema.ts'

export const BANK_FILTERS = ['q', 'type', 'tag', 'difficulty', 'bankId', 'complete'] as const

/** The list input of the bank's address; the schema reads the values. */
export function bankInput(params: URLSearchParams): ListQuestions {
  const filters = Object.fromEntries(BANK_FILTERS.map((name) => [name, params.get(name) ?? '']))
  return { ...filters, cursor: params.get('cursor') ?? undefined }
}
