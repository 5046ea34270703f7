import { makeZip, predictLength } from 'client-zip'
import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { plainName } from '#lib/core/files/plain-name.ts'
import { readTicket, signTicket } from '#lib/core/files/ticket.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course, lesson } from '#lib/course/table.ts'
import { file } from '#lib/storage/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission } from '../table.ts'
import { idArray } from './queue-sql.ts'
import { SomeWorks } from './schema.ts'
import { mustSeeQueue, scopeOf } from './scope.ts'

const LIFETIME_SECONDS = 3600

export interface WorksOffer {
  /** Opens for the session that asked, for an hour, on the same host. */
  address: string
  works: number
  files: number
  /** Bytes of the whole ZIP. */
  size: number
}

/**
 * Signs an address from which works come as one ZIP: a folder a lesson and a student, the files under their own names,
 * the text as a file beside them. Refuses with forbidden, not_found when nothing of it is the actor's to see.
 */
export async function offerWorks(actor: Actor, input: SomeWorks): Promise<WorksOffer> {
  mustSeeQueue(actor)
  const { submissionIds } = SomeWorks.parse(input)
  const { entries, works } = await gather(actor, submissionIds)
  const selection = packIds(submissionIds)
  const issued = Math.floor(Date.now() / 1000)
  const times = { issued, expires: issued + LIFETIME_SECONDS }
  const ticket = signTicket(subjectOf(actor, selection), actor.viewer, times)
  const files = entries.filter(({ fileId }) => fileId !== null).length
  return { address: `/v1/homework/${ticket}/${selection}`, works, files, size: lengthOf(entries) }
}

export interface WorksZip {
  name: string
  /** Bytes. */
  size: number
  body: ReadableStream<Uint8Array>
}

/**
 * The ZIP behind a signed address, made while it is read, with no temporary file. Refuses with forbidden, or not_found
 * for an address that is another session's, has expired, or names nothing any more.
 */
export async function openWorks(actor: Actor, asked: { ticket: string; selection: string }): Promise<WorksZip> {
  mustSeeQueue(actor)
  const times = readTicket(asked.ticket, subjectOf(actor, asked.selection), actor.viewer)
  if (!times || times.expires < Date.now() / 1000) throw new Refusal('not_found')
  const { entries, title } = await gather(actor, unpackIds(asked.selection))
  return { name: `${plain(title)}.zip`, size: lengthOf(entries), body: makeZip(contents(actor, entries)) }
}

interface Entry {
  /** Path inside the ZIP. */
  name: string
  size: number
  lastModified: Date
  /** Null for a text that stands in `text`. */
  fileId: string | null
  text: Uint8Array | null
}

async function gather(actor: Actor, submissionIds: readonly string[]) {
  const { rows, files } = await inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    const rows = await tx
      .select({
        text: submission.text,
        fileIds: submission.fileIds,
        attempt: submission.attempt,
        at: submission.submittedAt,
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
      .select({ id: file.id, name: file.name, size: file.size, at: file.createdAt })
      .from(file)
      .where(and(inArray(file.id, ids.length > 0 ? ids : [actor.tenantId]), isNull(file.deletedAt)))
    return { rows, files: new Map(files.map((one) => [one.id, one])) }
  })
  const [first] = rows
  if (!first) throw new Refusal('not_found')
  const taken = new Set<string>()
  const entries = rows.flatMap((row): Entry[] => {
    const folder = `${plain(row.course)}/${plain(row.lesson)}/${plain(row.student)} (${row.attempt})`
    const at = row.at ?? new Date()
    const bytes = new TextEncoder().encode(row.text)
    const text = {
      name: free(taken, `${folder}/text.txt`),
      size: bytes.length,
      lastModified: at,
      fileId: null,
      text: bytes,
    }
    const kept = row.fileIds.flatMap((id) => files.get(id) ?? [])
    return [
      ...(row.text === '' ? [] : [text]),
      ...kept.map(({ id, name, size, at: lastModified }) => {
        return { name: free(taken, `${folder}/${plain(name)}`), size, lastModified, fileId: id, text: null }
      }),
    ]
  })
  const one = new Set(rows.map((row) => row.course)).size === 1
  return { entries, works: rows.length, title: one ? first.course : actor.tenantName }
}

async function* contents(actor: Actor, entries: readonly Entry[]) {
  for (const { name, size, lastModified, fileId, text } of entries) {
    const input = fileId ? await store.read(`${actor.tenantId}/${fileId}`) : text
    // The length has been promised: a ZIP that ends early is seen to be broken, one that is short is not.
    if (!input) throw new Error('a file of a work has no bytes any more')
    yield { name, lastModified, size, input }
  }
}

const lengthOf = (entries: readonly Entry[]): number =>
  Number(predictLength(entries.map(({ name, size }) => ({ name, size }))))

/** A path that is not taken yet; Windows and macOS take «План» and «план» for one. */
function free(taken: Set<string>, path: string): string {
  const [, stem = path, extension = ''] = /^(.*?)(\.[^./]+)?$/s.exec(path) ?? []
  let name = path
  for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${stem} (${n})${extension}`
  taken.add(name.toLowerCase())
  return name
}

const plain = (name: string) => plainName(name.slice(0, 120))

const subjectOf = ({ tenantId }: Actor, selection: string) => `works/${tenantId}/${selection}`

function packIds(ids: readonly string[]): string {
  return Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')
}

function unpackIds(packed: string): string[] {
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return (hex.match(/.{32}/g) ?? []).map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
}
