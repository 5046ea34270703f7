import { expect, test } from 'vitest'
import { repeatedAccessRules } from '../checks/database/access-rule.ts'
import { file, readCode, report } from '../checks/source-tree.ts'

test.each([
  ['src/lib/chat/access.ts', 'sql`select 1 from access_grant a where a.revoked_at is null`'],
  ['src/lib/quiz/offer.ts', 'tx.select().from(accessGrant).where(isNull(accessGrant.revokedAt))'],
  ['src/lib/course/group/seats.ts', 'tx.select().from(accessGrant).where(isNull(accessGrant.revokedAt))'],
  ['src/lib/course/publish.ts', 'sql`select 1 from access_grant g where g.revoked_at is null`'],
])('%s may not repeat the rule of access', (path, source) => {
  expect(repeatedAccessRules(file(path, source))).toHaveLength(1)
})

test.each([
  ['src/lib/chat/access.ts', 'sql`select 1 from course_access(now()) a where a.student_id = $1`'],
  ['src/lib/mentoring/program/list.ts', 'sql`select 1 from program_enrolment e where e.revoked_at is null`'],
  ['src/lib/course/access/revoke.ts', 'tx.update(accessGrant).set({ revokedAt: new Date() }).where(isEnrolled)'],
])('%s may call it, and write grants', (path, source) => {
  expect(repeatedAccessRules(file(path, source))).toEqual([])
})

test('no file repeats the rule of access to a course', () => {
  expect(report(readCode('src').flatMap(repeatedAccessRules))).toEqual([])
})
