import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { createCourse } from '#lib/course/course.ts'
import { addLesson, addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { CreateCourse } from '#lib/course/schema.ts'
import { file, video } from '#lib/storage/table.ts'
import { encodeVideo } from '#lib/storage/video/encode.ts'
import { findActor } from '#lib/user/session.ts'

/*
 * Creates a lesson with a video, in a separate process with the data of the running installation: `lesson-video.ts
 * <path> <subdomain> <owner's token> <student's token>`. Prints the lesson's id.
 */
const [from = '', subdomain = '', ownerToken = '', studentToken = ''] = process.argv.slice(2)
const owner = await findActor(ownerToken, subdomain)
const student = await findActor(studentToken, 'go')
if (!owner || !student) throw new Error('nobody is signed in')

const { tenantId, membershipId: ownerId } = owner
const fileId = newId()
await store.put(`${tenantId}/${fileId}`, { path: from })
await inTenant(owner, async (tx) => {
  await tx.insert(file).values({ tenantId, id: fileId, kind: 'video', name: 'video.mp4', mime: 'video/mp4', ownerId })
  await tx.insert(video).values({ tenantId, fileId })
})
await encodeVideo({ tenantId, fileId }, { signal: new AbortController().signal })

const words = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const content = [
  { type: 'video', attrs: { fileId } },
  words('Добра подія починається з одного речення. '.repeat(6).trim()),
]
const { courseId } = await createCourse(owner, CreateCourse.parse({ title: 'Курс із відео' }))
const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
const { lessonId } = await addLesson(owner, { moduleId, title: 'Відеоурок', blocks: { type: 'doc', content } })
await publishCourse(owner, { courseId })
await grantAccess(owner, { courseId, studentId: student.membershipId })
console.log(`lesson ${lessonId}`)
await pool.end()
process.exit(0)
