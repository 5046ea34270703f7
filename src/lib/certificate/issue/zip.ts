import { makeZip } from 'client-zip'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { portableFileName } from '#lib/core/files/portable-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import { requireCertificateViewer } from '../permission.ts'
import { certificate } from '../table.ts'
import { readPdf } from './render.ts'

const PAGE = 100
const READY = ['issued', 'produced', 'sent', 'received'] as const

/**
 * The PDFs of all valid certificates of a course as one ZIP that is created while it is sent: one PDF is in memory at a
 * time. Refuses with forbidden, not_found (no such course, or no certificate).
 */
export async function openCertificateZip(
  actor: Actor,
  input: { courseId: string },
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const { courseId } = input
  const title = await inTenant(actor, async (tx) => {
    await requireCertificateViewer(tx, actor, courseId)
    const [row] = await tx.select({ title: course.title }).from(course).where(eq(course.id, courseId))
    const isReady = and(eq(certificate.courseId, courseId), inArray(certificate.state, [...READY]))
    if (!row || (await tx.$count(certificate, isReady)) === 0) throw new Refusal('not_found')
    return row.title
  })
  return { name: `${portableFileName(title.slice(0, 120))}.zip`, body: makeZip(readCertificates(actor, courseId)) }
}

async function* readCertificates(actor: Actor, courseId: string) {
  let after: string | null = null
  while (true) {
    const page: { id: string; number: string | null; name: string; issuedAt: Date | null }[] = await inTenant(
      actor,
      (tx) =>
        tx
          .select({
            id: certificate.id,
            number: certificate.number,
            name: certificate.nameAsPrinted,
            issuedAt: certificate.issuedAt,
          })
          .from(certificate)
          .where(
            and(
              eq(certificate.courseId, courseId),
              inArray(certificate.state, [...READY]),
              after ? gt(certificate.id, after) : undefined,
            ),
          )
          .orderBy(asc(certificate.id))
          .limit(PAGE),
    )
    for (const { id, number, name, issuedAt } of page) {
      const input = await readPdf(actor.tenantId, id)
      yield { name: certificateFileName({ number, name }), lastModified: issuedAt ?? new Date(), input }
    }
    after = page.length === PAGE ? (page.at(-1)?.id ?? null) : null
    if (!after) return
  }
}

/** The file name of the PDF of a certificate: the number makes it unique. */
export function certificateFileName({ number, name }: { number: string | null; name: string }): string {
  return `${portableFileName(`${name} ${number ?? ''}`.slice(0, 140).trim())}.pdf`
}
