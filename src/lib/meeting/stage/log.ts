import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { workshopEvent, workshopParticipant } from '#lib/workshop/session/event-table.ts'
import type { StagePlace } from './rules.ts'
import type { HandView } from './schema.ts'

const person = sql<string>`${workshopEvent.payload}->>'personId'`

/** A participant's relation to the stage, by the last log entry about them. */
export async function readStagePlace(tx: Tx, sessionId: string, personId: string): Promise<StagePlace> {
  const [last] = await tx
    .select({ type: workshopEvent.type, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, sessionId),
        inArray(workshopEvent.type, ['stage.invite', 'stage.change']),
        eq(person, personId),
      ),
    )
    .orderBy(desc(workshopEvent.seq))
    .limit(1)
  return last ? toStagePlace(last) : 'off'
}

/** The same for several participants; those without log entries are missing in the map. */
export async function readStagePlaces(
  tx: Tx,
  sessionId: string,
  personIds: readonly string[],
): Promise<Map<string, StagePlace>> {
  if (personIds.length === 0) return new Map()
  const rows = await tx
    .selectDistinctOn([person], { personId: person, type: workshopEvent.type, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, sessionId),
        inArray(workshopEvent.type, ['stage.invite', 'stage.change']),
        inArray(person, [...personIds]),
      ),
    )
    .orderBy(person, desc(workshopEvent.seq))
  return new Map(rows.map((row) => [row.personId, toStagePlace(row)]))
}

/** A participant's last encoder key or its revocation; null if there never was one. */
export async function readEncoderKey(
  tx: Tx,
  sessionId: string,
  personId: string,
): Promise<{ on: boolean; issuedAt: number } | null> {
  const [last] = await tx
    .select({ payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), eq(workshopEvent.type, 'encoder.key'), eq(person, personId)))
    .orderBy(desc(workshopEvent.seq))
    .limit(1)
  if (!last) return null
  // Keys of earlier versions have no time of issue and are void.
  const issuedAt = Number(Reflect.get(last.payload, 'issuedAt') ?? 0)
  return { on: isFlagSet(last.payload, 'on') && issuedAt > 0, issuedAt }
}

/** Raised hands, longest waiting first, and invited or present stage guests. At most 200. */
export async function readHands(tx: Tx, sessionId: string): Promise<HandView[]> {
  const hands = await tx
    .selectDistinctOn([workshopEvent.actorId], {
      personId: workshopEvent.actorId,
      payload: workshopEvent.payload,
      at: workshopEvent.at,
    })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), eq(workshopEvent.type, 'hand.raise')))
    .orderBy(workshopEvent.actorId, desc(workshopEvent.seq))
  const places = await tx
    .selectDistinctOn([person], { personId: person, type: workshopEvent.type, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), inArray(workshopEvent.type, ['stage.invite', 'stage.change'])))
    .orderBy(person, desc(workshopEvent.seq))
  const raised = new Map(
    hands.flatMap(({ personId, payload, at }) =>
      personId && isFlagSet(payload, 'on') ? [[personId, at.getTime()]] : [],
    ),
  )
  const stage = new Map(places.map((row) => [row.personId, toStagePlace(row)]))
  const known = [...new Set([...raised.keys(), ...[...stage].flatMap(([id, at]) => (at === 'off' ? [] : [id]))])]
  const rows = await readNames(tx, known.slice(0, MAX_HANDS))
  return rows
    .map(({ id, name }) => ({
      personId: id,
      name,
      raisedAt: raised.get(id) ?? null,
      stage: stage.get(id) ?? ('off' as const),
    }))
    .sort((row, otherRow) => (row.raisedAt ?? Number.MAX_VALUE) - (otherRow.raisedAt ?? Number.MAX_VALUE))
}

const MAX_HANDS = 200

async function readNames(tx: Tx, ids: string[]): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return []
  const { id, name } = workshopParticipant
  return tx.select({ id, name }).from(workshopParticipant).where(inArray(id, ids))
}

function toStagePlace({ type, payload }: { type: string; payload: object }): StagePlace {
  if (type === 'stage.invite') return isFlagSet(payload, 'on') ? 'invited' : 'off'
  return isFlagSet(payload, 'accepted') ? 'on' : 'off'
}

const isFlagSet = (payload: object, flag: string): boolean => Reflect.get(payload, flag) === true
