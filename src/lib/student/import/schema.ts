import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { IMPORT_FIELDS, IMPORT_VERDICTS } from '#lib/core/shared/student-import.ts'
import { Tag } from '../list/schema.ts'

/** Maximum number of rows of an import, and maximum size of its file in bytes. */
export const MAX_IMPORT_ROWS = 20_000
export const MAX_STUDENT_TABLE_BYTES = 10 * 1024 ** 2

export const ImportId = z.object({ importId: z.uuid() })
export type ImportId = z.infer<typeof ImportId>

const optionalId = z
  .union([z.literal('').transform(() => null), z.uuid()])
  .nullable()
  .default(null)

/** The target of a column: a field of every student, or a custom field of the school as `field.<id>`. */
export const ImportTargetInput = z.union([z.enum(IMPORT_FIELDS), z.templateLiteral(['field.', z.uuid()])])

/** The target of each column, and the values for all rows. */
export const MapImport = ImportId.extend({
  mapping: z
    .array(ImportTargetInput.nullable())
    .max(200)
    .refine((targets) => targets.filter((target) => target === 'email').length === 1, 'import_no_email'),
  courseId: optionalId,
  groupId: optionalId,
  tag: z
    .union([z.literal('').transform(() => null), Tag])
    .nullable()
    .default(null),
})
export type MapImport = z.output<typeof MapImport>

export const GetImport = ImportId.extend({ verdict: z.enum(IMPORT_VERDICTS).optional(), cursor: Cursor })
export type GetImport = z.output<typeof GetImport>
