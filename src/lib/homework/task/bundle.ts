import { makeZip, predictLength } from 'client-zip'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { portableFileName } from '#lib/core/files/portable-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import { BUNDLE_JSON, type BundleFile } from '#lib/course/transfer/bundle-schema.ts'
import { describeCourse, describeFiles } from '#lib/course/transfer/export.ts'
import { describeTests, filesOfTests } from '#lib/quiz/transfer/course/describe-tests.ts'
import { task } from '../table.ts'
import type { BundleTask } from './bundle-schema.ts'

export interface TaskBundle {
  name: string
  /** Bytes of the whole ZIP. */
  size: number
  files: number
  body: ReadableStream<Uint8Array>
}

/**
 * Exports a course with its homework, tests and files as one ZIP, created while it is read. Refuses with forbidden, not_found,
 * and unprocessable while one of its files is still uploaded.
 */
export async function openBundle(actor: Actor, input: { courseId: string }): Promise<TaskBundle> {
  const { courseId } = input
  const { json, files, title } = await inTenant(actor, async (tx) => {
    const { bundle, fileIds } = await describeCourse(tx, actor, courseId)
    const [tasks, tests] = await Promise.all([describeTasks(tx, courseId), describeTests(tx, courseId)])
    const usedIds = [...fileIds, ...tasks.flatMap(filesOfTask), ...filesOfTests(tests)]
    const files = await describeFiles(tx, [...new Set(usedIds)])
    return { json: JSON.stringify({ ...bundle, files, tasks, ...tests }), files, title: bundle.course.title }
  })
  const text = Buffer.from(json)
  const sizes = [{ name: BUNDLE_JSON, size: text.length }, ...files.map(({ path, size }) => ({ name: path, size }))]
  return {
    name: `${portableFileName(title)}.zip`,
    size: Number(predictLength(sizes)),
    files: files.length,
    body: makeZip(contents(actor, text, files)),
  }
}

/** Tasks of a course that are not deleted, in order. */
async function describeTasks(tx: Tx, courseId: string): Promise<BundleTask[]> {
  const rows = await tx
    .select()
    .from(task)
    .where(and(eq(task.courseId, courseId), isNull(task.deletedAt)))
    .orderBy(asc(task.lessonId), asc(task.position), asc(task.id))
  return rows.map(
    ({ tenantId: _, courseId: _1, position: _2, version: _3, createdAt: _4, updatedAt: _5, deletedAt: _6, ...row }) =>
      row,
  )
}

/** Files of a task, including those of its sample answer. */
export function filesOfTask({ fileIds, instructions, sampleAnswer }: BundleTask): string[] {
  return [...fileIds, ...filesOf(instructions), ...(sampleAnswer ? filesOf(sampleAnswer) : [])]
}

async function* contents(actor: Actor, json: Buffer, files: readonly BundleFile[]) {
  yield { name: BUNDLE_JSON, lastModified: new Date(), size: json.length, input: json }
  for (const { path, size, id } of files) {
    const input = await store.read(`${actor.tenantId}/${id}`)
    // The length is already in the response headers, so that clients detect an incomplete ZIP only if the stream fails.
    if (!input) throw new Refusal('gone')
    yield { name: path, lastModified: new Date(), size, input }
  }
}
