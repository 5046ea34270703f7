import { makeZip, predictLength } from 'client-zip'
import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { portableFileName } from '#lib/core/files/portable-name.ts'
import { signUrlToken, verifyUrlToken } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course, lesson } from '#lib/course/table.ts'
import { file } from '#lib/storage/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission } from '../table.ts'
import { idArray } from './queue-sql.ts'
import type { SubmissionIds } from './schema.ts'
import { loadScope, requireQueueAccess } from './scope.ts'

const LIFETIME_SECONDS = 3600

export interface ZipDownload {
  /** Valid for the actor's login session, for an hour, on the same host. */
  address: string
  submissions: number
  files: number
  /** Bytes of the whole ZIP. */
  size: number
}

/**
 * Signs the URL of a ZIP with several submissions: one folder per lesson and student, with the files under their own
 * names and the text as a separate file. Refuses with forbidden, and not_found when the actor may see none of them.
 */
export async function prepareDownload(actor: Actor, input: SubmissionIds): Promise<ZipDownload> {
  requireQueueAccess(actor)
  const { submissionIds } = input
  const { entries, count } = await collectEntries(actor, submissionIds)
  const selection = packIds(submissionIds)
  const issuedAt = Math.floor(Date.now() / 1000)
  const times = { issuedAt, expiresAt: issuedAt + LIFETIME_SECONDS }
  const token = signUrlToken(subjectOf(actor, selection), actor.viewer, times)
  const files = entries.filter(({ fileId }) => fileId !== null).length
  return { address: `/v1/homework/${token}/${selection}`, submissions: count, files, size: zipLength(entries) }
}

export interface SubmissionsZip {
  name: string
  /** Bytes. */
  size: number
  body: ReadableStream<Uint8Array>
}

/**
 * The ZIP of a signed URL, created while it is read, without a temporary file. Refuses with forbidden, and not_found
 * for a URL of another login session, an expired one, or one without existing submissions.
 */
export async function openDownload(
  actor: Actor,
  signed: { token: string; selection: string },
): Promise<SubmissionsZip> {
  requireQueueAccess(actor)
  const times = verifyUrlToken(signed.token, subjectOf(actor, signed.selection), actor.viewer)
  if (!times || times.expiresAt < Date.now() / 1000) throw new Refusal('not_found')
  const { entries, title } = await collectEntries(actor, unpackIds(signed.selection))
  return { name: `${safeName(title)}.zip`, size: zipLength(entries), body: makeZip(readEntries(actor, entries)) }
}

interface Entry {
  /** Path inside the ZIP. */
  name: string
  size: number
  lastModified: Date
  /** Null for a text, which is in `text`. */
  fileId: string | null
  text: Uint8Array | null
}

async function collectEntries(actor: Actor, submissionIds: readonly string[]) {
  const { rows, files } = await inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    const rows = await tx
      .select({
        text: submission.text,
        fileIds: submission.fileIds,
        attempt: submission.attempt,
        submittedAt: submission.submittedAt,
        course: course.title,
        lesson: lesson.title,
        student: sql<string>`coalesce(nullif(trim(${user.lastName} || ' ' || ${user.firstName}), ''), ${user.email})`,
      })
      .from(submission)
      .innerJoin(course, eq(course.id, submission.courseId))
      .innerJoin(lesson, eq(lesson.id, submission.lessonId))
      .innerJoin(membership, eq(membership.id, submission.studentId))
      .innerJoin(user, eq(user.id, membership.userId))
      .where(
        and(
          inArray(submission.id, [...submissionIds]),
          ne(submission.state, 'draft'),
          scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
        ),
      )
      .orderBy(asc(course.title), asc(lesson.title), asc(user.lastName), asc(submission.id))
    const ids = rows.flatMap(({ fileIds }) => fileIds)
    const files = await tx
      .select({ id: file.id, name: file.name, size: file.size, createdAt: file.createdAt })
      .from(file)
      .where(and(inArray(file.id, ids.length > 0 ? ids : [actor.tenantId]), isNull(file.deletedAt)))
    return { rows, files: new Map(files.map((row) => [row.id, row])) }
  })
  const [first] = rows
  if (!first) throw new Refusal('not_found')
  const usedPaths = new Set<string>()
  const entries = rows.flatMap((row): Entry[] => {
    const folder = `${safeName(row.course)}/${safeName(row.lesson)}/${safeName(row.student)} (${row.attempt})`
    const submittedAt = row.submittedAt ?? new Date()
    const bytes = new TextEncoder().encode(row.text)
    const text = {
      name: uniquePath(usedPaths, `${folder}/text.txt`),
      size: bytes.length,
      lastModified: submittedAt,
      fileId: null,
      text: bytes,
    }
    const answerFiles = row.fileIds.flatMap((id) => files.get(id) ?? [])
    return [
      ...(row.text === '' ? [] : [text]),
      ...answerFiles.map(({ id, name, size, createdAt: lastModified }) => {
        return {
          name: uniquePath(usedPaths, `${folder}/${safeName(name)}`),
          size,
          lastModified,
          fileId: id,
          text: null,
        }
      }),
    ]
  })
  const isOneCourse = new Set(rows.map((row) => row.course)).size === 1
  return { entries, count: rows.length, title: isOneCourse ? first.course : actor.tenantName }
}

async function* readEntries(actor: Actor, entries: readonly Entry[]) {
  for (const { name, size, lastModified, fileId, text } of entries) {
    const input = fileId ? await store.read(`${actor.tenantId}/${fileId}`) : text
    // The length is already in the response headers, so that clients detect an incomplete ZIP only if the stream fails.
    if (!input) throw new Error('a file of a submission is missing in the object store')
    yield { name, lastModified, size, input }
  }
}

const zipLength = (entries: readonly Entry[]): number =>
  Number(predictLength(entries.map(({ name, size }) => ({ name, size }))))

/** A path that is not used yet, ignoring case as Windows and macOS do. */
function uniquePath(usedPaths: Set<string>, path: string): string {
  const [, stem = path, extension = ''] = /^(.*?)(\.[^./]+)?$/s.exec(path) ?? []
  let name = path
  for (let n = 2; usedPaths.has(name.toLowerCase()); n += 1) name = `${stem} (${n})${extension}`
  usedPaths.add(name.toLowerCase())
  return name
}

const safeName = (name: string) => portableFileName(name.slice(0, 120))

const subjectOf = ({ tenantId }: Actor, selection: string) => `submissions/${tenantId}/${selection}`

function packIds(ids: readonly string[]): string {
  return Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')
}

function unpackIds(packed: string): string[] {
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return (hex.match(/.{32}/g) ?? []).map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
}
