import type { APIRoute } from 'astro'
import { exportAuditLog } from '#lib/audit/export.ts'
import { AuditFilter } from '#lib/audit/schema.ts'
import { createCsvResponse } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'

/** The filtered audit log as a file for a spreadsheet. */
export const GET: APIRoute = async ({ locals, url }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const filter = AuditFilter.safeParse(Object.fromEntries(url.searchParams))
  if (!filter.success) throw new Refusal('invalid')
  return createCsvResponse(await exportAuditLog(locals.actor, filter.data, locals), 'audit-log.csv')
}
