import { randomUUID } from 'node:crypto'
import { ambientClient, inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

const BATCH = 500

interface BareImport {
  courseId: string
  count: number
  /** Prefix of the addresses. */
  mark: string
}

/**
 * The inserts of an import without its logic: the file's rows, accounts, members, tags, grants and audit entries, 500
 * rows per statement and one transaction per 500 students. The triggers of the list of students run here too.
 */
export async function insertBare(actor: Actor, { courseId, count, mark }: BareImport): Promise<void> {
  const { tenantId, membershipId } = actor
  const importId = randomUUID()
  await inTenant(actor, () =>
    insertRows('student_import', 'tenant_id, id, by, actor, state, file_name, heading, mapping, total', [
      [tenantId, importId, membershipId, '{}', 'done', 'students.csv', '[]', '[]', count],
    ]),
  )
  for (let first = 0; first < count; first += BATCH) {
    const people = Array.from({ length: Math.min(BATCH, count - first) }, (_, n) => ({
      number: first + n + 1,
      userId: randomUUID(),
      studentId: randomUUID(),
      email: `${mark}-${first + n}@bench.test`,
      name: `Олена ${first + n}`,
    }))
    await inTenant(actor, async () => {
      await insertRows(
        '"user"',
        'id, email, first_name, last_name, phone, locale',
        people.map(({ userId, email, name }) => [userId, email, name, 'Коваль', '+380671234567', 'uk']),
      )
      await insertRows(
        'membership',
        'tenant_id, id, user_id, account_type, status',
        people.map(({ userId, studentId }) => [tenantId, studentId, userId, 'ACCOUNT_TYPE_STUDENT', 'unknown']),
      )
      await insertRows(
        'student_import_row',
        'tenant_id, import_id, number, cells, email, first_name, last_name, phone, course_id, verdict, student_id',
        people.map(({ number, email, name, studentId }) => [
          tenantId,
          importId,
          number,
          JSON.stringify([email, name, 'Коваль', '+380671234567']),
          email,
          name,
          'Коваль',
          '+380671234567',
          courseId,
          'added',
          studentId,
        ]),
      )
      await insertRows(
        'student_tag',
        'tenant_id, student_id, tag',
        people.map(({ studentId }) => [tenantId, studentId, 'набір']),
      )
      await insertRows(
        'access_grant',
        'tenant_id, id, student_id, course_id, source_type',
        people.map(({ studentId }) => [tenantId, randomUUID(), studentId, courseId, 'manual']),
      )
      for (const action of ['student.imported', 'access.changed']) {
        await insertRows(
          'audit_entry',
          'tenant_id, id, actor_id, action, object_id, object_name, after',
          people.map(({ studentId, name }) => [
            tenantId,
            randomUUID(),
            membershipId,
            action,
            studentId,
            `${name} Коваль`,
            '{"file":"students.csv"}',
          ]),
        )
      }
    })
  }
}

async function insertRows(table: string, columns: string, rows: readonly (readonly unknown[])[]): Promise<void> {
  let parameter = 0
  const values = rows.map((row) => `(${row.map(() => `$${++parameter}`).join(', ')})`)
  await ambientClient()?.query(`insert into ${table} (${columns}) values ${values.join(', ')}`, rows.flat())
}
