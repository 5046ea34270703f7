import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { issueDue, runIssueToAll } from '#lib/certificate/issue/issue.ts'
import { saveRule } from '#lib/certificate/rule/rule.ts'
import { RuleText } from '#lib/certificate/rule/schema.ts'
import { createTemplate } from '#lib/certificate/template/template.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { createCourse } from '#lib/course/course.ts'
import { addLesson, addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { findActor } from '#lib/user/session.ts'
import { memoryOf, memoryOfTree } from '../processes.ts'
import type { CertificateTimes } from './certificates.ts'

/* Issues certificates to all students of a school by the two jobs of the page, and prints time and memory. */
const [subdomain = '', token = ''] = process.argv.slice(2)
const owner = await findActor(token, subdomain)
if (!owner) throw new Error('the owner is not signed in')
const courseId = await createCompletedCourse(owner)
const times = { memoryAtFirst: 0, memoryAtMost: 0, withWorkerAtFirst: 0, withWorkerAtMost: 0 }
let isCounting = false
const watch = setInterval(async () => {
  if (isCounting) return
  isCounting = true
  if ((await countIssued(owner)) >= 100) note(memoryOf(process.pid), memoryOfTree(process.pid))
  isCounting = false
}, 100)
const run = { signal: new AbortController().signal }
const { tenantId, membershipId } = owner
const begun = performance.now()
await runIssueToAll({ tenantId, courseId, issuedBy: membershipId }, run)
await issueDue({ tenantId, courseId }, run)
const seconds = (performance.now() - begun) / 1000
clearInterval(watch)
const issued = await countIssued(owner)
console.log(JSON.stringify({ ...times, seconds, issued } satisfies CertificateTimes))
await pool.end()
process.exit(0)

function note(own: number, tree: number): void {
  times.memoryAtFirst ||= own
  times.withWorkerAtFirst ||= tree
  times.memoryAtMost = Math.max(times.memoryAtMost, own)
  times.withWorkerAtMost = Math.max(times.withWorkerAtMost, tree)
}

/** A course with a rule that all students of the school have completed. */
async function createCompletedCourse(actor: Actor): Promise<string> {
  const { courseId: id } = await createCourse(actor, { title: 'Вимірювання', shortDescription: '', language: 'uk' })
  const { moduleId } = await addModule(actor, { courseId: id, title: 'Модуль' })
  const blocks = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }
  const { lessonId } = await addLesson(actor, { moduleId, title: 'Урок', blocks })
  await publishCourse(actor, { courseId: id })
  const { templateId } = await createTemplate(actor, { templateId: randomUUID(), preset: 'classic', locale: 'uk' })
  await saveRule(actor, { ...RuleText.parse({}), templateId, confirmName: false, courseId: id, version: 0 })
  await inTenant(actor, async (tx) => {
    await tx.execute(sql`insert into access_grant (tenant_id, id, student_id, course_id, source_type)
      select tenant_id, time_ordered_id(), id, ${id}::uuid, 'manual' from student where tenant_id = current_tenant()`)
    await tx.execute(sql`
      insert into lesson_progress (tenant_id, student_id, lesson_id, course_id, opened_at, last_opened_at, completed_at)
      select tenant_id, id, ${lessonId}::uuid, ${id}::uuid, now(), now(), now() from student
      where tenant_id = current_tenant()`)
  })
  return id
}

async function countIssued(actor: Actor): Promise<number> {
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{ issued: number }>(sql`select count(*)::int as issued from certificate
      where tenant_id = current_tenant() and state = 'issued'`),
  )
  return rows[0]?.issued ?? 0
}
