import { createHash } from 'node:crypto'
import { copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { log } from '#lib/core/log.ts'
import { MediaError, type MediaFault } from '#lib/core/media/media-task.ts'
import { convertToPdf, findConverter } from '#lib/core/media/office-converter.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { FILE_FAILURES, type FileFailure } from '#lib/core/shared/stored-file.ts'
import { formatUuid } from '#lib/core/shared/uuid.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireStorageAccess, requireStorageWrite } from '../permission.ts'
import { file, fileState, upload } from '../table.ts'
import { purgeAreaFiles } from '../trash.ts'
import { queueExamination } from '../upload/examine.ts'
import { addOriginalBytes } from '../upload/quota.ts'
import { startTargetedUpload } from '../upload/upload.ts'
import { CONVERTIBLE, type ConversionState, type StartConversion } from './schema.ts'

const MAX_PRESENTATION_BYTES = 200 * 1024 ** 2

/**
 * Whether presentations can be converted to PDF: LibreOffice is installed. With separate job processes it is needed on
 * their machine only. Refuses with forbidden.
 */
export async function getConverter(actor: Actor): Promise<{ isAvailable: boolean }> {
  requireStorageAccess(actor)
  return { isAvailable: await hasConverter() }
}

/**
 * Starts the upload of a presentation that is converted to PDF and then deleted; the file library gets the PDF. Refuses
 * as startUpload does, and with wrong_type (`presentation_as_pdf`) where presentations cannot be converted.
 */
export async function startPresentation(actor: Actor, input: StartConversion) {
  requireStorageWrite(actor)
  const { name } = input
  if (!CONVERTIBLE.test(name) || !(await hasConverter()))
    throw new Refusal('wrong_type', { fields: { file: ['presentation_as_pdf'] }, variables: { name } })
  return startTargetedUpload(actor, input, {
    area: 'presentation',
    maxBytes: MAX_PRESENTATION_BYTES,
    accept: async () => {},
  })
}

/** State of the conversion of an own upload. Refuses with forbidden, not_found. */
export async function getPresentation(actor: Actor, { fileId }: { fileId: string }): Promise<ConversionState> {
  requireStorageAccess(actor)
  return inTenant(actor, async (tx) => {
    const { id, ownerId, area } = upload
    const isOwn = and(eq(id, fileId), eq(ownerId, actor.membershipId), eq(area, 'presentation'))
    const uploads = await tx.select({ id }).from(upload).where(isOwn)
    if (uploads.length === 0) throw new Refusal('not_found')
    const pdfId = pdfIdOf(fileId)
    const isPdf = and(eq(file.id, pdfId), isNull(file.deletedAt))
    const pdfs = await tx.select({ id: file.id }).from(file).where(isPdf)
    if (pdfs.length > 0) return { is: 'ready', fileId: pdfId }
    const [failed] = await tx
      .select({ detail: fileState.detail })
      .from(fileState)
      .where(and(eq(fileState.fileId, fileId), eq(fileState.event, 'failed')))
      .orderBy(desc(fileState.at))
      .limit(1)
    if (!failed) return { is: 'pending' }
    const failure = FILE_FAILURES.find((code) => code === failed.detail) ?? 'processing_crashed'
    return { is: 'failed', failure }
  })
}

/**
 * Job: converts an uploaded presentation to a PDF of the file library, and deletes the presentation, whether or not it
 * could be converted. Idempotent.
 */
export async function convertPresentation(
  { tenantId, fileId }: { tenantId: string; fileId: string },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const { id, name, ownerId, area } = file
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx
      .select({ id, name, ownerId })
      .from(file)
      .where(and(eq(id, fileId), eq(area, 'presentation'), isNull(file.deletedAt))),
  )
  if (!row) return
  const converter = await findConverter()
  if (!converter) throw new MediaError('stopped', 'there is no LibreOffice')
  try {
    await withTemporaryFolder(async (folder) => {
      const localCopy = await store.openLocalCopy(objectKey(tenantId, fileId), folder)
      if (!localCopy) throw new MediaError('damaged')
      try {
        // The extension selects the filter; the name of the file is not used in a command.
        const input = path.join(folder, `presentation${path.extname(row.name).toLowerCase()}`)
        await copyFile(localCopy.path, input)
        await storePdf({ tenantId, fileId, ...row }, await convertToPdf(converter, input, { folder, signal }))
      } finally {
        await localCopy.done()
      }
    })
  } catch (error) {
    if (!(error instanceof MediaError) || error.fault === 'stopped') throw error
    log.warn({ err: error, fileId }, 'a presentation could not be converted')
    const failure = FAILURES[error.fault] ?? 'processing_crashed'
    await inTenant({ tenantId }, (tx) =>
      tx.insert(fileState).values({ tenantId, fileId, event: 'failed', detail: failure }),
    )
  }
  await purgeAreaFiles(tenantId, 'presentation', [fileId])
}

const hasConverter = async (): Promise<boolean> => !config.jobsInProcess || (await findConverter()) !== null

const FAILURES: Partial<Record<MediaFault, FileFailure>> = {
  damaged: 'damaged',
  too_long: 'too_long_to_process',
  too_heavy: 'too_large',
}

// Derived, so that a repeated job stores the same file.
function pdfIdOf(fileId: string): string {
  const hex = createHash('sha256').update(`pdf of ${fileId}`).digest('hex')
  return formatUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17, 32)}`)
}

async function storePdf(
  { tenantId, fileId, name, ownerId }: { tenantId: string; fileId: string; name: string; ownerId: string },
  pdfPath: string,
): Promise<void> {
  const id = pdfIdOf(fileId)
  const { size } = await stat(pdfPath)
  await store.put(objectKey(tenantId, id), { path: pdfPath })
  await inTenant({ tenantId }, async (tx) => {
    const pdfName = `${path.parse(name).name.slice(0, 190)}.pdf`
    const row = { tenantId, id, ownerId, name: pdfName, kind: 'doc' as const, mime: 'application/pdf', size }
    const added = await tx.insert(file).values(row).onConflictDoNothing().returning({ id: file.id })
    if (added.length === 0) return
    // The presentation was counted against the quota.
    await addOriginalBytes(tx, tenantId, size)
    await tx.insert(fileState).values({ tenantId, fileId: id, event: 'uploadFinished' })
    await queueExamination(tenantId, id)
    await publishStorageEvent({ fileId: id, event: 'uploadFinished', folderId: null })
  })
}
