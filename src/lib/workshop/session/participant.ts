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

/** The same for one person; gives the id of their row. */
export async function seatParticipant(tx: Tx, person: NewParticipant): Promise<string> {
  const [row] = await seatParticipants(tx, person.sessionId, [person])
  if (!row) throw new Error('a participant has got no row')
  return row.id
}

/**
 * People's rows in one session, in their order: the one that somebody has, by account, by registration or, for guests, by
 * device, brought up to date; else a new one. Whoever calls holds a lock of the session, so that a guest who comes twice
 * at once has one row.
 */
export async function seatParticipants(
  tx: Tx,
  sessionId: string,
  people: readonly NewParticipant[],
): Promise<Participant[]> {
  const rows = await findParticipants(tx, sessionId, people)
  const seated: Participant[] = []
  const fresh: Participant[] = []
  for (const person of people) {
    const known = rowOf(rows, person)
    if (known) {
      Object.assign(known, await broughtUp(tx, known, person, rows))
      seated.push(known)
      continue
    }
    const row = { ...person, id: newId(), joinedAt: new Date(), mutedUntil: null, isolatedAt: null, bannedAt: null }
    for (const list of [rows, seated, fresh]) list.push(row)
  }
  if (fresh.length > 0) await tx.insert(workshopParticipant).values(fresh)
  return seated
}

/** The row that somebody has in a session, or null. */
export async function findParticipant(tx: Tx, sessionId: string, who: Who): Promise<string | null> {
  return rowOf(await findParticipants(tx, sessionId, [who]), who)?.id ?? null
}

/** On which of these devices somebody was shown the door of a session. */
export async function bannedDevices(tx: Tx, sessionId: string, devices: readonly string[]): Promise<Set<string>> {
  if (devices.length === 0) return new Set()
  const { device, bannedAt } = workshopParticipant
  const found = await tx
    .selectDistinct({ device })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), inArray(device, [...devices]), isNotNull(bannedAt)))
  return new Set(found.flatMap((one) => one.device ?? []))
}

type Who = Pick<NewParticipant, 'memberId' | 'registrationId' | 'device'>

async function findParticipants(tx: Tx, sessionId: string, people: readonly Who[]): Promise<Participant[]> {
  if (people.length === 0) return []
  const { memberId, registrationId, device, kind } = workshopParticipant
  const members = people.flatMap((one) => one.memberId ?? [])
  const registrations = people.flatMap((one) => one.registrationId ?? [])
  const devices = people.filter(isGuest).map((one) => one.device)
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

function rowOf(rows: readonly Participant[], who: Who): Participant | undefined {
  const { memberId, registrationId, device } = who
  return (
    (memberId !== null && rows.find((row) => row.memberId === memberId)) ||
    (registrationId !== null && rows.find((row) => row.registrationId === registrationId && mayBe(row, who))) ||
    (isGuest(who) && rows.find((row) => row.kind === 'guest' && row.device === device)) ||
    undefined
  )
}

// A personal link never leads to the row of the staff, nor of another account.
const mayBe = (row: Participant, { memberId }: Who): boolean =>
  row.kind !== 'staff' && (row.memberId === null || memberId === null || row.memberId === memberId)

const isGuest = ({ memberId, registrationId }: Who): boolean => !memberId && !registrationId

/** Writes what has changed about somebody since they came last, and gives it. */
async function broughtUp(
  tx: Tx,
  known: Participant,
  person: NewParticipant,
  rows: readonly Participant[],
): Promise<Partial<Participant>> {
  const { role, name, email, locale, timeZone, device } = person
  // Somebody may have come by their link before they signed in: that row keeps the registration.
  const taken = rows.some((row) => row.id !== known.id && row.registrationId === person.registrationId)
  const registrationId = (taken ? null : person.registrationId) ?? known.registrationId
  const now = { role, name, email, locale, timeZone, device, registrationId }
  if (Object.entries(now).every(([key, value]) => Reflect.get(known, key) === value)) return {}
  await tx.update(workshopParticipant).set(now).where(eq(workshopParticipant.id, known.id))
  return now
}
