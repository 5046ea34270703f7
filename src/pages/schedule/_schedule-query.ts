import { ScheduleItemKey, ScheduleRequest } from '#lib/schedule/schema.ts'

/** Query parameters of the schedule and the fields of the request that they set. */
const FIELDS = {
  view: 'view',
  date: 'date',
  kind: 'kind',
  course: 'courseId',
  group: 'groupId',
  person: 'personId',
} as const satisfies Record<string, keyof ScheduleRequest>

const QUERY_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

/** Reads view, day and filters from a query; invalid values are ignored. */
export function readScheduleQuery(params: URLSearchParams): ScheduleRequest {
  const given = QUERY_NAMES.map((name) => [FIELDS[name], params.get(name)] as const).filter(
    ([field, value]) => value && ScheduleRequest.safeParse({ [field]: value }).success,
  )
  return ScheduleRequest.parse(Object.fromEntries(given))
}

/** The path of a view of the schedule with the same filters; null removes a parameter. */
export function schedulePath(request: ScheduleRequest, changes: Readonly<Record<string, string | null>> = {}): string {
  const current = QUERY_NAMES.map((name) => [name, request[FIELDS[name]]] as const)
  const all = new Map<string, string | null | undefined>([...current, ...Object.entries(changes)])
  if (all.get('view') === 'month') all.delete('view')
  const query = new URLSearchParams([...all].flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return query.size > 0 ? `/schedule?${query}` : '/schedule'
}

/** The item that a query names, `day=2026-11-24&item=webinar:<id>`, or null. */
export function readItemKey(params: URLSearchParams): ScheduleItemKey | null {
  const [kind, id] = (params.get('item') ?? '').split(':')
  return ScheduleItemKey.safeParse({ day: params.get('day'), kind, id }).data ?? null
}
