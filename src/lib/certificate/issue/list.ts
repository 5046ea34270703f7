import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { CERTIFICATE_STATES, type CertificateState } from '#lib/certificate/state-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { NameKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireCertificateViewer } from '../permission.ts'
import { type CertificateCandidate, loadCandidates } from '../rule/qualify.ts'
import { loadRule } from '../rule/rule.ts'
import type { ListQualified } from '../rule/schema.ts'
import { shownState } from '../rules.ts'
import { certificate } from '../table.ts'

export interface CertificateOfStudent {
  id: string
  publicId: string
  state: CertificateState
  number: string | null
  name: string
  nameConfirmedAt: Date | null
  dueAt: Date | null
  issuedAt: Date | null
  expiresAt: Date | null
}

export interface QualifiedRow extends CertificateCandidate {
  /** The newest certificate of the student in the course. */
  certificate: CertificateOfStudent | null
}

/**
 * The students of a course by name: the requirements that each does not meet, and the newest certificate. Refuses with
 * forbidden, not_found (a course without a rule), invalid (cursor).
 */
export function listQualified(
  actor: Actor,
  input: ListQualified,
): Promise<{ items: QualifiedRow[]; next: string | null }> {
  const { courseId, q, cursor, limit } = input
  const after = readCursor(NameKey, cursor)
  return inTenant(actor, async (tx) => {
    await requireCertificateViewer(tx, actor, courseId)
    const rule = await loadRule(tx, courseId)
    if (!rule) throw new Refusal('not_found')
    const found = await loadCandidates(tx, rule, { search: q, after, limit: limit + 1 })
    const page = found.slice(0, limit)
    const certificates = await loadNewest(
      tx,
      courseId,
      page.map(({ studentId }) => studentId),
    )
    const last = found.length > limit ? page.at(-1) : undefined
    return {
      items: page.map((candidate) => ({ ...candidate, certificate: certificates.get(candidate.studentId) ?? null })),
      next: last ? writeCursor(NameKey, { name: last.name, id: last.studentId }) : null,
    }
  })
}

async function loadNewest(tx: Tx, courseId: string, studentIds: string[]): Promise<Map<string, CertificateOfStudent>> {
  if (studentIds.length === 0) return new Map()
  const rows = await tx
    .selectDistinctOn([certificate.studentId], {
      studentId: certificate.studentId,
      id: certificate.id,
      publicId: certificate.publicId,
      state: certificate.state,
      number: certificate.number,
      name: certificate.nameAsPrinted,
      nameConfirmedAt: certificate.nameConfirmedAt,
      dueAt: certificate.dueAt,
      issuedAt: certificate.issuedAt,
      expiresAt: certificate.expiresAt,
    })
    .from(certificate)
    .where(
      and(
        eq(certificate.courseId, courseId),
        inArray(certificate.studentId, studentIds),
        notInArray(certificate.state, ['replaced']),
      ),
    )
    .orderBy(certificate.studentId, desc(certificate.createdAt), desc(certificate.id))
  return new Map(rows.map(({ studentId, ...row }) => [studentId, { ...row, state: shownState(row) }]))
}

export type CertificateCounts = Record<CertificateState, number>

/** The number of certificates of a course by state. Refuses with forbidden. */
export function countCertificates(actor: Actor, input: { courseId: string }): Promise<CertificateCounts> {
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    await requireCertificateViewer(tx, actor, courseId)
    const rows = await tx
      .select({ state: certificate.state, count: sql<number>`count(*)::int` })
      .from(certificate)
      .where(eq(certificate.courseId, courseId))
      .groupBy(certificate.state)
    const counts = new Map(rows.map(({ state, count }) => [state, count]))
    return Object.fromEntries(CERTIFICATE_STATES.map((state) => [state, counts.get(state) ?? 0])) as CertificateCounts
  })
}
