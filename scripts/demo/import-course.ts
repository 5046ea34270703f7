import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { createCourse } from '#lib/course/course.ts'
import { addLesson, addModule } from '#lib/course/outline/outline.ts'
import { AddLesson, AddModule, CreateCourse } from '#lib/course/schema.ts'
import { updateCourse } from '#lib/course/settings.ts'
import { UpdateCourse } from '#lib/course/settings-schema.ts'
import type { FolderCourse } from '#lib/course/transfer/read-course-folder.ts'
import { storeImage } from '#lib/storage/video/image.ts'

export interface ImportedCourse {
  courseId: string
  /** In the order of the course. */
  lessonIds: string[]
}

/**
 * Writes a course that was read from a folder: as a draft, in one transaction. Refuses as the functions of the course
 * and storage modules do (forbidden, plan_inactive, limit_reached, wrong_type).
 */
export function importCourse(actor: Actor, bundle: FolderCourse): Promise<ImportedCourse> {
  return inTenant(actor, async () => {
    const { title, shortDescription, language, level, description, coverPath } = bundle
    const { courseId } = await createCourse(actor, CreateCourse.parse({ title, shortDescription, language }))
    const addresses = new Map<string, string>()
    for (const [src, file] of Object.entries(bundle.images)) addresses.set(src, (await store(actor, file)).src)
    const cover = coverPath === undefined ? null : await store(actor, coverPath)
    const coverFileId = cover?.fileId ?? null
    await updateCourse(actor, UpdateCourse.parse({ courseId, level: level ?? null, description, coverFileId }))
    const lessonIds: string[] = []
    for (const { title: heading, description: about, lessons } of bundle.modules) {
      const { moduleId } = await addModule(actor, AddModule.parse({ courseId, title: heading, description: about }))
      for (const lesson of lessons) {
        const blocks = withAddresses(lesson.doc, addresses)
        const input = AddLesson.parse({ moduleId, title: lesson.title, blocks, durationMinutes: lesson.minutes })
        lessonIds.push((await addLesson(actor, input)).lessonId)
      }
    }
    return { courseId, lessonIds }
  })
}

async function store(actor: Actor, file: string) {
  return storeImage(actor, { name: path.basename(file), bytes: await readFile(file) })
}

function withAddresses(doc: LessonDoc, addresses: Map<string, string>): LessonDoc {
  return { ...doc, content: doc.content.map((node) => placed(node, addresses)) }
}

function placed(node: LessonNode, addresses: Map<string, string>): LessonNode {
  const content = node.content ? { content: node.content.map((child) => placed(child, addresses)) } : {}
  if (node.type !== 'image') return { ...node, ...content }
  return { ...node, attrs: { ...node.attrs, src: addresses.get(String(node.attrs?.src)) } }
}
