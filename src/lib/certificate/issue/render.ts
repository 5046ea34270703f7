import { buffer } from 'node:stream/consumers'
import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { objectKey } from '#lib/storage/object-key.ts'
import { markOf } from '../rules.ts'
import type { CertificateState } from '../state-schema.ts'
import { certificate } from '../table.ts'
import { loadImages } from '../template/images.ts'
import type { renderPdf } from '../template/pdf-worker.ts'
import { Snapshot } from './snapshot-schema.ts'
import { textsOf } from './values.ts'

const RENDER = { file: 'src/lib/certificate/template/pdf-worker.ts', name: 'renderPdf', limitMs: 30_000 } as const

/** Renders a PDF in a worker process, for a waiting visitor. */
export const renderForVisitor = workerTask<typeof renderPdf>({ ...RENDER, lane: 'request' })
const renderInJob = workerTask<typeof renderPdf>({ ...RENDER, lane: 'job' })

/** Renders the PDF of a certificate and stores it. Idempotent. */
export async function renderCertificate(tenantId: string, certificateId: string): Promise<void> {
  const row = await loadIssued(tenantId, certificateId)
  if (!row.renderedAt) await storePdf(tenantId, row, renderInJob)
}

/** The PDF of a certificate; rendered now unless a job has stored it. Refuses with not_found. */
export async function readPdf(tenantId: string, certificateId: string): Promise<Uint8Array> {
  const row = await loadIssued(tenantId, certificateId)
  const stream = row.renderedAt ? await store.read(objectKey(tenantId, certificateId)) : null
  return stream ? buffer(stream) : storePdf(tenantId, row, renderForVisitor)
}

/** The input for drawing the PDF and the image of a certificate. Refuses with not_found before it has a number. */
export async function loadDrawing(tenantId: string, certificateId: string) {
  const row = await loadIssued(tenantId, certificateId)
  return drawingOf(tenantId, row)
}

type Issued = Awaited<ReturnType<typeof loadIssued>>

async function loadIssued(tenantId: string, certificateId: string) {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx.select().from(certificate).where(eq(certificate.id, certificateId)),
  )
  if (!row?.snapshot || !row.issuedAt) throw new Refusal('not_found')
  return { ...row, issuedAt: row.issuedAt, snapshot: parseStored(Snapshot, row.snapshot) }
}

async function drawingOf(tenantId: string, { snapshot, ...row }: Issued) {
  const { template, color } = snapshot
  return {
    template,
    color,
    link: snapshot.url,
    texts: textsOf(snapshot, row),
    images: await loadImages(tenantId, template),
    mark: markTextOf(row.state),
  }
}

/** The mark of a certificate that is not valid any more, in all languages: a person who checks it may read only one. */
function markTextOf(state: CertificateState): string | null {
  const mark = markOf(state)
  return mark ? LOCALES.map((locale) => getTranslator(locale)(`certificate:mark.${mark}`)).join(' · ') : null
}

async function storePdf(tenantId: string, row: Issued, render: typeof renderInJob): Promise<Uint8Array> {
  const t = getTranslator(row.snapshot.template.locale)
  const bytes = await render({
    ...(await drawingOf(tenantId, row)),
    title: t('certificate:pdf.title', { name: row.nameAsPrinted, course: row.snapshot.course }),
    author: row.snapshot.school,
    createdAt: row.issuedAt.toISOString(),
  })
  await store.put(objectKey(tenantId, row.id), bytes)
  await inTenant({ tenantId }, (tx) =>
    // A certificate that was revoked meanwhile is rendered again, with its mark.
    tx
      .update(certificate)
      .set({ renderedAt: new Date() })
      .where(and(eq(certificate.id, row.id), eq(certificate.state, row.state))),
  )
  return bytes
}
