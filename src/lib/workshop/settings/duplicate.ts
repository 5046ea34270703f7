import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ITEM_KINDS } from '#lib/core/shared/event/live-event.ts'
import { requireEventPermission, requireManagedWorkshop } from '../permission.ts'
import { canCreateWorkshop } from '../rules.ts'
import { workshopItem, workshopStaff } from '../table.ts'
import { insertWorkshop } from './create.ts'
import { recordEventFileUse } from './file-use.ts'
import { readItems } from './item.ts'
import { lockWorkshopRow } from './save.ts'

/**
 * Copies data of other modules with an event, for example an auto-webinar's script; `items` maps old item ids to new
 * ones.
 */
export type CopyModuleData = (
  tx: Tx,
  actor: Actor,
  copy: { from: string; to: string; items: ReadonlyMap<string, string> },
) => Promise<void>

/**
 * Duplicates an event as a draft: fields, settings, staff and prepared items, without a date. Refuses with forbidden,
 * plan_inactive, not_found, and unprocessable when the plan's number of events is used up.
 */
export function duplicateWorkshop(
  actor: Actor,
  input: { workshopId: string },
  copyModuleData: CopyModuleData = async () => {},
): Promise<{ workshopId: string }> {
  requireEventPermission(canCreateWorkshop(actor))
  const { workshopId: from } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, from)
    const original = await lockWorkshopRow(tx, from)
    const { type, title, description, coverFileId, language, timeZone } = original
    const { plannedMinutes, access, source, slidesFileId, settings } = original
    const { workshopId: to } = await insertWorkshop(tx, actor, {
      type,
      title: copyTitle(actor, title),
      description,
      coverFileId,
      language,
      timeZone,
      plannedMinutes,
      access,
      source,
      slidesFileId,
      settings,
      startAt: null,
    })
    await copyStaff(tx, from, to)
    const items = await copyItems(tx, actor, from, to)
    await recordEventFileUse(tx, actor, to)
    await copyModuleData(tx, actor, { from, to, items })
    return { workshopId: to }
  })
}

const MAX_TITLE_LENGTH = 200

function copyTitle(actor: Actor, title: string): string {
  const copy = (original: string) => getTranslator(actor.locale)('workshop:copyOf', { title: original })
  const whole = copy(title)
  return whole.length <= MAX_TITLE_LENGTH
    ? whole
    : copy(`${title.slice(0, MAX_TITLE_LENGTH - copy('').length - 1).trimEnd()}…`)
}

async function copyStaff(tx: Tx, from: string, to: string): Promise<void> {
  const rows = await tx.select().from(workshopStaff).where(eq(workshopStaff.workshopId, from))
  if (rows.length > 0) await tx.insert(workshopStaff).values(rows.map((row) => ({ ...row, workshopId: to })))
}

async function copyItems(tx: Tx, { tenantId }: Actor, from: string, to: string): Promise<Map<string, string>> {
  const prepared = await readItems(tx, from)
  const copies = ITEM_KINDS.flatMap((kind) =>
    prepared[kind].map(({ id, content }, position) => ({ old: id, id: newId(), kind, content, position })),
  )
  if (copies.length > 0) {
    const rows = copies.map(({ old: _, ...row }) => ({ ...row, tenantId, workshopId: to }))
    await tx.insert(workshopItem).values(rows)
  }
  return new Map(copies.map(({ old, id }) => [old, id]))
}
