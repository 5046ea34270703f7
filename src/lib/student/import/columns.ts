import {
  customFieldIdOf,
  type ImportField,
  type ImportReason,
  type ImportTarget,
  type ImportWarning,
} from '#lib/core/shared/student-import.ts'
import { readFieldValue } from '../fields/rules.ts'
import type { StudentField } from '../fields/schema.ts'
import { Tag } from '../list/schema.ts'
import { type ReadEmail, readEmailCell, readPhoneCell } from './cells.ts'
import { clipNamePart, type NameParts, splitGivenFirst, splitSurnameFirst } from './names.ts'

/** Names of courses and groups in lower case, and their ids; and the custom fields by id. */
export interface NamedObjects {
  fields: ReadonlyMap<string, StudentField>
  courses: ReadonlyMap<string, string>
  groups: ReadonlyMap<string, string>
}

export interface ReadRow extends NameParts {
  email: string | null
  phone: string | null
  tags: string[]
  courseId: string | null
  groupId: string | null
  /** Values of custom fields by field id; an empty cell keeps the value. */
  fieldValues: Record<string, string>
  reason: ImportReason | null
  warnings: ImportWarning[]
}

const MAX_SHOWN = 100

/**
 * Reads one row by the mapping; `reason` states why it cannot be imported, `warnings` what of it. `seen` contains the
 * addresses of earlier rows.
 */
export function readRow(
  cells: readonly string[],
  mapping: readonly (ImportTarget | null)[],
  names: NamedObjects,
  seen: Set<string>,
): ReadRow {
  const cell = (field: ImportField): string => cells[mapping.indexOf(field)] ?? ''
  const read = readEmailCell(cell('email'))
  const warnings: ImportWarning[] = []
  if (read.isFirst) warnings.push({ code: 'email_first', value: cell('email').slice(0, MAX_SHOWN) })
  const { phone, warning } = readPhoneCell(cell('phone'))
  if (warning) warnings.push(warning)
  const course = cell('course').toLowerCase()
  const group = cell('group').toLowerCase()
  const row: ReadRow = {
    email: read.email,
    ...readName(cell, read, warnings),
    phone,
    tags: readTags(cell('tags'), warnings),
    courseId: names.courses.get(course) ?? null,
    groupId: names.groups.get(group) ?? null,
    fieldValues: readFieldValues(cells, mapping, names, warnings),
    reason: read.reason,
    warnings,
  }
  row.reason ??= rowReason(row, { course, group, seen })
  if (row.email) seen.add(row.email)
  return row
}

/** Separate columns precede the parts of a whole name, which precede the name before an address. */
function readName(cell: (field: ImportField) => string, read: ReadEmail, warnings: ImportWarning[]): NameParts {
  const whole = cell('surnameFirst')
    ? splitSurnameFirst(cell('surnameFirst'))
    : splitGivenFirst(cell('fullName') || (cell('firstName') || cell('lastName') ? '' : read.name))
  const typed = cell('surnameFirst') || cell('fullName')
  if (whole.isReordered) warnings.push({ code: 'name_order', value: typed.slice(0, MAX_SHOWN) })
  const part = (field: keyof NameParts): string => {
    const { name, isCut } = clipNamePart(cell(field))
    const clipped = name ? { name, isCut } : clipNamePart(whole[field])
    if (clipped.isCut) warnings.push({ code: 'name_cut', value: (cell(field) || whole[field]).slice(0, MAX_SHOWN) })
    return clipped.name
  }
  return { lastName: part('lastName'), firstName: part('firstName'), patronymic: part('patronymic') }
}

function readTags(cell: string, warnings: ImportWarning[]): string[] {
  const typed = cell
    .split(/[,;|]/)
    .map((tag) => tag.trim())
    .filter(Boolean)
  const tags: string[] = []
  for (const value of new Set(typed)) {
    const tag = Tag.safeParse(value)
    if (tag.success) tags.push(tag.data)
    else warnings.push({ code: 'tag_invalid', value: value.slice(0, MAX_SHOWN) })
  }
  return tags
}

function readFieldValues(
  cells: readonly string[],
  mapping: readonly (ImportTarget | null)[],
  { fields }: NamedObjects,
  warnings: ImportWarning[],
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [column, target] of mapping.entries()) {
    const field = fields.get(customFieldIdOf(target) ?? '')
    if (!field) continue
    const typed = cells[column] ?? ''
    const read = readFieldValue(field, typed)
    if ('problem' in read) warnings.push({ code: 'field_invalid', value: typed.slice(0, MAX_SHOWN), field: field.name })
    else if (read.value !== '') values[field.id] = read.value
  }
  return values
}

function rowReason(
  row: ReadRow,
  given: { course: string; group: string; seen: ReadonlySet<string> },
): ImportReason | null {
  if (row.email && given.seen.has(row.email)) return 'duplicate'
  if (given.course !== '' && row.courseId === null) return 'unknown_course'
  return given.group !== '' && row.groupId === null ? 'unknown_group' : null
}
