import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { file } from '#lib/storage/table.ts'
import { mentorProgram } from './table.ts'

/** Join condition: the cover of a program, unless the file is in the trash. */
export const joinsProgramCover = and(
  eq(file.tenantId, mentorProgram.tenantId),
  eq(file.id, mentorProgram.coverFileId),
  isNull(file.deletedAt),
)

/** The same as a column of a query of programs `p`, as ProgramCover. */
export const programCoverSql = sql`(select jsonb_build_object('id', f.id, 'mime', f.mime, 'width', f.width,
    'height', f.height, 'widths', f.widths)
  from file f where f.tenant_id = p.tenant_id and f.id = p.cover_file_id and f.deleted_at is null)`

export const ProgramCover = z
  .object({
    id: z.string(),
    mime: z.string(),
    width: z.number().nullable(),
    height: z.number().nullable(),
    widths: z.array(z.number()),
  })
  .nullable()
