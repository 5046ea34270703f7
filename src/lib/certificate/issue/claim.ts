import { randomUUID } from 'node:crypto'
import { and, desc, eq, ne, notInArray } from 'drizzle-orm'
import type { CertificateState, CertificateType } from '#lib/certificate/state-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import { requireClaimant, requireCourseTitle } from '../permission.ts'
import { loadCandidate, loadCandidates, type MissingRequirement } from '../rule/qualify.ts'
import { loadRule } from '../rule/rule.ts'
import { shownState } from '../rules.ts'
import { certificate } from '../table.ts'
import { requireDrawableName } from './drawable.ts'
import { emailStudent } from './emails.ts'
import { historyEntry } from './history.ts'
import { newCertificate, queueIssue } from './issue.ts'
import type { ClaimCertificate } from './schema.ts'

export interface OwnCertificate {
  id: string
  publicId: string
  courseId: string
  course: string
  type: CertificateType
  state: CertificateState
  number: string | null
  name: string
  nameConfirmedAt: Date | null
  issuedAt: Date | null
  expiresAt: Date | null
  reason: string
  trackingNumber: string
}

export interface OwnCertificateOfCourse {
  type: CertificateType
  /** Issued without an action of the team after the name is confirmed. */
  autoIssue: boolean
  /** The conditions that the student does not meet; empty when the certificate is earned. */
  missing: MissingRequirement[]
  /** The name that is suggested for the certificate. */
  name: string
  certificate: OwnCertificate | null
}

/** The certificate that a student can earn in a course, with the missing requirements; null in a course without one. */
export function getOwnCertificate(actor: Actor, input: { courseId: string }): Promise<OwnCertificateOfCourse | null> {
  requireClaimant(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const [, rule, [own]] = await Promise.all([
      requireCourseTitle(tx, courseId),
      loadRule(tx, courseId),
      selectOwn(tx, actor, courseId),
    ])
    if (!rule?.enabled) return null
    const [candidate] = await loadCandidates(tx, rule, { studentIds: [actor.membershipId] })
    if (!candidate && !own) return null
    return {
      type: rule.type,
      autoIssue: rule.autoIssue,
      missing: candidate?.missing ?? [],
      name: own?.name ?? candidate?.printedName ?? '',
      certificate: own ?? null,
    }
  })
}

/** The certificates of the student, newest first. Refuses with forbidden. */
export function listOwnCertificates(actor: Actor): Promise<OwnCertificate[]> {
  requireClaimant(actor)
  return inTenant(actor, (tx) => selectOwn(tx, actor))
}

/** The student's current certificates: replaced ones can be reached from the new ones. */
async function selectOwn(tx: Tx, actor: Actor, courseId?: string): Promise<OwnCertificate[]> {
  const rows = await tx
    .select({
      id: certificate.id,
      publicId: certificate.publicId,
      courseId: certificate.courseId,
      course: course.title,
      type: certificate.type,
      state: certificate.state,
      number: certificate.number,
      name: certificate.nameAsPrinted,
      nameConfirmedAt: certificate.nameConfirmedAt,
      issuedAt: certificate.issuedAt,
      expiresAt: certificate.expiresAt,
      reason: certificate.reason,
      trackingNumber: certificate.trackingNumber,
    })
    .from(certificate)
    .innerJoin(course, and(eq(course.tenantId, certificate.tenantId), eq(course.id, certificate.courseId)))
    .where(
      and(
        eq(certificate.studentId, actor.membershipId),
        ne(certificate.state, 'replaced'),
        courseId ? eq(certificate.courseId, courseId) : undefined,
      ),
    )
    .orderBy(desc(certificate.createdAt), desc(certificate.id))
    .limit(200)
  return rows.map((row) => ({ ...row, state: shownState(row) }))
}

/**
 * Confirms the printed name. An electronic certificate is issued by a job where the rule issues automatically,
 * otherwise it waits for the team; one on paper is requested with the address it is sent to. A repeated call changes
 * nothing after the certificate was requested. Refuses with forbidden, not_found, invalid (the delivery is missing, or
 * the fonts lack characters of the name),
 * unprocessable (not earned, or revoked).
 */
export function claimCertificate(actor: Actor, input: ClaimCertificate): Promise<{ certificateId: string }> {
  requireClaimant(actor)
  const { courseId, name, delivery } = input
  requireDrawableName(name)
  return inTenant(actor, async (tx) => {
    const rule = await loadRule(tx, courseId)
    if (!rule?.enabled) throw new Refusal('not_found')
    const { missing } = await loadCandidate(tx, rule, actor.membershipId)
    const current = await lockCurrent(tx, actor, courseId)
    if (current && current.state !== 'pending') return { certificateId: current.id }
    if (missing.length > 0) throw notEarned()
    if (rule.type === 'manual') {
      if (!delivery) throw new Refusal('invalid', { fields: { address: ['required'] } })
      return requestOnPaper(tx, actor, { courseId, name, delivery, pendingId: current?.id ?? null })
    }
    await requireNotRevoked(tx, actor, courseId)
    const confirmed = {
      nameAsPrinted: name,
      nameConfirmedAt: new Date(),
      ...(rule.autoIssue ? { dueAt: new Date() } : {}),
    }
    const row = { ...newCertificate(actor.tenantId, rule, actor.membershipId, name), ...confirmed }
    const [saved] = current
      ? await tx
          .update(certificate)
          .set(confirmed)
          .where(eq(certificate.id, current.id))
          .returning({ id: certificate.id })
      : await tx.insert(certificate).values(row).onConflictDoNothing().returning({ id: certificate.id })
    // A concurrent request has claimed it.
    if (!saved) return { certificateId: await requireCurrent(tx, actor, courseId) }
    if (rule.autoIssue) await queueIssue(actor.tenantId, courseId)
    return { certificateId: saved.id }
  })
}

const notEarned = () => formRefusal('certificate_not_earned')

/** Revoked by the team: only the team can issue another one. */
async function requireNotRevoked(tx: Tx, actor: Actor, courseId: string): Promise<void> {
  const own = and(eq(certificate.courseId, courseId), eq(certificate.studentId, actor.membershipId))
  if ((await tx.$count(certificate, and(own, eq(certificate.state, 'revoked')))) > 0) throw notEarned()
}

async function lockCurrent(tx: Tx, actor: Actor, courseId: string) {
  const [row] = await tx
    .select({ id: certificate.id, state: certificate.state })
    .from(certificate)
    .where(
      and(
        eq(certificate.courseId, courseId),
        eq(certificate.studentId, actor.membershipId),
        notInArray(certificate.state, ['revoked', 'replaced', 'declined', 'expired']),
      ),
    )
    .for('update')
  return row ?? null
}

async function requireCurrent(tx: Tx, actor: Actor, courseId: string): Promise<string> {
  const current = await lockCurrent(tx, actor, courseId)
  if (!current) throw new Refusal('conflict')
  return current.id
}

interface PaperRequest {
  courseId: string
  name: string
  delivery: { recipient: string; phone: string; address: string }
  /** A pending certificate that was created while the rule was electronic. */
  pendingId: string | null
}

async function requestOnPaper(tx: Tx, actor: Actor, { courseId, name, delivery, pendingId }: PaperRequest) {
  const entry = historyEntry('requested', actor.membershipId)
  const requested = {
    type: 'manual' as const,
    state: 'requested' as const,
    nameAsPrinted: name,
    nameConfirmedAt: new Date(),
    delivery,
    history: [entry],
  }
  const row = {
    tenantId: actor.tenantId,
    id: newId(),
    publicId: randomUUID(),
    courseId,
    studentId: actor.membershipId,
    ...requested,
  }
  const [saved] = pendingId
    ? await tx.update(certificate).set(requested).where(eq(certificate.id, pendingId)).returning({ id: certificate.id })
    : await tx.insert(certificate).values(row).onConflictDoNothing().returning({ id: certificate.id })
  if (!saved) return { certificateId: await requireCurrent(tx, actor, courseId) }
  await emailStudent(tx, saved.id, 'requested')
  return { certificateId: saved.id }
}
