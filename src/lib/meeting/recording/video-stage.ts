import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { StageTurn } from '#lib/core/broadcast/recording/compose-plan.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { drawPages } from '#lib/core/media/pdf-pages.ts'
import type { Mode } from '#lib/core/shared/event/live-event.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { beginningOf, type SlideWord } from './replay-slides.ts'

/** What the stage was set to from a moment on; `ms` since the start. */
export interface StageSetting {
  ms: number
  mode: Mode
  fileId: string | null
  page: number
}

/** Pixels into which a page is drawn for a film. */
const SIZE = { width: 1920, height: 1080 }

/** What the stage of a session was set to, from its log. */
export async function readStageSettings(tx: Tx, sessionId: string, state: RoomState): Promise<StageSetting[]> {
  const rows = await tx
    .select({ offsetMs: workshopEvent.offsetMs, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(
      and(eq(workshopEvent.sessionId, sessionId), inArray(workshopEvent.type, ['slide.change', 'presentation.change'])),
    )
    .orderBy(asc(workshopEvent.offsetMs), asc(workshopEvent.seq))
  // A payload was checked against its type when it was written.
  const words = rows.map(({ offsetMs, payload }) => ({ offsetMs, ...payload }) as SlideWord)
  return settingsAfter([...beginningOf(words, state), ...words])
}

/** What the stage was set to after each change; what was set before the start stands from the start on. */
export function settingsAfter(words: readonly SlideWord[]): StageSetting[] {
  const settings: StageSetting[] = []
  let now: StageSetting = { ms: 0, mode: 'broadcast', fileId: null, page: 1 }
  for (const word of words) {
    const change = 'mode' in word ? { mode: word.mode } : { fileId: word.fileId, page: word.page }
    now = { ...now, ...change, ms: Math.max(0, word.offsetMs) }
    if (settings.at(-1)?.ms === now.ms) settings.pop()
    settings.push(now)
  }
  return settings
}

export const showsSlides = (settings: readonly StageSetting[]): boolean =>
  settings.some(({ mode, fileId }) => fileId !== null && mode !== 'broadcast')

/** The same for a film: each page that was shown as a picture in `folder`. A page that cannot be drawn is left out. */
export async function drawStage(
  settings: readonly StageSetting[],
  { tenantId, startedAt, folder }: { tenantId: string; startedAt: Date; folder: string },
  signal: AbortSignal,
): Promise<StageTurn[]> {
  const shown = settings.filter(({ mode, fileId }) => fileId !== null && mode !== 'broadcast')
  const pictures = new Map<string, string>()
  for (const [fileId, turns] of Map.groupBy(shown, (one) => one.fileId)) {
    const lent = await store.lend(`${tenantId}/${fileId}`, folder)
    if (!lent) continue
    try {
      const own = path.join(folder, `pages-${fileId}`)
      await mkdir(own)
      const pages = [...new Set(turns.map(({ page }) => page))]
      const drawn = await drawPages(lent.path, { pages, folder: own, ...SIZE }, signal)
      for (const [page, picture] of drawn) pictures.set(`${fileId} ${page}`, picture)
    } finally {
      await lent.done()
    }
  }
  return settings.map(({ ms, mode, fileId, page }) => ({
    at: startedAt.getTime() + ms,
    mode,
    slide: pictures.get(`${fileId} ${page}`) ?? null,
  }))
}
