import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { PresentationMode } from '#lib/core/shared/event/live-event.ts'
import { findDocumentAddress } from '#lib/workshop/document.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import type { RoomParticipant } from '../admission/seat.ts'
import type { ReplaySlides, SlideTurn } from './schema.ts'

/** Changes of slides and mode in the log, in order; `offsetMs` since the start. */
export type SlideChange = { offsetMs: number } & ({ mode: PresentationMode } | { fileId: string | null; page: number })

/** Slides of a session on the timeline of its video, from the log; null when none were shown. */
export async function readReplaySlides(
  tx: Tx,
  { tenantId, sessionId, session }: Pick<RoomParticipant, 'tenantId' | 'sessionId' | 'session'>,
  videoOffsetMs: number,
): Promise<ReplaySlides | null> {
  const rows = await tx
    .select({ offsetMs: workshopEvent.offsetMs, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(
      and(eq(workshopEvent.sessionId, sessionId), inArray(workshopEvent.type, ['slide.change', 'presentation.change'])),
    )
    .orderBy(asc(workshopEvent.offsetMs), asc(workshopEvent.seq))
  // The payload was validated when it was written.
  const changes = rows.map(
    ({ offsetMs, payload }) => ({ offsetMs: offsetMs + videoOffsetMs, ...payload }) as SlideChange,
  )
  const turns = toSlideTurns([...initialSlideChanges(changes, session.state), ...changes])
  const documents: Record<string, string> = {}
  for (const fileId of new Set(turns.flatMap((turn) => turn.fileId ?? []))) {
    const address = await findDocumentAddress(tx, tenantId, fileId)
    if (address) documents[fileId] = address
  }
  return Object.keys(documents).length > 0 ? { documents, turns } : null
}

/** State of the room before the first change: what never changed is still in its state, whatever the event has now. */
export function initialSlideChanges(changes: readonly SlideChange[], { mode, slide, chat }: RoomState): SlideChange[] {
  const turned = changes.find((change) => 'fileId' in change)
  const fileId = turned ? turned.fileId : slide.fileId
  const first = changes.some((change) => 'mode' in change) ? initialRoomState(chat, fileId).mode : mode
  return [
    { offsetMs: 0, mode: first },
    { offsetMs: 0, fileId, page: turned ? 1 : slide.page },
  ]
}

/** Page next to the video by time, or none. Entries without a change are omitted. */
export function toSlideTurns(changes: readonly SlideChange[]): SlideTurn[] {
  let mode: PresentationMode = 'broadcast'
  let slide: { fileId: string | null; page: number } = { fileId: null, page: 1 }
  const turns: SlideTurn[] = []
  for (const change of changes) {
    if ('mode' in change) mode = change.mode
    else slide = { fileId: change.fileId, page: change.page }
    const turn = { ms: Math.max(0, change.offsetMs), ...(mode === 'broadcast' ? { fileId: null, page: 1 } : slide) }
    if (turns.at(-1)?.ms === turn.ms) turns.pop()
    const last = turns.at(-1)
    if (last?.fileId !== turn.fileId || last.page !== turn.page) turns.push(turn)
  }
  return turns
}
