import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { portableFileName } from '#lib/core/files/portable-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course, lesson } from '#lib/course/table.ts'
import { loadManualAnswers } from '#lib/quiz/review/manual-answers.ts'
import { file } from '#lib/storage/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission } from '../table.ts'
import { idArray, type QueueScope } from './queue-sql.ts'
import { loadScope } from './scope.ts'

/** A file of a ZIP with answers. */
export interface DownloadEntry {
  /** Path inside the ZIP. */
  name: string
  size: number
  lastModified: Date
  /** Null for a text, which is in `text`. */
  fileId: string | null
  text: Uint8Array | null
}

/** An answer of a submission or attempt before its files are known. */
interface CollectedAnswer {
  course: string
  /** Folder of the submission or attempt. */
  folder: string
  at: Date
  texts: { name: string; text: string }[]
  files: { id: string; prefix: string }[]
}

/**
 * The files of a ZIP with these submissions and attempts at tests, as far as the actor may see them. Refuses with
 * not_found when that is none.
 */
export async function collectEntries(
  actor: Actor,
  ids: readonly string[],
): Promise<{ entries: DownloadEntry[]; count: number; title: string }> {
  const { answers, files } = await inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    const collected = await Promise.all([collectSubmissions(tx, ids, scope), collectAttempts(tx, ids, scope)])
    const answers = collected.flat()
    const fileIds = answers.flatMap((answer) => answer.files.map(({ id }) => id))
    const files = await tx
      .select({ id: file.id, name: file.name, size: file.size, createdAt: file.createdAt })
      .from(file)
      .where(and(inArray(file.id, fileIds.length > 0 ? fileIds : [actor.tenantId]), isNull(file.deletedAt)))
    return { answers, files: new Map(files.map((row) => [row.id, row])) }
  })
  const [first] = answers
  if (!first) throw new Refusal('not_found')
  const usedPaths = new Set<string>()
  const entries = answers.flatMap(({ folder, at, texts, files: named }): DownloadEntry[] => [
    ...texts.map(({ name, text }) => {
      const bytes = new TextEncoder().encode(text)
      const path = uniquePath(usedPaths, `${folder}/${name}`)
      return { name: path, size: bytes.length, lastModified: at, fileId: null, text: bytes }
    }),
    ...named.flatMap(({ id, prefix }) => {
      const found = files.get(id)
      if (!found) return []
      const name = uniquePath(usedPaths, `${folder}/${prefix}${safeName(found.name)}`)
      return [{ name, size: found.size, lastModified: found.createdAt, fileId: id, text: null }]
    }),
  ])
  const isOneCourse = new Set(answers.map((answer) => answer.course)).size === 1
  return { entries, count: answers.length, title: isOneCourse ? first.course : actor.tenantName }
}

async function collectSubmissions(tx: Tx, ids: readonly string[], scope: QueueScope): Promise<CollectedAnswer[]> {
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
        inArray(submission.id, [...ids]),
        ne(submission.state, 'draft'),
        scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
      ),
    )
    .orderBy(asc(course.title), asc(lesson.title), asc(user.lastName), asc(submission.id))
  return rows.map((row) => ({
    course: row.course,
    folder: folderOf(row.course, row.lesson, `${row.student} (${row.attempt})`),
    at: row.submittedAt ?? new Date(),
    texts: row.text === '' ? [] : [{ name: 'text.txt', text: row.text }],
    files: row.fileIds.map((id) => ({ id, prefix: '' })),
  }))
}

async function collectAttempts(tx: Tx, ids: readonly string[], scope: QueueScope): Promise<CollectedAnswer[]> {
  const attempts = await loadManualAnswers(tx, { attemptIds: ids, courseIds: scope })
  return attempts.map(({ course: title, quiz, student, number, submittedAt, answers }) => ({
    course: title,
    folder: folderOf(title, quiz, `${student} (${number})`),
    at: submittedAt,
    texts: answers.flatMap((answer) =>
      answer.text === null
        ? []
        : [{ name: `question-${answer.number}.txt`, text: `${answer.question}\n\n${answer.text}\n` }],
    ),
    files: answers.flatMap((answer) => answer.fileIds.map((id) => ({ id, prefix: `question-${answer.number}/` }))),
  }))
}

const folderOf = (...names: string[]): string => names.map(safeName).join('/')

/** A path that is not used yet. Windows and macOS do not distinguish case. */
function uniquePath(usedPaths: Set<string>, path: string): string {
  const [, stem = path, extension = ''] = /^(.*?)(\.[^./]+)?$/s.exec(path) ?? []
  let name = path
  for (let n = 2; usedPaths.has(name.toLowerCase()); n += 1) name = `${stem} (${n})${extension}`
  usedPaths.add(name.toLowerCase())
  return name
}

/** A name that every file system accepts. */
export const safeName = (name: string): string => portableFileName(name.slice(0, 120))
