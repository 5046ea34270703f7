import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { instantOfKey, microsecondsOf } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadAutomation, requireAutomationManager } from './automation.ts'
import type { AutomationRunPage } from './output-schema.ts'
import { type ListAutomationRuns, MAX_CAUSE_LENGTH } from './schema.ts'
import { automationRun } from './table.ts'

const RunKey = InstantKey.extend({ cause: z.string().max(MAX_CAUSE_LENGTH) })

/**
 * What an automation has done, for whom and with what result, latest first. At the same time the students follow one
 * another by id. Refuses with forbidden, not_found.
 */
export function listAutomationRuns(
  actor: Actor,
  { automationId, cursor, limit }: ListAutomationRuns,
): Promise<AutomationRunPage> {
  requireAutomationManager(actor)
  const after = readCursor(RunKey, cursor)
  return inTenant(actor, async (tx) => {
    await loadAutomation(tx, automationId)
    const rows = await tx
      .select({
        studentId: automationRun.studentId,
        name: sql<string>`s.sort_name`,
        cause: automationRun.cause,
        subject: automationRun.subject,
        at: automationRun.createdAt,
        result: automationRun.result,
        reason: automationRun.reason,
        attempts: automationRun.attempts,
        responseStatus: automationRun.responseStatus,
        nextAttemptAt: automationRun.nextAttemptAt,
        micros: microsecondsOf(automationRun.createdAt),
      })
      .from(automationRun)
      .innerJoin(sql`student s`, sql`s.tenant_id = ${automationRun.tenantId} and s.id = ${automationRun.studentId}`)
      .where(
        and(
          eq(automationRun.automationId, automationId),
          after
            ? sql`(${automationRun.createdAt}, ${automationRun.studentId}, ${automationRun.cause})
                < (${instantOfKey(after)}, ${after.id}::uuid, ${after.cause})`
            : undefined,
        ),
      )
      .orderBy(desc(automationRun.createdAt), desc(automationRun.studentId), desc(automationRun.cause))
      .limit(limit + 1)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map(({ micros: _, ...row }) => row),
      next: last ? writeCursor(RunKey, { at: last.micros, id: last.studentId, cause: last.cause }) : null,
    }
  })
}
