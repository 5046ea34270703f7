import { parseDateInput } from '#lib/core/shared/text/date-input.ts'
import { QueueFilter, type WorkKind } from '#lib/homework/review/schema.ts'

/** Query parameters of the filters and the fields they set. */
const FIELDS = {
  tab: 'tab',
  kind: 'kind',
  course: 'courseId',
  group: 'groupId',
  lesson: 'lessonId',
  student: 'studentId',
  curator: 'curator',
  q: 'q',
  from: 'from',
  to: 'to',
  late: 'late',
} as const satisfies Record<string, keyof QueueFilter>

type FilterName = keyof typeof FIELDS

/** Reads the filter from the query; invalid values are ignored. */
export function readFilter(params: URLSearchParams): QueueFilter {
  const given = Object.entries(FIELDS).flatMap(([name, field]) => {
    const text = params.get(name)
    if (!text) return []
    const isDay = field === 'from' || field === 'to'
    const value = isDay ? (parseDateInput('date', text, new Date().toISOString().slice(0, 10)) ?? text) : text
    const candidate = { [field]: value }
    return QueueFilter.safeParse(candidate).success ? [[field, value] as const] : []
  })
  return QueueFilter.parse(Object.fromEntries(given))
}

/** The query string of a filter without default values; empty when all are. */
export function toQuery(filter: Partial<QueueFilter>, more: Record<string, string> = {}): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(FIELDS) as FilterName[]) {
    const value = filter[FIELDS[name]]
    if (!value || value === 'toCheck') continue
    query.set(name, value === true ? '1' : value)
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

/** Marks the review page of an attempt that was opened from the queue, whose filter is in the same URL. */
const QUEUE_PARAM = 'queue'

/** The review page of work in a queue with this query: the page leads on through the same queue. */
export function workHref({ kind, href }: { kind: WorkKind; href: string }, query: string): string {
  return kind === 'homework' ? href + query : `${href}&${QUEUE_PARAM}=1${query.replace('?', '&')}`
}

/** The filter of the queue from which the review page of an attempt was opened; null otherwise. */
export const readQueue = (params: URLSearchParams): QueueFilter | null =>
  params.has(QUEUE_PARAM) ? readFilter(params) : null
