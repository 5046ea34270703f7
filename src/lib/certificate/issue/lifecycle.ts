import { randomUUID } from 'node:crypto'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { isoWithOffset } from '#lib/core/shared/time-zone.ts'
import { course } from '#lib/course/table.ts'
import { requireCertificateManager } from '../permission.ts'
import { loadRule } from '../rule/rule.ts'
import { nextCertificateState, statesBefore } from '../rules.ts'
import { certificate } from '../table.ts'
import { requireDrawableName } from './drawable.ts'
import { requireDrawableTexts } from './drawable-texts.ts'
import { emailStudent } from './emails.ts'
import { appendHistory, historyEntry } from './history.ts'
import { takeNumber } from './number.ts'
import type { ReissueCertificate, RevokeCertificate } from './schema.ts'
import { endOfValidity } from './snapshot.ts'
import { Snapshot } from './snapshot-schema.ts'

/**
 * Revokes a certificate with a reason, which is not shown on the public page; the student gets an email, and the PDF
 * and the image a mark. A second call
 * changes nothing. Refuses with forbidden, plan_inactive, not_found, conflict (a state without a certificate).
 */
export function revokeCertificate(actor: Actor, input: RevokeCertificate): Promise<void> {
  requireCertificateManager(actor)
  const { certificateId, reason } = input
  return inTenant(actor, async (tx) => {
    const row = await lockCertificate(tx, certificateId)
    if (row.state === 'revoked') return
    if (!nextCertificateState(row.state, 'revoke')) throw new Refusal('conflict')
    const history = appendHistory(historyEntry('revoked', actor.membershipId, reason))
    await tx
      .update(certificate)
      .set({ state: 'revoked', reason, history, updatedAt: new Date(), renderedAt: null })
      .where(eq(certificate.id, certificateId))
    await recordAuditEntry(tx, actor, {
      action: 'certificate.revoked',
      objectId: row.studentId,
      objectName: row.nameAsPrinted,
      after: { number: row.number, reason },
    })
    await emailStudent(tx, certificateId, 'revoked')
    // The stored PDF is replaced by one with a mark.
    if (row.snapshot) await enqueueJob('certificate.render', { tenantId: actor.tenantId, certificateId })
  })
}

/**
 * Issues a certificate again with a corrected name and a new number; the public page of the old one links to the new
 * one. A second call returns the new one. Refuses with forbidden, plan_inactive, not_found, conflict, invalid (the fonts lack
 * characters of the name), unprocessable (of another text).
 */
export function reissueCertificate(actor: Actor, input: ReissueCertificate): Promise<{ certificateId: string }> {
  requireCertificateManager(actor)
  const { certificateId, name, note } = input
  requireDrawableName(name)
  return inTenant(actor, async (tx) => {
    const old = await lockCertificate(tx, certificateId)
    if (old.state === 'replaced') return { certificateId: await requireReplacement(tx, certificateId, name) }
    if (!nextCertificateState(old.state, 'replace') || !old.snapshot) throw new Refusal('conflict')
    const [place] = await tx.select({ slug: course.slug }).from(course).where(eq(course.id, old.courseId))
    const rule = await loadRule(tx, old.courseId)
    if (!place || !rule) throw new Refusal('not_found')
    await requireDrawableTexts(tx, rule)
    const issuedAt = new Date()
    const day = isoWithOffset(issuedAt, actor.tenantTimeZone).slice(0, 10)
    const parts = { subdomain: actor.subdomain, courseSlug: place.slug, day }
    const number = await takeNumber(tx, actor.tenantId, rule.numberFormat, parts)
    const isExpired = old.expiresAt !== null && old.expiresAt <= issuedAt
    const publicId = randomUUID()
    const newRow = {
      tenantId: actor.tenantId,
      id: newId(),
      publicId,
      courseId: old.courseId,
      studentId: old.studentId,
      type: old.type,
      state: old.type === 'manual' ? ('produced' as const) : ('issued' as const),
      number,
      nameAsPrinted: name,
      nameConfirmedAt: old.nameConfirmedAt,
      issuedAt,
      expiresAt: isExpired ? endOfValidity(issuedAt, rule.validMonths) : old.expiresAt,
      issuedBy: actor.membershipId,
      replacesId: old.id,
      delivery: old.delivery,
      snapshot: { ...parseStored(Snapshot, old.snapshot), url: addressOf(actor.subdomain, `/c/${publicId}`) },
      history: [historyEntry(old.type === 'manual' ? 'produced' : 'issued', actor.membershipId, note)],
    }
    const replaced = appendHistory(historyEntry('replaced', actor.membershipId, note))
    await tx
      .update(certificate)
      .set({ state: 'replaced', history: replaced, updatedAt: issuedAt, renderedAt: null })
      .where(eq(certificate.id, old.id))
    await tx.insert(certificate).values(newRow)
    await recordAuditEntry(tx, actor, {
      action: 'certificate.reissued',
      objectId: old.studentId,
      objectName: name,
      before: { number: old.number, name: old.nameAsPrinted },
      after: { number, name },
    })
    await emailStudent(tx, newRow.id, 'reissued')
    await enqueueJob('certificate.render', { tenantId: actor.tenantId, certificateId: newRow.id })
    await enqueueJob('certificate.render', { tenantId: actor.tenantId, certificateId: old.id })
    return { certificateId: newRow.id }
  })
}

async function requireReplacement(tx: Tx, replacesId: string, name: string): Promise<string> {
  const [row] = await tx
    .select({ id: certificate.id, name: certificate.nameAsPrinted })
    .from(certificate)
    .where(eq(certificate.replacesId, replacesId))
  if (row?.name !== name) throw new Refusal('conflict')
  return row.id
}

/** A certificate, locked until the end of the transaction. Refuses with not_found. */
export async function lockCertificate(tx: Tx, certificateId: string) {
  const [row] = await tx.select().from(certificate).where(eq(certificate.id, certificateId)).for('update')
  if (!row) throw new Refusal('not_found')
  return row
}

/** Job handler: marks expired certificates. Returns their number. */
export function expireCertificates(now = new Date()): Promise<number> {
  const dueSql = "select 1 from certificate where state = 'issued' and expires_at <= $1"
  return forEachTenant({ job: 'certificate.expire', dueSql, now }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const expired = await tx
        .update(certificate)
        .set({ state: 'expired', history: appendHistory(historyEntry('expired', null)), updatedAt: sql`now()` })
        .where(and(inArray(certificate.state, statesBefore('expire')), lte(certificate.expiresAt, now)))
        .returning({ id: certificate.id })
      return expired.length
    }),
  )
}
