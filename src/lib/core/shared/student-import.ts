/* The closed lists of values of the import of students. Without zod, so that tables may import them. */

/** The content of a column of an imported table. `fullName` is split into first and last name. */
export const IMPORT_FIELDS = ['email', 'fullName', 'firstName', 'lastName', 'phone', 'tags', 'course', 'group'] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** A custom field of the school, by its id. */
export type CustomColumn = `field.${string}`
/** The field that a column of a table is imported as. */
export type ImportTarget = ImportField | CustomColumn

export const customColumn = (fieldId: string): CustomColumn => `field.${fieldId}`

/** The id of the custom field that a column is imported as; null for every other column. */
export const customFieldIdOf = (target: ImportTarget | null): string | null =>
  target?.startsWith('field.') ? target.slice('field.'.length) : null

/** `mapping`: columns are chosen. `ready`: checked, and nothing is changed before the start. */
export const IMPORT_STATES = ['mapping', 'ready', 'queued', 'running', 'done'] as const

/** In the dry run: `new`, `existing`, `failed`; after the import: `added`, `unchanged`, `changed`, `failed`. */
export const IMPORT_VERDICTS = ['new', 'existing', 'failed', 'added', 'unchanged', 'changed'] as const
export type ImportVerdict = (typeof IMPORT_VERDICTS)[number]

/** Reasons why a row is not imported: keys of `student:import.reason`. */
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
