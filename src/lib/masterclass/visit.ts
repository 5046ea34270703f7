import { createHash } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/ticket.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { attempt, refuseBlocked } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { clipName, fullName } from '#lib/core/shared/text/person-name.ts'
import { isZone } from '#lib/core/shared/zone.ts'
import { seal, unseal } from '#lib/core/vault.ts'
import { findByKey } from '#lib/registration/key.ts'
import { register } from '#lib/registration/registration.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { seatParticipant } from '#lib/workshop/session/participant.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { contentOf } from './content.ts'
import { gateOf, isOpen, opensByLetter, sameCode } from './rules.ts'
import { EnterMasterclass, type MasterclassContent } from './schema.ts'

/** Who comes to a page of a masterclass. */
export interface Comer {
  tenantId: string
  /** Signed in at this school, or null. */
  actor: Actor | null
  locale: Locale
  address: string
  device: 'phone' | 'desktop' | 'tablet' | 'unknown'
}

export interface Visit {
  participantId: string
  sessionId: string
  workshopId: string
  name: string
  firstAt: Date
  content: MasterclassContent
}

const PURPOSE = 'masterclass visit'
const DEVICE_LENGTH = 24

/**
 * Lets somebody in by what the gate asks for, and gives the key of their visit; an address is registered and gets its
 * link by mail. Refuses with not_found (drafts too), too_many, invalid with `fields`, and unprocessable when the page is
 * not open yet or any more.
 */
export async function enterMasterclass(
  comer: Comer,
  input: EnterMasterclass,
  now = new Date(),
): Promise<{ key: string }> {
  const asked = EnterMasterclass.parse(input)
  await limitTries(comer.address)
  const { content, sessionId, title } = await inTenant(comer, (tx) => openPage(tx, asked.workshopId))
  const state = isOpen(content, now)
  if (state === 'early') throw new Refusal('unprocessable', { fields: { form: ['masterclass_early'] } })
  if (state === 'over') throw new Refusal('unprocessable', { fields: { form: ['masterclass_over'] } })
  const own = comer.actor?.tenantId === comer.tenantId ? comer.actor : null
  if (content.gate === 'code') await limitCodes(comer.address, asked.workshopId, sameCode(asked.code, content.code))
  const fields = missingAt(content, asked, own)
  if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
  const email = own?.email ?? Email.safeParse(asked.email).data ?? null
  const name = (own ? fullName(own) || clipName(own.email) : asked.name) || clipName(title)
  if (content.gate === 'email' && email && !own) {
    const zone = isZone(asked.timeZone) ? { timeZone: asked.timeZone } : {}
    await register({ ...comer, actor: null }, { workshopId: asked.workshopId, email, name, ...zone }, now)
  }
  return inTenant(comer, async (tx) => {
    // A guest's row belongs to the key of this visit, not to a cookie.
    const device = crypto.randomUUID().slice(0, DEVICE_LENGTH)
    const participantId = await seatParticipant(tx, {
      tenantId: comer.tenantId,
      sessionId,
      workshopId: asked.workshopId,
      role: 'viewer',
      registrationId: null,
      kind: own ? 'student' : email ? 'registrant' : 'guest',
      memberId: own?.membershipId ?? null,
      name,
      email,
      locale: comer.locale,
      device,
      timeZone: isZone(asked.timeZone) ? asked.timeZone : 'Europe/Kyiv',
    })
    await noteComing(tx, { tenantId: comer.tenantId, id: sessionId }, participantId, comer.device, now)
    return { key: seal(PURPOSE, participantId) }
  })
}

/**
 * The visit that a key stands for: one that `enterMasterclass` gave, or that of a personal link from a letter, whose
 * first use begins it where no code and no account is asked for. Null for a key that opens nothing here.
 */
export function findVisit(comer: Comer, workshopId: string, key: string, now = new Date()): Promise<Visit | null> {
  return inTenant(comer, async (tx) => {
    const { content, sessionId } = await openPage(tx, workshopId)
    const begins = opensByLetter(content.gate) && isOpen(content, now) === 'open'
    const participantId = unsealed(key) ?? (await byLetter(tx, comer, { workshopId, sessionId, key, begins }, now))
    if (!participantId) return null
    const [found] = await tx
      .select({ name: workshopParticipant.name, firstAt: workshopParticipant.joinedAt })
      .from(workshopParticipant)
      .where(and(eq(workshopParticipant.id, participantId), eq(workshopParticipant.workshopId, workshopId)))
    return found ? { participantId, sessionId, workshopId, content, ...found } : null
  })
}

/** What a masterclass that is published, and neither canceled nor put away, is made of. Refuses with not_found. */
export async function openPage(tx: Tx, workshopId: string) {
  const [found] = await tx
    .select({ title: workshop.title, access: workshop.access, sessionId: workshopSession.id })
    .from(workshop)
    .innerJoin(
      workshopSession,
      and(eq(workshopSession.tenantId, workshop.tenantId), eq(workshopSession.workshopId, workshop.id)),
    )
    .where(
      and(
        eq(workshop.id, workshopId),
        eq(workshop.type, 'masterclass'),
        eq(workshop.publication, 'published'),
        isNull(workshop.canceledAt),
        isNull(workshop.archivedAt),
        isNull(workshop.deletedAt),
        eq(workshopSession.kind, 'onDemand'),
      ),
    )
  if (!found) throw new Refusal('not_found')
  const { access, ...page } = found
  const { content } = await contentOf(tx, workshopId)
  return { ...page, content: { ...content, gate: gateOf(content.gate, access) } }
}

/** As whom a visitor's films are signed: no session and no member, so nothing of theirs is found under this id. */
export const visitorAt = (tenantId: string, participantId: string) => ({
  tenantId,
  viewer: ANYONE,
  membershipId: participantId,
  roles: [],
})

async function byLetter(
  tx: Tx,
  comer: Comer,
  { workshopId, sessionId, key, begins }: { workshopId: string; sessionId: string; key: string; begins: boolean },
  now: Date,
): Promise<string | null> {
  const found = await findByKey(tx, workshopId, key)
  if (found?.state !== 'confirmed') return null
  const { id, name, email, locale, timeZone } = found
  const [known] = await tx
    .select({ id: workshopParticipant.id })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.registrationId, id)))
  if (!known && !begins) return null
  const participantId = await seatParticipant(tx, {
    tenantId: comer.tenantId,
    sessionId,
    workshopId,
    kind: 'registrant',
    role: 'viewer',
    memberId: null,
    registrationId: id,
    name,
    email,
    locale,
    timeZone,
    device: id.slice(0, DEVICE_LENGTH),
  })
  await noteComing(tx, { tenantId: comer.tenantId, id: sessionId }, participantId, comer.device, now)
  return participantId
}

// A class from one school's network has room; whoever tries codes, or fills the page with visitors, has not.
const TRIES = { limit: 120, windowSeconds: 600 }

const limitTries = (address: string): Promise<void> => attempt(`masterclass:${hashed(networkOf(address))}`, TRIES)

// Only wrong codes count: a class that types the right one at once comes in.
const WRONG_CODES = { limit: 10, windowSeconds: 3600, longestWaitSeconds: 900 }

async function limitCodes(address: string, workshopId: string, isRight: boolean): Promise<void> {
  const key = `masterclass-code:${hashed(`${workshopId} ${networkOf(address)}`)}`
  await refuseBlocked(key)
  if (!isRight) await attempt(key, WRONG_CODES)
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')

// A second window of the same visit is no second coming: the numbers pass it over.
async function noteComing(
  tx: Tx,
  session: { tenantId: string; id: string },
  actorId: string,
  device: Comer['device'],
  now: Date,
) {
  await appendEvents(tx, session, [{ type: 'user.connect', actorId, payload: { device } }], now)
}

function missingAt(
  content: MasterclassContent,
  asked: { email: string; name: string; code: string },
  own: Actor | null,
) {
  const fields: Record<string, string[]> = {}
  if (content.gate === 'students' && !own) fields.form = ['masterclass_students']
  if (content.gate === 'code' && !sameCode(asked.code, content.code)) fields.code = ['masterclass_code']
  if (content.gate !== 'email' || own) return fields
  if (!asked.name) fields.name = ['required']
  if (!asked.email) fields.email = ['required']
  else if (!Email.safeParse(asked.email).success) fields.email = ['email']
  return fields
}

const unsealed = (key: string): string | null => unseal(PURPOSE, key)
