import { and, eq } from 'drizzle-orm'
import type { CertificateState } from '#lib/certificate/state-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { hasPublicPage, shownState } from '../rules.ts'
import { certificate } from '../table.ts'
import { Snapshot } from './snapshot-schema.ts'

export interface PublicCertificate {
  id: string
  publicId: string
  state: CertificateState
  number: string
  name: string
  course: string
  hours: number | null
  score: number | null
  issuedAt: Date
  expiresAt: Date | null
  locale: 'uk' | 'en'
  snapshot: Snapshot
  /** The certificate that replaces this one. */
  replacedBy: { publicId: string; number: string } | null
  /** Earlier versions, newest first. */
  earlier: { publicId: string; number: string; name: string; issuedAt: Date }[]
}

/** The data of the public page of a certificate. Refuses with not_found, also before it has a number. */
export async function readCertificate(tenantId: string, publicId: string): Promise<PublicCertificate> {
  if (!UUID_PATTERN.test(publicId)) throw new Refusal('not_found')
  return inTenant({ tenantId }, async (tx) => {
    const [row] = await tx.select().from(certificate).where(eq(certificate.publicId, publicId))
    if (!row?.snapshot || !row.number || !row.issuedAt || !hasPublicPage(row.state)) throw new Refusal('not_found')
    const snapshot = parseStored(Snapshot, row.snapshot)
    const versions = await loadVersions(tx, row)
    const next = versions.find(({ replacesId }) => replacesId === row.id)
    return {
      id: row.id,
      publicId,
      state: shownState(row),
      number: row.number,
      name: row.nameAsPrinted,
      course: snapshot.course,
      hours: snapshot.hours,
      score: snapshot.score,
      issuedAt: row.issuedAt,
      expiresAt: row.expiresAt,
      locale: snapshot.template.locale,
      snapshot,
      replacedBy: next ? { publicId: next.publicId, number: next.number ?? '' } : null,
      earlier: earlierThan(row.replacesId, versions),
    }
  })
}

type Versions = Awaited<ReturnType<typeof loadVersions>>

/** The issued certificates of the student in this course, unordered. */
function loadVersions(tx: Tx, { studentId, courseId }: { studentId: string; courseId: string }) {
  const { id, publicId, replacesId, number, nameAsPrinted, issuedAt } = certificate
  return tx
    .select({ id, publicId, replacesId, number, name: nameAsPrinted, issuedAt })
    .from(certificate)
    .where(and(eq(certificate.studentId, studentId), eq(certificate.courseId, courseId)))
    .limit(500)
}

function earlierThan(replacesId: string | null, versions: Versions): PublicCertificate['earlier'] {
  const earlier: PublicCertificate['earlier'] = []
  let next = replacesId
  while (next !== null && earlier.length < 20) {
    const version = versions.find(({ id }) => id === next)
    if (!version?.issuedAt || !version.number) break
    const { publicId, number, name, issuedAt } = version
    earlier.push({ publicId, number, name, issuedAt })
    next = version.replacesId
  }
  return earlier
}
