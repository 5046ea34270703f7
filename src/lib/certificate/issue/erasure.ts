import { sql } from 'drizzle-orm'
import { afterCommit, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { log } from '#lib/core/log.ts'
import { objectKey } from '#lib/storage/object-key.ts'
import type { ErasedPerson } from '#lib/student/card/section.ts'

/**
 * Ends the certificates of a person whose data is erased and removes name, delivery data, notes and PDF: their public
 * pages return not found. Numbers and dates are kept, so that the sequence has no gaps.
 */
export async function eraseCertificates(tx: Tx, { studentId }: ErasedPerson): Promise<void> {
  const { rows } = await tx.execute<{ id: string; tenantId: string }>(sql`
    update certificate set name_as_printed = '', delivery = null, tracking_number = '', reason = '', snapshot = null,
      rendered_at = null, due_at = null, updated_at = now(),
      state = case when state in ('replaced', 'declined') then state else 'revoked' end,
      history = (select coalesce(jsonb_agg(h || '{"note": ""}'), '[]') from jsonb_array_elements(history) h)
    where tenant_id = current_tenant() and student_id = ${studentId}
    returning id, tenant_id as "tenantId"`)
  afterCommit(() => {
    for (const { id, tenantId } of rows) {
      store
        .remove(objectKey(tenantId, id))
        .catch((error: Error) => log.error({ err: error }, 'the PDF of an erased certificate was not removed'))
    }
  })
}
