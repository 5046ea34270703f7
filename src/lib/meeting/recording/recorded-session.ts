import { and, eq } from 'drizzle-orm'
import type { TimeRange } from '#lib/core/broadcast/recording/time-range.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { workshop, workshopSession, workshopStaff } from '#lib/workshop/table.ts'
import { readStageStreams, stageTimesOf } from './stage-times.ts'
import { readStageSettings } from './video-stage.ts'

export type RecordedSession = NonNullable<Awaited<ReturnType<typeof readRecordedSession>>>

/** What the videos of a session are composed from: its times, its owner, and what was on the stage. Null: no session. */
export async function readRecordedSession(tx: Tx, sessionId: string) {
  const { kind, startedAt, finishedAt, videoFileId, state } = workshopSession
  const [row] = await tx
    .select({
      kind,
      startedAt,
      finishedAt,
      videoFileId,
      state,
      language: workshop.language,
      title: workshop.title,
      createdBy: workshop.createdBy,
      eventSettings: workshop.settings,
      id: workshop.id,
    })
    .from(workshopSession)
    .innerJoin(workshop, eq(workshop.id, workshopSession.workshopId))
    .where(eq(workshopSession.id, sessionId))
  if (!row) return null
  const [host] = await tx
    .select({ memberId: workshopStaff.memberId })
    .from(workshopStaff)
    .where(and(eq(workshopStaff.workshopId, row.id), eq(workshopStaff.role, 'host')))
    .orderBy(workshopStaff.position)
  const settings = await readStageSettings(tx, sessionId, row.state)
  const stageStreams = await readStageStreams(tx, sessionId)
  return {
    ...row,
    settings,
    stageTimesOf: (stream: string): readonly TimeRange[] => stageTimesOf(stream, stageStreams),
    ownerId: host?.memberId ?? row.createdBy,
  }
}
