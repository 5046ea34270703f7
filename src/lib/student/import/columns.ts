import {
  customColumn,
  customFieldIdOf,
  type ImportField,
  type ImportReason,
  type ImportTarget,
} from '#lib/core/shared/student-import.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { cleanName, splitName } from '#lib/core/shared/text/person-name.ts'
import { readFieldValue } from '../fields/rules.ts'
import type { StudentField } from '../fields/schema.ts'
import { Tag } from '../list/schema.ts'

const FIRST_NAME = /first|given|\u0456\u043c/
const LAST_NAME = /last|surname|family|\u043f\u0440\u0456\u0437\u0432/
// Letters of «пошта», «ім’я», «прізвище», «ПІБ», «тел», «мітк», «курс», «груп».
const HEADING_PATTERNS: readonly [ImportField, RegExp][] = [
  ['email', /mail|\u043f\u043e\u0448\u0442/],
  ['fullName', /full|\u043f\u0456\u0431/],
  ['lastName', LAST_NAME],
  ['firstName', /first|given/],
  ['fullName', /name|\u0456\u043c/],
  ['phone', /phone|mobile|\u0442\u0435\u043b/],
  ['tags', /\btags?\b|^\u043c\u0456\u0442\u043a/],
  ['course', /course|\u043a\u0443\u0440\u0441/],
  ['group', /group|\u0433\u0440\u0443\u043f/],
]

/**
 * The probable meaning of each column: the target that the school last used for the heading, else the custom field of
 * that name, else a common heading, and without headings the content of the cells.
 */
export function guessMapping(
  heading: readonly string[] | null,
  rows: readonly (readonly string[])[],
  remembered: ReadonlyMap<string, ImportTarget | null>,
  fields: readonly Pick<StudentField, 'id' | 'name'>[] = [],
): (ImportTarget | null)[] {
  const width = Math.max(heading?.length ?? 0, ...rows.slice(0, 50).map((row) => row.length))
  const assignedFields = new Set<ImportTarget>()
  const known = new Set<ImportTarget>(fields.map(({ id }) => customColumn(id)))
  const byName = new Map(fields.map(({ id, name }) => [name.toLowerCase(), customColumn(id)]))
  const take = (field: ImportTarget | null | undefined): ImportTarget | null => {
    if (!field || assignedFields.has(field)) return null
    assignedFields.add(field)
    return field
  }
  return Array.from({ length: width }, (_, column) => {
    const title = heading?.[column]?.toLowerCase()
    if (title !== undefined && title !== '') {
      const before = remembered.get(title)
      // A custom field may have been deleted since.
      const isKnown = before !== undefined && (!customFieldIdOf(before) || (before && known.has(before)))
      if (isKnown) return take(before)
      if (byName.has(title)) return take(byName.get(title))
      // «Ім’я та прізвище», “First and last name”.
      if (FIRST_NAME.test(title) && LAST_NAME.test(title)) return take('fullName')
      return take(HEADING_PATTERNS.find(([field, pattern]) => !assignedFields.has(field) && pattern.test(title))?.[0])
    }
    const cells = rows.slice(0, 50).map((row) => row[column] ?? '')
    if (cells.some((cell) => cell.includes('@'))) return take('email')
    return cells.some((cell) => /\p{L}{2,}/u.test(cell)) ? take('fullName') : null
  })
}

/** Names of courses and groups in lower case, and their ids; and the custom fields by id. */
export interface NamedObjects {
  fields: ReadonlyMap<string, StudentField>
  courses: ReadonlyMap<string, string>
  groups: ReadonlyMap<string, string>
}

export interface ReadRow {
  email: string | null
  firstName: string
  lastName: string
  phone: string | null
  tags: string[]
  courseId: string | null
  groupId: string | null
  /** Values of custom fields by field id; an empty cell keeps the value. */
  fieldValues: Record<string, string>
  reason: ImportReason | null
}

const NAME_PART = 80

/**
 * Reads one row by the mapping; `reason` states why it cannot be imported. `seen` contains the addresses of earlier
 * rows.
 */
export function readRow(
  cells: readonly string[],
  mapping: readonly (ImportTarget | null)[],
  names: NamedObjects,
  seen: Set<string>,
): ReadRow {
  const cell = (field: ImportField): string => cells[mapping.indexOf(field)] ?? ''
  const email = Email.safeParse(cell('email'))
  const full = splitName(cleanName(cell('fullName')))
  const tags = [
    ...new Set(
      cell('tags')
        .split(/[,;|]/)
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ]
  const course = cell('course').toLowerCase()
  const group = cell('group').toLowerCase()
  const row: ReadRow = {
    email: email.success ? email.data : null,
    firstName: (cleanName(cell('firstName')) || (full.firstName ?? '')).slice(0, NAME_PART),
    lastName: (cleanName(cell('lastName')) || (full.lastName ?? '')).slice(0, NAME_PART),
    phone: cleanName(cell('phone')).slice(0, 40) || null,
    tags,
    courseId: names.courses.get(course) ?? null,
    groupId: names.groups.get(group) ?? null,
    fieldValues: {},
    reason: null,
  }
  const isFitting = readFieldValues(cells, mapping, names, row.fieldValues)
  row.reason =
    columnReason(row, { isMissing: cell('email') === '', course, group, seen }) ?? (isFitting ? null : 'field_invalid')
  if (row.email) seen.add(row.email)
  return row
}

/** Reads the cells of custom fields into `values`. Returns whether all of them are valid. */
function readFieldValues(
  cells: readonly string[],
  mapping: readonly (ImportTarget | null)[],
  { fields }: NamedObjects,
  values: Record<string, string>,
): boolean {
  let isFitting = true
  for (const [column, target] of mapping.entries()) {
    const field = fields.get(customFieldIdOf(target) ?? '')
    if (!field) continue
    const read = readFieldValue(field, cells[column] ?? '')
    if ('problem' in read) isFitting = false
    else if (read.value !== '') values[field.id] = read.value
  }
  return isFitting
}

function columnReason(
  row: ReadRow,
  given: { isMissing: boolean; course: string; group: string; seen: ReadonlySet<string> },
): ImportReason | null {
  if (row.email === null) return given.isMissing ? 'email_missing' : 'email_invalid'
  if (given.seen.has(row.email)) return 'duplicate'
  if (given.course !== '' && row.courseId === null) return 'unknown_course'
  if (given.group !== '' && row.groupId === null) return 'unknown_group'
  return row.tags.every((tag) => Tag.safeParse(tag).success) ? null : 'tag_invalid'
}
