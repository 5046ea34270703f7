import { expect, test } from 'vitest'
import type { Role } from '#lib/core/shared/role.ts'
import { canReadRoadmap, type RoadmapFacts } from '#lib/roadmap/rules.ts'

const map = (change: Partial<RoadmapFacts> = {}): RoadmapFacts => ({
  tenantId: 'ours',
  visibility: 'public',
  published: true,
  ...change,
})
const person = (role: Role, tenantId = 'ours') => ({ tenantId, roles: [role] })

test.each([
  ['everybody reads a public one', null, map(), 'open'],
  ['everybody reads one with a link', null, map({ visibility: 'link' }), 'open'],
  ['a visitor does not read one of students', null, map({ visibility: 'students' }), 'students_only'],
  ['a student of the school reads it', person('STUDENT'), map({ visibility: 'students' }), 'student'],
  [
    'a student of another school does not',
    person('STUDENT', 'theirs'),
    map({ visibility: 'students' }),
    'students_only',
  ],
  ['nor does a member without a course role', person('PRESENTER'), map({ visibility: 'students' }), 'students_only'],
  ['a student does not read a draft', person('STUDENT'), map({ published: false }), 'not_published'],
  ['staff of courses read a draft', person('CURATOR'), map({ published: false }), 'course_staff'],
  ['staff of another school do not', person('OWNER', 'theirs'), map({ published: false }), 'not_published'],
])('%s', (_name, reader, facts, reason) => {
  const allow = ['open', 'student', 'course_staff'].includes(reason)
  expect(canReadRoadmap(reader, facts)).toEqual({ allow, reason })
})
