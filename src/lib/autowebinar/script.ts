import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import { requireManagedWorkshop, requireReadableWorkshop } from '#lib/workshop/permission.ts'
import { workshopItem } from '#lib/workshop/table.ts'
import { recordPlanFileUse } from './file-use.ts'
import { ensurePlan } from './plan.ts'
import {
  type EntryVersions,
  MAX_ENTRIES,
  MAX_OFFSET_MS,
  type SaveEntry,
  type ScriptEntry,
  type ShiftEntries,
  TRACK_OF,
} from './schema.ts'
import { autoScriptEntry } from './table.ts'

const fields = {
  id: autoScriptEntry.id,
  offsetMs: autoScriptEntry.offsetMs,
  position: autoScriptEntry.position,
  version: autoScriptEntry.version,
  track: autoScriptEntry.track,
  type: autoScriptEntry.type,
  payload: autoScriptEntry.payload,
}

/** Entries of a script that are not deleted, in order. */
export async function readEntries(tx: Tx, workshopId: string): Promise<ScriptEntry[]> {
  const rows = await tx
    .select(fields)
    .from(autoScriptEntry)
    .where(and(eq(autoScriptEntry.workshopId, workshopId), isNull(autoScriptEntry.deletedAt)))
    .orderBy(asc(autoScriptEntry.offsetMs), asc(autoScriptEntry.position), asc(autoScriptEntry.id))
    .limit(MAX_ENTRIES)
  // The payload was validated when it was written.
  return rows as ScriptEntry[]
}

/** The whole script for its editor. Refuses with forbidden, not_found. */
export function listEntries(actor: Actor, input: { workshopId: string }): Promise<ScriptEntry[]> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    return readEntries(tx, workshopId)
  })
}

/**
 * Prepared items used in a script that were deleted since; their contents are in its entries. Refuses with forbidden,
 * not_found.
 */
export function listDeletedItems(actor: Actor, input: { workshopId: string }): Promise<string[]> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    const named = sql`${workshopItem.id}::text in (${autoScriptEntry.payload}->>'buttonId', ${autoScriptEntry.payload}->>'pollId',
      ${autoScriptEntry.payload}->>'handoutId')`
    const rows = await tx
      .selectDistinct({ id: workshopItem.id })
      .from(workshopItem)
      .innerJoin(
        autoScriptEntry,
        and(eq(autoScriptEntry.workshopId, workshopId), isNull(autoScriptEntry.deletedAt), named),
      )
      .where(isNotNull(workshopItem.deletedAt))
    return rows.map(({ id }) => id)
  })
}

/**
 * Saves one entry. Version 0 creates it; repeating is idempotent. Refuses with conflict when it was changed since
 * `version` (the current entry in `data`), unprocessable when the script is full, and forbidden, plan_inactive,
 * not_found.
 */
export function saveEntry(actor: Actor, input: SaveEntry): Promise<{ version: number }> {
  const { workshopId, entryId, version, offsetMs, position, content } = input
  const facts = { offsetMs, position, type: content.type, track: TRACK_OF[content.type], payload: content.payload }
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const saved = version === 0 ? await insertEntry(tx, actor, workshopId, entryId, facts) : await change()
    if (!saved) return requireSameEntry(tx, workshopId, entryId, facts)
    if (facts.track === 'slides' || facts.track === 'handouts') await recordPlanFileUse(tx, actor, workshopId)
    return saved

    async function change() {
      const [changed] = await tx
        .update(autoScriptEntry)
        .set({ ...facts, ...nextVersion() })
        .where(
          and(
            isScriptEntry(workshopId, [entryId]),
            eq(autoScriptEntry.version, version),
            isNull(autoScriptEntry.deletedAt),
          ),
        )
        .returning({ version: autoScriptEntry.version })
      return changed
    }
  })
}

/**
 * Outcome of a bulk change: new versions, and the entries that were not changed because another user had changed them.
 */
export interface EntriesOutcome {
  changed: { entryId: string; version: number; offsetMs: number }[]
  conflicts: string[]
}

/** Deletes entries; they can be restored. Refuses with forbidden, plan_inactive, not_found. */
export const deleteEntries = (actor: Actor, input: EntryVersions): Promise<EntriesOutcome> =>
  changeEntries(actor, input, { deletedAt: new Date() }, false)

/** Restores entries. Refuses like deleteEntries. */
export const restoreEntries = (actor: Actor, input: EntryVersions): Promise<EntriesOutcome> =>
  changeEntries(actor, input, { deletedAt: null }, true)

/** Shifts entries, none of them before the start. Refuses like deleteEntries. */
export function shiftEntries(actor: Actor, input: ShiftEntries): Promise<EntriesOutcome> {
  const { byMs, ...versions } = input
  const moved = sql<number>`least(greatest(${autoScriptEntry.offsetMs} + ${byMs}, 0), ${MAX_OFFSET_MS})`
  return changeEntries(actor, versions, { offsetMs: moved }, false)
}

interface EntryFacts {
  offsetMs: number
  position: number
  type: ScriptEntry['type']
  track: ScriptEntry['track']
  payload: object
}

const nextVersion = () => ({ version: sql`${autoScriptEntry.version} + 1`, updatedAt: new Date() })

const isScriptEntry = (workshopId: string, ids: readonly string[]) =>
  and(eq(autoScriptEntry.workshopId, workshopId), inArray(autoScriptEntry.id, [...ids]))

async function insertEntry(tx: Tx, { tenantId }: Actor, workshopId: string, id: string, facts: EntryFacts) {
  await ensurePlan(tx, tenantId, workshopId, {})
  if (
    (await tx.$count(
      autoScriptEntry,
      and(eq(autoScriptEntry.workshopId, workshopId), isNull(autoScriptEntry.deletedAt)),
    )) >= MAX_ENTRIES
  ) {
    throw formRefusal('script_full')
  }
  const [made] = await tx
    .insert(autoScriptEntry)
    .values({ tenantId, workshopId, id, ...facts })
    .onConflictDoNothing()
    .returning({ version: autoScriptEntry.version })
  return made
}

async function requireSameEntry(
  tx: Tx,
  workshopId: string,
  entryId: string,
  facts: EntryFacts,
): Promise<{ version: number }> {
  const [now] = await tx
    .select({ ...fields, deletedAt: autoScriptEntry.deletedAt })
    .from(autoScriptEntry)
    .where(isScriptEntry(workshopId, [entryId]))
  if (!now) throw new Refusal('not_found')
  const { offsetMs, position, type, track, payload, deletedAt, version } = now
  if (!deletedAt && stableJson({ offsetMs, position, type, track, payload }) === stableJson(facts)) return { version }
  throw new Refusal('conflict', { data: { ...now, deletedAt: deletedAt?.toISOString() ?? null } })
}

function changeEntries(
  actor: Actor,
  { workshopId, entries }: { workshopId: string; entries: { entryId: string; version: number }[] },
  set: Record<string, unknown>,
  deleted: boolean,
): Promise<EntriesOutcome> {
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const requestedRows = sql`(select r."entryId" as id, r.version from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as r("entryId" uuid, version integer)) as requested`
    const changed = await tx
      .update(autoScriptEntry)
      .set({ ...set, ...nextVersion() })
      .from(requestedRows)
      .where(
        and(
          eq(autoScriptEntry.workshopId, workshopId),
          sql`${autoScriptEntry.id} = requested.id and ${autoScriptEntry.version} = requested.version`,
          deleted ? isNotNull(autoScriptEntry.deletedAt) : isNull(autoScriptEntry.deletedAt),
        ),
      )
      .returning({ entryId: autoScriptEntry.id, version: autoScriptEntry.version, offsetMs: autoScriptEntry.offsetMs })
    const done = new Set(changed.map(({ entryId }) => entryId))
    if ('deletedAt' in set) await recordPlanFileUse(tx, actor, workshopId)
    return { changed, conflicts: entries.flatMap(({ entryId }) => (done.has(entryId) ? [] : [entryId])) }
  })
}

/** Deletes all entries of a script, for example before it is replaced. */
export async function deleteAllEntries(tx: Tx, workshopId: string): Promise<void> {
  await tx
    .update(autoScriptEntry)
    .set({ deletedAt: new Date(), ...nextVersion() })
    .where(and(eq(autoScriptEntry.workshopId, workshopId), isNull(autoScriptEntry.deletedAt)))
}
