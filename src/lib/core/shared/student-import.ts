/* The closed lists of values of the import of students. Without zod, so that tables may import them. */

/**
 * The content of a column of an imported table. `fullName` is split: the given names come first, the surname last;
 * `surnameFirst` begins with the surname and may end with the patronymic.
 */
export const IMPORT_FIELDS = [
  'email',
  'surnameFirst',
  'fullName',
  'lastName',
  'firstName',
  'patronymic',
  'phone',
  'tags',
  'course',
  'group',
] as const
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

/**
 * Reasons why a row is not imported, or why an added student has no access: keys of `student:import.reason`.
 */
export const IMPORT_REASONS = [
  'email_missing',
  'email_invalid',
  'email_look_alike',
  'email_no_dot',
  'duplicate',
  'limit_student_count',
  'unknown_course',
  'unknown_group',
  // Of earlier imports; now warnings.
  'tag_invalid',
  'field_invalid',
  'blocked',
  'course_archived',
  'group_full',
  'group_finished',
  'refused',
] as const
export type ImportReason = (typeof IMPORT_REASONS)[number]

/** What is not imported, or not as typed, although the person is: keys of `student:import.warning`. */
export const IMPORT_WARNINGS = [
  'phone_scientific',
  'phone_unusual',
  'phone_first',
  'email_first',
  'name_cut',
  'name_order',
  'tag_invalid',
  'field_invalid',
] as const

/** `value` is the content of the cell; `field` the name of the custom field. */
export interface ImportWarning {
  code: (typeof IMPORT_WARNINGS)[number]
  value: string
  field?: string
}
