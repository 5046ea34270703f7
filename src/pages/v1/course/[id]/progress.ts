import type { APIRoute } from 'astro'
import { createCsvResponse, formatCsvInstant, writeCsv } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { CourseId } from '#lib/course/schema.ts'
import { listStudentStatistics } from '#lib/course/statistics/course-statistics.ts'

/** The progress of all students in a course as a CSV file. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const rows = await listStudentStatistics(actor, CourseId.parse({ courseId: params.id ?? '' }))
  const heads = ['name', 'email', 'completed', 'total', 'accepted', 'last'] as const
  const table = writeCsv(
    heads.map((head) => t(`numbers:csv.${head}`)),
    rows.map((row) => [
      row.name,
      row.email,
      row.completed,
      row.total,
      row.accepted,
      formatCsvInstant(row.lastOpenedAt, actor.timeZone),
    ]),
  )
  return createCsvResponse(table, 'progress.csv')
}
