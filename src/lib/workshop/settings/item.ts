import { and, asc, eq, isNull, max, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ItemKind } from '#lib/core/shared/event/live-event.ts'
import { requireFileOfType } from '#lib/storage/require-file.ts'
import { requireManagedWorkshop, requireReadableWorkshop } from '../permission.ts'
import type { AddItem, MoveItem, SaveItem } from '../schema.ts'
import type { ButtonContent, HandoutContent, PollContent } from '../session/event-schema.ts'
import { workshopItem } from '../table.ts'
import { recordEventFileUse } from './file-use.ts'

/** Prepared items of an event, each kind in order. */
export interface PreparedItemsByKind {
  button: { id: string; content: ButtonContent }[]
  poll: { id: string; content: PollContent }[]
  handout: { id: string; content: HandoutContent }[]
}

/** Buttons, polls and hand-outs of an event. Refuses with forbidden, not_found. */
export function listItems(actor: Actor, input: { workshopId: string }): Promise<PreparedItemsByKind> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    return readItems(tx, workshopId)
  })
}

/** The same without an authorization check. */
export async function readItems(tx: Tx, workshopId: string): Promise<PreparedItemsByKind> {
  const rows = await tx
    .select({ id: workshopItem.id, kind: workshopItem.kind, content: workshopItem.content })
    .from(workshopItem)
    .where(and(eq(workshopItem.workshopId, workshopId), isNull(workshopItem.deletedAt)))
    .orderBy(asc(workshopItem.position), asc(workshopItem.id))
  const ofKind = <T>(searchedKind: ItemKind) =>
    // The content was validated when it was written.
    rows.filter(({ kind }) => kind === searchedKind).map(({ id, content }) => ({ id, content: content as T }))
  return {
    button: ofKind<ButtonContent>('button'),
    poll: ofKind<PollContent>('poll'),
    handout: ofKind<HandoutContent>('handout'),
  }
}

/**
 * Adds an item after the others of its kind. Refuses with forbidden, plan_inactive, not_found (a file too), invalid.
 */
export function addItem(actor: Actor, input: AddItem): Promise<{ itemId: string }> {
  const { workshopId, kind, content } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    await requireContentFile(actor, content)
    const [{ last } = { last: null }] = await tx
      .select({ last: max(workshopItem.position) })
      .from(workshopItem)
      .where(and(eq(workshopItem.workshopId, workshopId), eq(workshopItem.kind, kind)))
    const [made] = await tx
      .insert(workshopItem)
      .values({ tenantId: actor.tenantId, workshopId, kind, content, position: (last ?? -1) + 1 })
      .returning({ itemId: workshopItem.id })
    if (!made) throw new Refusal('not_found')
    await recordEventFileUse(tx, actor, workshopId)
    return made
  })
}

/** Saves the content of an item. Refuses like addItem. */
export function saveItem(actor: Actor, input: SaveItem): Promise<{ itemId: string }> {
  const { itemId, kind, content } = input
  return changeItem(actor, itemId, async (tx, place) => {
    if (place.kind !== kind) throw new Refusal('not_found')
    await requireContentFile(actor, content)
    await tx.update(workshopItem).set({ content }).where(eq(workshopItem.id, itemId))
  })
}

/** Moves an item by one position within its kind; no change at the end of the list. Refuses like addItem. */
export function moveEventItem(actor: Actor, input: MoveItem): Promise<{ itemId: string }> {
  const { itemId, by } = input
  return changeItem(actor, itemId, async (tx, { kind, workshopId }) => {
    const ids = (await readItems(tx, workshopId))[kind].map(({ id }) => id)
    const index = ids.indexOf(itemId)
    const target = index + by
    if (index < 0 || target < 0 || target >= ids.length) return
    ids.splice(target, 0, ...ids.splice(index, 1))
    await tx.execute(sql`update workshop_item set position = o.place - 1
      from unnest(${sql.param(ids)}::uuid[]) with ordinality as o(id, place)
      where tenant_id = current_tenant() and workshop_item.id = o.id`)
  })
}

/** Deletes an item; it remains visible where it is shown in a room. Refuses like addItem. */
export function deleteItem(actor: Actor, input: { itemId: string }): Promise<{ itemId: string }> {
  const { itemId } = input
  return changeItem(actor, itemId, (tx) =>
    tx.update(workshopItem).set({ deletedAt: new Date() }).where(eq(workshopItem.id, itemId)),
  )
}

/** Restores a deleted item. Refuses like addItem. */
export function restoreItem(actor: Actor, input: { itemId: string }): Promise<{ itemId: string }> {
  const { itemId } = input
  return changeItem(
    actor,
    itemId,
    (tx) => tx.update(workshopItem).set({ deletedAt: null }).where(eq(workshopItem.id, itemId)),
    true,
  )
}

async function requireContentFile(actor: Actor, { fileId }: AddItem['content']): Promise<void> {
  if (typeof fileId === 'string') await requireFileOfType(actor, 'content.fileId', fileId)
}

interface ItemPlace {
  workshopId: string
  kind: ItemKind
}

function changeItem(
  actor: Actor,
  itemId: string,
  change: (tx: Tx, place: ItemPlace) => Promise<unknown>,
  deleted = false,
): Promise<{ itemId: string }> {
  return inTenant(actor, async (tx) => {
    const { workshopId, kind, deletedAt } = workshopItem
    const [place] = await tx
      .select({ workshopId, kind, deletedAt })
      .from(workshopItem)
      .where(eq(workshopItem.id, itemId))
    if (!place) throw new Refusal('not_found')
    await requireManagedWorkshop(tx, actor, place.workshopId)
    if (place.deletedAt && !deleted) throw new Refusal('not_found')
    await change(tx, place)
    await recordEventFileUse(tx, actor, place.workshopId)
    return { itemId }
  })
}
