import { createHash } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { countGuess } from '#lib/core/http/secret-guess.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { clipName, fullName } from '#lib/core/shared/text/person-name.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { findByJoinKey } from '#lib/registration/join-key.ts'
import { registerForEvent } from '#lib/registration/registration.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { upsertParticipant } from '#lib/workshop/session/participant.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { readContent } from './content.ts'
import { canEnterByLink, effectiveGate, isSameCode, openState } from './rules.ts'
import type { EnterMasterclass, MasterclassContent } from './schema.ts'

/** Visitor of a masterclass page. */
export interface MasterclassVisitor {
  tenantId: string
  /** Signed in at this tenant, or null. */
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
 * Admits a visitor by the gate and returns the key of the visit; an email address is registered and gets its link by
 * email. Refuses with not_found (drafts too), too_many, invalid with `fields`, and unprocessable when the page is not
 * open.
 */
export async function enterMasterclass(
  visitor: MasterclassVisitor,
  input: EnterMasterclass,
  now = new Date(),
): Promise<{ key: string }> {
  await throttleEntry(visitor.address)
  const { content, sessionId, title } = await inTenant(visitor, (tx) => requirePage(tx, input.workshopId))
  const state = openState(content, now)
  if (state === 'early') throw formRefusal('masterclass_early')
  if (state === 'over') throw formRefusal('masterclass_over')
  const ownActor = visitor.actor?.tenantId === visitor.tenantId ? visitor.actor : null
  if (content.gate === 'code') {
    const uncount = await countCode(visitor.address, input.workshopId, input.code ?? '')
    if (isSameCode(input.code, content.code)) await uncount()
  }
  const fields = findGateErrors(content, input, ownActor)
  if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
  const email = ownActor?.email ?? Email.safeParse(input.email).data ?? null
  const name = (ownActor ? fullName(ownActor) || clipName(ownActor.email) : input.name) || clipName(title)
  if (content.gate === 'email' && email && !ownActor) {
    const person = { email, name, phone: '', answers: {}, marketing: false }
    const zone = isTimeZone(input.timeZone) ? { timeZone: input.timeZone } : {}
    await registerForEvent({ ...visitor, actor: null }, { workshopId: input.workshopId, ...person, ...zone }, now)
  }
  return inTenant(visitor, async (tx) => {
    // A guest's row belongs to the key of the visit, not to a cookie.
    const device = crypto.randomUUID().slice(0, DEVICE_LENGTH)
    const participantId = await upsertParticipant(tx, {
      tenantId: visitor.tenantId,
      sessionId,
      workshopId: input.workshopId,
      role: 'viewer',
      registrationId: null,
      kind: ownActor ? 'student' : email ? 'registrant' : 'guest',
      memberId: ownActor?.membershipId ?? null,
      name,
      email,
      locale: visitor.locale,
      device,
      timeZone: isTimeZone(input.timeZone) ? input.timeZone : 'Europe/Kyiv',
    })
    await recordConnect(tx, { tenantId: visitor.tenantId, id: sessionId }, participantId, visitor.device, now)
    return { key: encrypt(PURPOSE, participantId) }
  })
}

/**
 * Visit of a key from `enterMasterclass`, or of a personal link, whose first use starts the visit where no code or
 * account is required. Null for an invalid key.
 */
export function findVisit(
  visitor: MasterclassVisitor,
  workshopId: string,
  key: string,
  now = new Date(),
): Promise<Visit | null> {
  return inTenant(visitor, async (tx) => {
    const { content, sessionId } = await requirePage(tx, workshopId)
    const canStart = canEnterByLink(content.gate) && openState(content, now) === 'open'
    const participantId =
      unsealVisit(key) ?? (await findOrStartByLink(tx, visitor, { workshopId, sessionId, key, begins: canStart }, now))
    if (!participantId) return null
    const [row] = await tx
      .select({ name: workshopParticipant.name, firstAt: workshopParticipant.joinedAt })
      .from(workshopParticipant)
      .where(and(eq(workshopParticipant.id, participantId), eq(workshopParticipant.workshopId, workshopId)))
    return row ? { participantId, sessionId, workshopId, content, ...row } : null
  })
}

/** Content of a published masterclass that is neither canceled nor archived. Refuses with not_found. */
async function requirePage(tx: Tx, workshopId: string) {
  const [row] = await tx
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
  if (!row) throw new Refusal('not_found')
  const { access, ...page } = row
  const { content } = await readContent(tx, workshopId)
  return { ...page, content: { ...content, gate: effectiveGate(content.gate, access) } }
}

/** Actor for a visitor's video URLs: without login session and membership. */
export const playbackActor = (tenantId: string, participantId: string) => ({
  tenantId,
  viewer: ANYONE,
  membershipId: participantId,
  roles: [],
})

async function findOrStartByLink(
  tx: Tx,
  visitor: MasterclassVisitor,
  { workshopId, sessionId, key, begins }: { workshopId: string; sessionId: string; key: string; begins: boolean },
  now: Date,
): Promise<string | null> {
  const rows = await findByJoinKey(tx, workshopId, key)
  if (rows?.state !== 'confirmed') return null
  const { id, name, email, locale, timeZone } = rows
  const [existing] = await tx
    .select({ id: workshopParticipant.id })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.registrationId, id)))
  if (!existing && !begins) return null
  const participantId = await upsertParticipant(tx, {
    tenantId: visitor.tenantId,
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
  await recordConnect(tx, { tenantId: visitor.tenantId, id: sessionId }, participantId, visitor.device, now)
  return participantId
}

// A school class may enter from one network; guessing codes and mass visits are limited.
const ENTRY_LIMIT = { limit: 120, windowSeconds: 600 }

const throttleEntry = (address: string): Promise<void> =>
  countAttempt(`masterclass:${digestText(networkOf(address))}`, ENTRY_LIMIT)

// Only wrong codes count, so that a class with the right one can enter immediately.
const WRONG_CODE_LIMIT = { limit: 10, windowSeconds: HOUR_SECONDS, maxWaitSeconds: 900 }

const countCode = (address: string, workshopId: string, code: string) =>
  countGuess(`masterclass-code:${digestText(`${workshopId} ${networkOf(address)}`)}`, code, WRONG_CODE_LIMIT)

const digestText = (text: string): string => createHash('sha256').update(text).digest('base64url')

// A second window of the same visit is ignored by the statistics.
async function recordConnect(
  tx: Tx,
  session: { tenantId: string; id: string },
  actorId: string,
  device: MasterclassVisitor['device'],
  now: Date,
) {
  await appendEvents(tx, session, [{ type: 'user.connect', actorId, payload: { device } }], now)
}

function findGateErrors(
  content: MasterclassContent,
  given: { email: string; name: string; code: string },
  ownActor: Actor | null,
) {
  const fields: Record<string, string[]> = {}
  if (content.gate === 'students' && !ownActor) fields.form = ['masterclass_students']
  if (content.gate === 'code' && !isSameCode(given.code, content.code)) fields.code = ['masterclass_code']
  if (content.gate !== 'email' || ownActor) return fields
  if (!given.name) fields.name = ['required']
  if (!given.email) fields.email = ['required']
  else if (!Email.safeParse(given.email).success) fields.email = ['email']
  return fields
}

const unsealVisit = (key: string): string | null => decrypt(PURPOSE, key)
