import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { attachFiles } from '#lib/storage/file-use.ts'
import { workshop } from '#lib/workshop/table.ts'
import { autoPlan, autoScriptEntry } from './table.ts'

/** Records which files an auto-webinar uses: its video, and the slides and hand-outs of its script. */
export async function recordPlanFileUse(tx: Tx, actor: Actor, workshopId: string): Promise<void> {
  const [plan] = await tx
    .select({ videoFileId: autoPlan.videoFileId, title: workshop.title })
    .from(autoPlan)
    .innerJoin(workshop, eq(workshop.id, autoPlan.workshopId))
    .where(eq(autoPlan.workshopId, workshopId))
  if (!plan) return
  const entries = await tx
    .select({ payload: autoScriptEntry.payload })
    .from(autoScriptEntry)
    .where(and(eq(autoScriptEntry.workshopId, workshopId), isNull(autoScriptEntry.deletedAt)))
  const used = new Set([plan.videoFileId, ...entries.flatMap(({ payload }) => collectFileIds(payload))])
  used.delete(null)
  // Recorded separately from the workshop, whose own record would release these files.
  const user = { kind: 'autowebinar', id: workshopId, title: plan.title } as const
  await attachFiles(
    actor,
    user,
    [...used].filter((id) => id !== null),
  )
}

function collectFileIds(payload: object): string[] {
  const content = 'content' in payload && payload.content && typeof payload.content === 'object' ? payload.content : {}
  return [payload, content].flatMap((value) =>
    'fileId' in value && typeof value.fileId === 'string' ? [value.fileId] : [],
  )
}
