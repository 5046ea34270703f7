import { parseDateInput } from '#lib/core/shared/text/date-input.ts'
import { AttemptFilter } from '#lib/quiz/attempt-list/schema.ts'
import { parseId } from '../../../_request/id-param.ts'

/** Query parameters of the filters and the fields that they set. */
const FIELDS = { state: 'state', result: 'result', q: 'q', group: 'groupId', from: 'from', to: 'to' } as const

/** Reads the filter of the list of attempts from a query; invalid values are ignored, an unknown test is refused. */
export function readAttemptFilter(params: URLSearchParams): AttemptFilter {
  const base = { quizId: parseId(params.get('quiz')) }
  const given = Object.entries(FIELDS).flatMap(([name, field]) => {
    const text = params.get(name)
    if (!text) return []
    const isDay = field === 'from' || field === 'to'
    const value = isDay ? (parseDateInput('date', text, new Date().toISOString().slice(0, 10)) ?? text) : text
    return AttemptFilter.safeParse({ ...base, [field]: value }).success ? [[field, value] as const] : []
  })
  return AttemptFilter.parse({ ...base, ...Object.fromEntries(given) })
}
