import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireCertificateManager } from '../permission.ts'
import { type CertificateCandidate, loadCandidates } from '../rule/qualify.ts'
import { type CertificateRule, loadRule } from '../rule/rule.ts'
import { certificate } from '../table.ts'
import { undrawableCharacters } from '../template/drawable-rules.ts'
import { forEachCandidatePage } from './candidate-pages.ts'
import { findUndrawableTexts, requireDrawableTexts } from './drawable-texts.ts'
import { emailStudent } from './emails.ts'
import { appendHistory, historyEntry } from './history.ts'
import { notifyBlocked } from './notify-blocked.ts'
import { renderCertificate } from './render.ts'
import { freezeCertificate } from './snapshot.ts'

/**
 * Queues certificates for the chosen students who qualify; the others are skipped. A student who has a certificate keeps
 * it. Refuses with forbidden, plan_inactive, not_found, unprocessable (without a rule, or the fonts lack characters of a
 * text, or of a name that no student confirms).
 */
export function issueCertificates(
  actor: Actor,
  input: { courseId: string; studentIds: string[] },
): Promise<{ queued: number; skipped: number }> {
  requireCertificateManager(actor)
  const { courseId, studentIds } = input
  return inTenant(actor, async (tx) => {
    const rule = await requireElectronicRule(tx, courseId)
    await requireDrawableTexts(tx, rule)
    const candidates = await loadCandidates(tx, rule, { studentIds })
    const characters = undrawableCharacters(candidates.map(({ printedName, email }) => printedName || email).join(' '))
    // The student, or the staff of students, first corrects the name.
    if (characters && !rule.confirmName) throw formRefusal('certificate_characters', { characters })
    const queued = await queueCertificates(tx, actor.tenantId, rule, candidates, actor.membershipId)
    return { queued, skipped: new Set(studentIds).size - queued }
  })
}

/** Queues certificates for all students of a course who qualify, by a job. Refuses as issueCertificates. */
export function issueToAll(actor: Actor, input: { courseId: string }): Promise<void> {
  requireCertificateManager(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    await requireDrawableTexts(tx, await requireElectronicRule(tx, courseId))
    const data = { tenantId: actor.tenantId, courseId, issuedBy: actor.membershipId }
    await enqueueJob('certificate.issueToAll', data, { singletonKey: courseId })
  })
}

async function requireElectronicRule(tx: Tx, courseId: string): Promise<CertificateRule> {
  const rule = await loadRule(tx, courseId)
  if (!rule) throw new Refusal('not_found')
  if (!isElectronic(rule)) throw formRefusal('certificate_no_rule')
  return rule
}

/** Job handler: queues certificates for all who qualify, page by page. Idempotent. */
export function runIssueToAll(
  { tenantId, courseId, issuedBy }: { tenantId: string; courseId: string; issuedBy: string },
  run: Pick<JobRun, 'signal'>,
): Promise<void> {
  return forEachCandidatePage(
    {
      tenantId,
      courseId,
      allows: isElectronic,
      handlePage: (tx, rule, candidates) => queueCertificates(tx, tenantId, rule, candidates, issuedBy),
    },
    run,
  )
}

const isElectronic = ({ enabled, type }: CertificateRule): boolean => enabled && type === 'electronic'

/** Makes certificates due for those students who qualify and have none. Returns their number. */
async function queueCertificates(
  tx: Tx,
  tenantId: string,
  rule: CertificateRule,
  candidates: readonly CertificateCandidate[],
  issuedBy: string,
): Promise<number> {
  const qualified = candidates.filter(({ missing }) => missing.length === 0)
  if (qualified.length === 0) return 0
  const now = new Date()
  const rows = qualified.map(({ studentId, printedName, email }) => ({
    ...newCertificate(tenantId, rule, studentId, printedName || email),
    dueAt: now,
    issuedBy,
  }))
  const queued = await tx
    .insert(certificate)
    .values(rows)
    .onConflictDoUpdate({
      target: [certificate.tenantId, certificate.courseId, certificate.studentId],
      targetWhere: sql`state not in ('revoked', 'replaced', 'declined', 'expired')`,
      set: { dueAt: now, issuedBy },
      setWhere: and(eq(certificate.state, 'pending'), sql`${certificate.dueAt} is null`),
    })
    .returning({ id: certificate.id })
  if (queued.length > 0) await queueIssue(tenantId, rule.courseId)
  return queued.length
}

/** A pending certificate of a student. */
export function newCertificate(tenantId: string, { courseId }: { courseId: string }, studentId: string, name: string) {
  return {
    tenantId,
    id: newId(),
    publicId: randomUUID(),
    courseId,
    studentId,
    type: 'electronic' as const,
    state: 'pending' as const,
    nameAsPrinted: name.slice(0, 160),
    history: [historyEntry('pending', null)],
  }
}

/** Queues the job that issues the due certificates of a course. */
export const queueIssue = (tenantId: string, courseId: string): Promise<void> =>
  enqueueJob('certificate.issueDue', { tenantId, courseId }, { singletonKey: courseId })

/**
 * Job handler: issues the due certificates of a course, one per transaction, and stores their PDFs; only one is in
 * memory at a time. Idempotent.
 */
export async function issueDue(
  { tenantId, courseId }: { tenantId: string; courseId: string },
  run: Pick<JobRun, 'signal'>,
): Promise<void> {
  while (true) {
    run.signal.throwIfAborted()
    const next = await inTenant({ tenantId }, (tx) => issueNext(tx, tenantId, courseId))
    if (!next) return
    if (next.isIssued) await renderCertificate(tenantId, next.id)
  }
}

/**
 * Issues the next due certificate of a course; null when there is none. One that the fonts cannot draw gets no number: its
 * student is asked for the name again, or it waits until the staff has changed the other texts. The staff is notified.
 */
async function issueNext(
  tx: Tx,
  tenantId: string,
  courseId: string,
): Promise<{ id: string; isIssued: boolean } | null> {
  const isDue = and(
    eq(certificate.courseId, courseId),
    eq(certificate.state, 'pending'),
    isNotNull(certificate.dueAt),
    lte(certificate.dueAt, new Date()),
  )
  const [due] = await tx
    .select({
      id: certificate.id,
      studentId: certificate.studentId,
      publicId: certificate.publicId,
      name: certificate.nameAsPrinted,
      issuedBy: certificate.issuedBy,
    })
    .from(certificate)
    .where(isDue)
    .orderBy(asc(certificate.dueAt), asc(certificate.id))
    .limit(1)
    .for('update', { skipLocked: true })
  const rule = due ? await loadRule(tx, courseId) : null
  if (!due || !rule?.templateId) return null
  const missing = undrawableCharacters(due.name)
  if (missing) {
    const history = appendHistory(historyEntry('pending', null, missing))
    await tx.update(certificate).set({ dueAt: null, nameConfirmedAt: null, history }).where(eq(certificate.id, due.id))
    await emailStudent(tx, due.id, 'confirm')
    const student = { id: due.studentId, name: due.name }
    await notifyBlocked(tx, { courseId, characters: missing, student, issuedBy: due.issuedBy })
    return { id: due.id, isIssued: false }
  }
  const missingInTexts = await findUndrawableTexts(tx, rule)
  if (missingInTexts) {
    const history = appendHistory(historyEntry('pending', null, missingInTexts))
    await tx.update(certificate).set({ dueAt: null, history }).where(eq(certificate.id, due.id))
    await notifyBlocked(tx, { courseId, characters: missingInTexts, student: null, issuedBy: due.issuedBy })
    return { id: due.id, isIssued: false }
  }
  const issued = await freezeCertificate(tx, rule, due)
  await tx
    .update(certificate)
    .set({
      ...issued,
      state: 'issued',
      updatedAt: issued.issuedAt,
      history: appendHistory(historyEntry('issued', due.issuedBy)),
    })
    .where(eq(certificate.id, due.id))
  await recordAuditEntry(
    tx,
    { tenantId, membershipId: due.issuedBy, address: undefined },
    {
      action: 'certificate.issued',
      objectId: due.studentId,
      objectName: due.name,
      after: { number: issued.number, course: issued.snapshot.course },
    },
  )
  await emailStudent(tx, due.id, 'issued')
  return { id: due.id, isIssued: true }
}
