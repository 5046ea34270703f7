import { z } from 'zod'
import { textLine } from '#lib/core/shared/text/text.ts'

export const FIELD_KINDS = ['text', 'number', 'date', 'choice'] as const
export type FieldKind = (typeof FIELD_KINDS)[number]

export const MAX_FIELDS = 20
const MAX_OPTIONS = 50

const Option = textLine(60).min(1, 'required')

/** Choices, as a list or one per line, without duplicates. */
const Options = z
  .union([
    z
      .string()
      .max(5000)
      .transform((text) => text.split('\n')),
    z.array(z.string().max(200)).max(200),
  ])
  .transform((lines) => [...new Set(lines.map((line) => line.trim()).filter(Boolean))])
  .pipe(z.array(Option).max(MAX_OPTIONS, 'too_many_options'))

const name = textLine(60).min(1, 'required')

export const AddField = z
  .object({ name, kind: z.enum(FIELD_KINDS), options: Options.default([]) })
  .refine(({ kind, options }) => kind !== 'choice' || options.length > 0, { path: ['options'], error: 'required' })
export type AddField = z.output<typeof AddField>

/** The kind of a field does not change: values of another kind would be invalid. */
export const ChangeField = z.object({ fieldId: z.uuid(), name, options: Options.default([]) })
export type ChangeField = z.output<typeof ChangeField>

export const FieldId = z.object({ fieldId: z.uuid() })
export type FieldId = z.infer<typeof FieldId>

/** `values` by field id; an empty text removes a value. `revision` is that of the values that were edited. */
export const SaveFields = z.object({
  studentId: z.uuid(),
  revision: z.coerce.number().int().min(1).max(2_147_483_647),
  values: z.record(z.uuid(), z.string().max(2000)).refine((values) => Object.keys(values).length <= MAX_FIELDS),
})
export type SaveFields = z.output<typeof SaveFields>

export const StudentField = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  options: z.array(z.string()),
})
export type StudentField = z.infer<typeof StudentField>

export const StudentFieldValues = z.object({
  revision: z.number(),
  fields: z.array(StudentField.extend({ value: z.string() })),
})
export type StudentFieldValues = z.infer<typeof StudentFieldValues>
