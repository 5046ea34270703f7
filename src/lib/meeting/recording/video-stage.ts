import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { StageChange } from '#lib/core/broadcast/recording/compose-plan.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { renderPdfPages } from '#lib/core/media/pdf-pages.ts'
import type { PresentationMode } from '#lib/core/shared/event/live-event.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { initialSlideChanges, type SlideChange } from './replay-slides.ts'

/** Settings of the stage from an instant on; `offsetMs` since the start. */
export interface StageSetting {
  offsetMs: number
  mode: PresentationMode
  fileId: string | null
  page: number
}

/** Size in pixels of a rendered page. */
const PAGE_SIZE_PX = { width: 1920, height: 1080 }

/** Settings of the stage over time, from the log. */
export async function readStageSettings(tx: Tx, sessionId: string, state: RoomState): Promise<StageSetting[]> {
  const rows = await tx
    .select({ offsetMs: workshopEvent.offsetMs, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(
      and(eq(workshopEvent.sessionId, sessionId), inArray(workshopEvent.type, ['slide.change', 'presentation.change'])),
    )
    .orderBy(asc(workshopEvent.offsetMs), asc(workshopEvent.seq))
  // The payload was validated when it was written.
  const changes = rows.map(({ offsetMs, payload }) => ({ offsetMs, ...payload }) as SlideChange)
  return toStageSettings([...initialSlideChanges(changes, state), ...changes])
}

/** Settings of the stage after each change; those before the start apply from the start on. */
export function toStageSettings(changes: readonly SlideChange[]): StageSetting[] {
  const settings: StageSetting[] = []
  let current: StageSetting = { offsetMs: 0, mode: 'broadcast', fileId: null, page: 1 }
  for (const change of changes) {
    const setting = 'mode' in change ? { mode: change.mode } : { fileId: change.fileId, page: change.page }
    current = { ...current, ...setting, offsetMs: Math.max(0, change.offsetMs) }
    if (settings.at(-1)?.offsetMs === current.offsetMs) settings.pop()
    settings.push(current)
  }
  return settings
}

export const hasVisibleSlides = (settings: readonly StageSetting[]): boolean =>
  settings.some(({ mode, fileId }) => fileId !== null && mode !== 'broadcast')

/** Renders each shown page as a picture in `folder`, for the composition. A page that cannot be rendered is omitted. */
export async function renderStage(
  settings: readonly StageSetting[],
  { tenantId, startedAt, folder }: { tenantId: string; startedAt: Date; folder: string },
  signal: AbortSignal,
): Promise<StageChange[]> {
  const shown = settings.filter(({ mode, fileId }) => fileId !== null && mode !== 'broadcast')
  const pictures = new Map<string, string>()
  for (const [fileId, fileSettings] of Map.groupBy(shown, (setting) => setting.fileId)) {
    const localCopy = await store.openLocalCopy(`${tenantId}/${fileId}`, folder)
    if (!localCopy) continue
    try {
      const pagesFolder = path.join(folder, `pages-${fileId}`)
      await mkdir(pagesFolder)
      const pages = [...new Set(fileSettings.map(({ page }) => page))]
      const drawn = await renderPdfPages(localCopy.path, { pages, folder: pagesFolder, ...PAGE_SIZE_PX }, signal)
      for (const [page, picture] of drawn) pictures.set(`${fileId} ${page}`, picture)
    } finally {
      await localCopy.done()
    }
  }
  return settings.map(({ offsetMs: ms, mode, fileId, page }) => ({
    changedAt: startedAt.getTime() + ms,
    mode,
    slide: pictures.get(`${fileId} ${page}`) ?? null,
  }))
}
