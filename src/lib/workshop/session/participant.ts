import { and, eq, inArray, isNotNull, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { ParticipantKind, RoomRole } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { workshopParticipant } from './event-table.ts'

export interface NewParticipant {
  tenantId: string
  sessionId: string
  workshopId: string
  kind: ParticipantKind
  role: RoomRole
  memberId: string | null
  registrationId: string | null
  name: string
  email: string | null
  locale: Locale
  timeZone: string
  /** Digest of the browser's cookie. */
  device: string
}

export type Participant = typeof workshopParticipant.$inferSelect

/** Inserts or updates one participant and returns the id. */
export async function upsertParticipant(tx: Tx, participant: NewParticipant): Promise<string> {
  const [row] = await upsertParticipants(tx, participant.sessionId, [participant])
  if (!row) throw new Error('a participant has got no row')
  return row.id
}

/**
 * Inserts or updates participants of one session, in order: a known one, by account, registration or (guests) device,
 * is updated. The caller holds a lock of the session, so that concurrent requests of a guest create one row.
 */
export async function upsertParticipants(
  tx: Tx,
  sessionId: string,
  people: readonly NewParticipant[],
): Promise<Participant[]> {
  const rows = await findParticipants(tx, sessionId, people)
  const seated: Participant[] = []
  const fresh: Participant[] = []
  for (const participant of people) {
    const known = findRow(rows, participant)
    if (known) {
      Object.assign(known, await updateParticipant(tx, known, participant, rows))
      seated.push(known)
      continue
    }
    const row = {
      ...participant,
      id: newId(),
      joinedAt: new Date(),
      mutedUntil: null,
      isolatedAt: null,
      bannedAt: null,
    }
    for (const list of [rows, seated, fresh]) list.push(row)
  }
  if (fresh.length > 0) await tx.insert(workshopParticipant).values(fresh)
  return seated
}

/** Id of a participant in a session, or null. */
export async function findParticipant(
  tx: Tx,
  sessionId: string,
  identity: ParticipantIdentity,
): Promise<string | null> {
  return findRow(await findParticipants(tx, sessionId, [identity]), identity)?.id ?? null
}

/** Which of the devices belong to a banned participant of the session. */
export async function findBannedDevices(tx: Tx, sessionId: string, devices: readonly string[]): Promise<Set<string>> {
  if (devices.length === 0) return new Set()
  const { device, bannedAt } = workshopParticipant
  const rows = await tx
    .selectDistinct({ device })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), inArray(device, [...devices]), isNotNull(bannedAt)))
  return new Set(rows.flatMap((participant) => participant.device ?? []))
}

type ParticipantIdentity = Pick<NewParticipant, 'memberId' | 'registrationId' | 'device'>

async function findParticipants(
  tx: Tx,
  sessionId: string,
  people: readonly ParticipantIdentity[],
): Promise<Participant[]> {
  if (people.length === 0) return []
  const { memberId, registrationId, device, kind } = workshopParticipant
  const members = people.flatMap((participant) => participant.memberId ?? [])
  const registrations = people.flatMap((participant) => participant.registrationId ?? [])
  const devices = people.filter(isGuest).map((participant) => participant.device)
  const ways = [
    members.length > 0 ? inArray(memberId, members) : null,
    registrations.length > 0 ? inArray(registrationId, registrations) : null,
    devices.length > 0 ? and(inArray(device, devices), eq(kind, 'guest')) : null,
  ].filter((way) => way != null)
  return tx
    .select()
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), or(...ways)))
}

function findRow(rows: readonly Participant[], identity: ParticipantIdentity): Participant | undefined {
  const { memberId, registrationId, device } = identity
  return (
    (memberId !== null && rows.find((row) => row.memberId === memberId)) ||
    (registrationId !== null &&
      rows.find((row) => row.registrationId === registrationId && canShareRow(row, identity))) ||
    (isGuest(identity) && rows.find((row) => row.kind === 'guest' && row.device === device)) ||
    undefined
  )
}

// A personal link never matches the row of staff or of another account.
const canShareRow = (row: Participant, { memberId }: ParticipantIdentity): boolean =>
  row.kind !== 'staff' && (row.memberId === null || memberId === null || row.memberId === memberId)

const isGuest = ({ memberId, registrationId }: ParticipantIdentity): boolean => !memberId && !registrationId

/** Writes changed fields of a known participant and returns them. */
async function updateParticipant(
  tx: Tx,
  known: Participant,
  participant: NewParticipant,
  rows: readonly Participant[],
): Promise<Partial<Participant>> {
  const { role, name, email, locale, timeZone, device } = participant
  // The participant may have entered by their link before they signed in: that row keeps the registration.
  const isRegistrationTaken = rows.some(
    (row) => row.id !== known.id && row.registrationId === participant.registrationId,
  )
  const registrationId = (isRegistrationTaken ? null : participant.registrationId) ?? known.registrationId
  const now = { role, name, email, locale, timeZone, device, registrationId }
  if (Object.entries(now).every(([key, value]) => Reflect.get(known, key) === value)) return {}
  await tx.update(workshopParticipant).set(now).where(eq(workshopParticipant.id, known.id))
  return now
}
