import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopAccess, WorkshopStatus, WorkshopType } from '#lib/core/shared/event/live-event.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { canSeeWorkshops } from '#lib/workshop/rules.ts'
import type { FormQuestion } from '#lib/workshop/schema.ts'
import { workshopStaff } from '#lib/workshop/table.ts'
import { type CalendarLinks, calendarLinks } from './calendar.ts'
import { eventStatus, type RegistrationEvent, requireEvent } from './event.ts'
import { unsealJoinKey } from './join-key.ts'
import { canRegister, freeSeats, initialState } from './rules.ts'
import { countSeats, isOfEvent } from './seat.ts'
import { listSessionChoices, readCapacity, type SessionChoice } from './session-choice.ts'
import { registration } from './table.ts'

interface Speaker {
  name: string
  about: string
  picture: Picture | null
}

/** An event for its registration page; the same for all anonymous visitors. */
export interface Invitation {
  id: string
  type: WorkshopType
  title: string
  description: string
  language: 'uk' | 'en'
  access: WorkshopAccess
  isPublished: boolean
  cover: Picture | null
  speakers: Speaker[]
  startAt: Date | null
  timeZone: string
  plannedMinutes: number
  status: WorkshopStatus
  isCanceled: boolean
  /** Whether registration is possible; `reason` selects the text shown instead of the form. */
  verdict: Verdict
  /** State of a new registration at present; null when there is neither a seat nor a waiting list. */
  nextState: 'pending' | 'confirmed' | 'waitlisted' | null
  seatsLeft: number | null
  form: { phone: 'off' | 'optional' | 'required'; questions: FormQuestion[]; marketing: boolean }
  /** Sessions of an auto-webinar to choose from. */
  sessions: SessionChoice[]
  onDemand: boolean
  links: CalendarLinks | null
  /** Key of the actor's own registration, if any. */
  ownKey: string | null
}

/**
 * An event for its registration page. Drafts are shown to staff who may see events, with `isPublished` false. Refuses
 * with not_found.
 */
export function readInvitation(
  tenantId: string,
  actor: Actor | null,
  input: { workshopId: string; timeZone?: string | undefined },
  now = new Date(),
): Promise<Invitation> {
  return inTenant({ tenantId }, async (tx) => {
    const event = await requireEvent(tx, input.workshopId)
    const ownActor = actor?.tenantId === tenantId ? actor : null
    const isTeam = ownActor !== null && canSeeWorkshops(ownActor).allow
    if (!event.isPublished && !isTeam) throw new Refusal('not_found')
    const status = eventStatus(event, now)
    const { form } = event.settings
    const seats = event.type === 'autoWebinar' ? { capacity: null, takenCount: 0 } : await readSeats(tx, event, now)
    const zone = input.timeZone ?? ownActor?.timeZone ?? event.timeZone
    const { sessions, onDemand, minutes } = await listSessionChoices(tx, event, zone, now)
    const href = addressOf(event.school.subdomain, `/workshops/register/${event.id}`)
    return {
      id: event.id,
      type: event.type,
      title: event.title,
      description: event.description,
      language: event.language,
      access: event.access,
      isPublished: event.isPublished,
      isCanceled: event.isCanceled,
      ...(await readCoverAndSpeakers(tx, event)),
      startAt: event.startAt,
      timeZone: event.timeZone,
      plannedMinutes: minutes,
      status,
      verdict: canRegister(
        { ...event, status, isAlwaysOpen: event.type !== 'webinar' },
        { isMember: ownActor !== null },
      ),
      nextState: initialState(form, seats),
      seatsLeft: freeSeats(seats),
      form: { phone: form.phone, questions: form.questions, marketing: form.marketing },
      sessions,
      onDemand,
      links: calendarLinks(event, href),
      ownKey: ownActor ? await findOwnKey(tx, event, ownActor) : null,
    }
  })
}

const readSeats = async (tx: Tx, event: RegistrationEvent, now: Date) =>
  countSeats(tx, event, await readCapacity(tx, event), now)

/** Cover and speakers with their pictures, in two statements. */
async function readCoverAndSpeakers(
  tx: Tx,
  event: RegistrationEvent,
): Promise<{ cover: Picture | null; speakers: Speaker[] }> {
  const { guests } = event.settings
  const ids = [event.coverFileId, ...guests.map(({ fileId }) => fileId)].flatMap((id) => id ?? [])
  const files = await readFiles(tx, ids)
  const viewer = { tenantId: event.tenantId, viewer: ANYONE }
  const picture = (id: string | null) => {
    const match = files.find((file) => file.id === id)
    return match ? pictureFor(viewer, match) : null
  }
  const staff = await tx
    .selectDistinct({ id: membership.id, first: user.firstName, last: user.lastName, position: workshopStaff.position })
    .from(workshopStaff)
    .innerJoin(
      membership,
      and(eq(membership.tenantId, workshopStaff.tenantId), eq(membership.id, workshopStaff.memberId)),
    )
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(workshopStaff.workshopId, event.id), eq(workshopStaff.role, 'speaker')))
    .orderBy(asc(workshopStaff.position))
  const speakers = staff.map(({ first, last }) => ({ name: `${first} ${last}`.trim(), about: '', picture: null }))
  return {
    cover: picture(event.coverFileId),
    speakers: [
      ...speakers.filter(({ name }) => name !== ''),
      ...guests.map(({ name, about, fileId }) => ({ name, about, picture: picture(fileId) })),
    ],
  }
}

function readFiles(tx: Tx, ids: string[]) {
  if (ids.length === 0) return Promise.resolve([])
  return tx
    .select({ id: file.id, mime: file.mime, width: file.width, height: file.height, widths: file.widths })
    .from(file)
    .where(and(inArray(file.id, ids), isNull(file.deletedAt)))
}

async function findOwnKey(tx: Tx, event: RegistrationEvent, actor: Actor): Promise<string | null> {
  const [row] = await tx
    .select({ joinSealed: registration.joinSealed })
    .from(registration)
    .where(
      and(
        event.type === 'autoWebinar' ? eq(registration.workshopId, event.id) : isOfEvent(event),
        eq(registration.memberId, actor.membershipId),
        inArray(registration.state, ['pending', 'confirmed', 'waitlisted']),
      ),
    )
    .orderBy(asc(registration.createdAt))
    .limit(1)
  return row ? unsealJoinKey(row) : null
}
