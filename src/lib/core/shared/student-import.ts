/*
 * The closed lists of the import of students. Without zod, so that tables may import them.
 */

/** What a column of an imported table holds. `fullName` is split into first and last name. */
export const IMPORT_FIELDS = ['email', 'fullName', 'firstName', 'lastName', 'phone', 'tags', 'course', 'group'] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** A custom field of the school, by its id. */
export type CustomColumn = `field.${string}`
/** What a column of an imported table is imported as. */
export type ImportTarget = ImportField | CustomColumn

export const customColumn = (fieldId: string): CustomColumn => `field.${fieldId}`

/** The id of the custom field that a column is imported as; null for every other column. */
export const customFieldIdOf = (target: ImportTarget | null): string | null =>
  target?.startsWith('field.') ? target.slice('field.'.length) : null

/** `mapping`: columns are chosen. `ready`: checked, and nothing is changed before the start. */
export const IMPORT_STATES = ['mapping', 'ready', 'queued', 'running', 'done'] as const

/** Of the dry run: `new`, `existing`, `failed`; after the import: `added`, `unchanged`, `changed`, `failed`. */
export const IMPORT_VERDICTS = ['new', 'existing', 'failed', 'added', 'unchanged', 'changed'] as const
export type ImportVerdict = (typeof IMPORT_VERDICTS)[number]

/** Why a row is not imported: keys of `student:import.reason`. */
export const IMPORT_REASONS = [
  'email_missing',
  'email_invalid',
  'duplicate',
  'limit_student_count',
  'unknown_course',
  'unknown_group',
  'tag_invalid',
  'field_invalid',
  'blocked',
  'course_archived',
  'refused',
] as const
export type ImportReason = (typeof IMPORT_REASONS)[number]
