import { eq } from 'drizzle-orm'
import type { ModuleChecks } from '#lib/workshop/settings/publish.ts'
import { workshop } from '#lib/workshop/table.ts'
import { readContent } from './content.ts'

/** Publish checks of a masterclass; none for other events. */
export const readMasterclassChecks: ModuleChecks = async (tx, workshopId) => {
  const [row] = await tx.select({ type: workshop.type }).from(workshop).where(eq(workshop.id, workshopId))
  if (row?.type !== 'masterclass') return []
  const { content } = await readContent(tx, workshopId)
  const passed = content.parts.some(({ fileId }) => fileId !== null)
  return [{ key: 'masterclassVideo', passed, refusal: 'masterclass_no_video', path: '?tab=page#masterclass-parts' }]
}
