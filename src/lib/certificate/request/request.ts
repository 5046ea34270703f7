import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { CertificateState } from '#lib/certificate/state-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { attachFiles } from '#lib/storage/file-use.ts'
import { file } from '#lib/storage/table.ts'
import { student } from '#lib/student/table.ts'
import { requireDrawableTexts } from '../issue/drawable-texts.ts'
import { emailStudent } from '../issue/emails.ts'
import { appendHistory, historyEntry } from '../issue/history.ts'
import { lockCertificate } from '../issue/lifecycle.ts'
import { freezeCertificate } from '../issue/snapshot.ts'
import type { Delivery, HistoryEntry } from '../issue/snapshot-schema.ts'
import { requireCertificateManager, requireCertificateViewer } from '../permission.ts'
import { loadRule } from '../rule/rule.ts'
import { nextCertificateState } from '../rules.ts'
import { certificate } from '../table.ts'
import type { ChangeRequest, ListRequests } from './schema.ts'

export interface RequestRow {
  id: string
  publicId: string
  studentId: string
  name: string
  email: string
  state: CertificateState
  number: string | null
  delivery: Delivery | null
  trackingNumber: string
  reason: string
  scan: { id: string; name: string } | null
  history: HistoryEntry[]
  createdAt: Date
}

const OPEN = ['requested', 'approved', 'produced', 'sent'] as const

/** Requests for certificates on paper, the oldest first. Refuses with forbidden, invalid (cursor). */
export function listRequests(actor: Actor, input: ListRequests): Promise<{ items: RequestRow[]; next: string | null }> {
  const { courseId, state, cursor, limit } = input
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    await requireCertificateViewer(tx, actor, courseId)
    const rows = await tx
      .select({
        id: certificate.id,
        publicId: certificate.publicId,
        studentId: certificate.studentId,
        name: certificate.nameAsPrinted,
        email: student.email,
        state: certificate.state,
        number: certificate.number,
        delivery: certificate.delivery,
        trackingNumber: certificate.trackingNumber,
        reason: certificate.reason,
        scan: { id: file.id, name: file.name },
        history: certificate.history,
        createdAt: certificate.createdAt,
        at: microsecondsOf(certificate.createdAt),
      })
      .from(certificate)
      .innerJoin(student, and(eq(student.tenantId, certificate.tenantId), eq(student.id, certificate.studentId)))
      .leftJoin(
        file,
        and(eq(file.tenantId, certificate.tenantId), eq(file.id, certificate.scanFileId), isNull(file.deletedAt)),
      )
      .where(
        and(
          eq(certificate.courseId, courseId),
          eq(certificate.type, 'manual'),
          state === 'open' ? inArray(certificate.state, [...OPEN]) : eq(certificate.state, state),
          after ? sql`(${certificate.createdAt}, ${certificate.id}) > ${rowOfKey(after)}` : undefined,
        ),
      )
      .orderBy(asc(certificate.createdAt), asc(certificate.id))
      .limit(limit + 1)
    const items = rows.slice(0, limit).map(({ at: _, ...row }) => row)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { items, next: last ? writeCursor(InstantKey, { at: last.at, id: last.id }) : null }
  })
}

/**
 * Moves a request to its next state; the student gets an email. A repeated call changes nothing. Refuses with
 * forbidden, plan_inactive, not_found, conflict (an invalid transition), unprocessable (a rule without a template).
 */
export function changeRequest(actor: Actor, input: ChangeRequest): Promise<{ state: CertificateState }> {
  requireCertificateManager(actor)
  const change = input
  return inTenant(actor, async (tx) => {
    const row = await lockCertificate(tx, change.certificateId)
    const state = nextCertificateState(row.state, change.action)
    if (row.type !== 'manual') throw new Refusal('conflict')
    if (!state) {
      if (row.state === targetState(change.action)) return { state: row.state }
      throw new Refusal('conflict')
    }
    const note = change.action === 'decline' ? change.reason : change.action === 'send' ? change.trackingNumber : ''
    await tx
      .update(certificate)
      .set({
        ...(change.action === 'produce' ? await produced(tx, actor, row) : {}),
        ...(change.action === 'send' ? { trackingNumber: change.trackingNumber } : {}),
        ...(change.action === 'decline' ? { reason: change.reason } : {}),
        state,
        history: appendHistory(historyEntry(state, actor.membershipId, note)),
        updatedAt: new Date(),
      })
      .where(eq(certificate.id, row.id))
    await recordAuditEntry(tx, actor, {
      action: 'certificate.request_changed',
      objectId: row.studentId,
      objectName: row.nameAsPrinted,
      before: { state: row.state },
      after: { state },
    })
    await emailStudent(tx, row.id, emailOf(change.action))
    return { state }
  })
}

/** The certificate gets its number when it is produced. */
async function produced(tx: Tx, actor: Actor, row: { courseId: string; studentId: string; publicId: string }) {
  const rule = await loadRule(tx, row.courseId)
  if (!rule) throw new Refusal('not_found')
  await requireDrawableTexts(tx, rule)
  return { ...(await freezeCertificate(tx, rule, row)), issuedBy: actor.membershipId }
}

type Action = ChangeRequest['action']

const TARGETS = {
  approve: 'approved',
  produce: 'produced',
  send: 'sent',
  receive: 'received',
  decline: 'declined',
} as const satisfies Record<Action, CertificateState>

const targetState = (action: Action): CertificateState => TARGETS[action]
const emailOf = (action: Action) => TARGETS[action]

/**
 * Stores the scan of a certificate, an image or document of the storage. Refuses with forbidden, not_found, wrong_type.
 */
export function setScan(actor: Actor, input: { certificateId: string; fileId: string | null }): Promise<void> {
  requireCertificateManager(actor)
  const { certificateId, fileId } = input
  return inTenant(actor, async (tx) => {
    const row = await lockCertificate(tx, certificateId)
    if (row.type !== 'manual') throw new Refusal('conflict')
    if (fileId) await requireScan(tx, fileId)
    await tx.update(certificate).set({ scanFileId: fileId }).where(eq(certificate.id, certificateId))
    const user = { kind: 'certificate' as const, id: certificateId, title: row.number ?? row.nameAsPrinted }
    await attachFiles(actor, user, fileId ? [fileId] : [])
  })
}

async function requireScan(tx: Tx, fileId: string): Promise<void> {
  const isReadable = and(eq(file.id, fileId), inArray(file.kind, ['image', 'doc']), isNull(file.deletedAt))
  if ((await tx.$count(file, and(isReadable, eq(file.area, 'storage')))) === 0)
    throw new Refusal('wrong_type', { fields: { scan: ['file_type'] }, variables: { name: '' } })
}
