import {
  DEFAULT_COLUMNS,
  ListStudents,
  STUDENT_COLUMNS,
  type StudentColumn,
  StudentFilter,
} from '#lib/student/list/schema.ts'

/** Query parameters of the list and the fields of the filter that they set. */
const FILTER_FIELDS = {
  q: 'q',
  status: 'status',
  course: 'courseId',
  group: 'groupId',
  tag: 'tag',
  field: 'field',
  progress: 'progress',
  activity: 'activity',
  overdue: 'overdue',
} as const satisfies Record<string, keyof StudentFilter>

export const FILTER_NAMES = Object.keys(FILTER_FIELDS) as (keyof typeof FILTER_FIELDS)[]
/** Parameters of a view of the list; the cursor is not one of them. */
export const VIEW_NAMES = [...FILTER_NAMES, 'sort', 'desc', 'cols'] as const

export type ListInput = ReturnType<typeof ListStudents.parse>

/** Reads filter and sort order from the query of the page or the fields of a form; invalid values are ignored. */
export function readListInput(params: Pick<URLSearchParams, 'get'>): ListInput {
  const given = [
    ...FILTER_NAMES.map((name) => [FILTER_FIELDS[name], params.get(name)] as const),
    ['sort', params.get('sort')] as const,
    ['cursor', params.get('cursor')] as const,
  ].filter(([field, value]) => value && ListStudents.safeParse({ [field]: value }).success)
  const descending = params.get('desc')
  return ListStudents.parse({
    ...Object.fromEntries(given),
    ...(descending === '1' || descending === '0' ? { descending: descending === '1' } : {}),
  })
}

export const toStudentFilter = (input: ListInput): StudentFilter => StudentFilter.parse(input)

/** The selected columns in their fixed order; by default the default ones. */
export function readColumns(params: URLSearchParams): readonly StudentColumn[] {
  const named = params.getAll('cols').flatMap((value) => value.split(','))
  const columns = STUDENT_COLUMNS.filter((column) => named.includes(column))
  return columns.length > 0 ? columns : DEFAULT_COLUMNS
}

/** The part of a query that is stored in saved views and bulk actions. */
export function viewQuery(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of VIEW_NAMES) {
    const values = params.getAll(name).filter((value) => value !== '')
    if (values.length > 0) query.set(name, values.join(','))
  }
  return query
}
