import { beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { createGroup, reopenGroup } from '#lib/course/group/group.ts'
import { getGroup } from '#lib/course/group/list.ts'
import { changeMembers, previewMembers } from '#lib/course/group/members.ts'
import { setStaff } from '#lib/course/staff.ts'
import { DAY_MS, expectRefusal, instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import {
  copyGroup,
  findCandidates,
  finishGroup,
  listAllGroups,
  listMembers,
} from '../../../setup/parsed/course-group.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
let groupId: string

beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
  const { courseId } = await publishedCourse(owner)
  const dates = { startAt: instantAt(-DAY_MS), endAt: null, timeZone: 'Europe/Kyiv' }
  groupId = (await createGroup(owner, { courseId, name: 'Осіння', ...dates })).groupId
})

const SEE: readonly Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']
test('owners, directors and experts manage every group, other roles none', async () => {
  for (const role of ROLES) {
    const actor = ours.as[role]
    const actions = [
      () => getGroup(actor, { groupId }),
      () => listMembers(actor, { groupId }),
      () => previewMembers(actor, { action: 'add', groupId, studentIds: [ours.as.STUDENT.membershipId] }),
      () => changeMembers(actor, { action: 'add', groupId, studentIds: [ours.as.STUDENT.membershipId] }),
      () => finishGroup(actor, { groupId }),
      () => reopenGroup(actor, { groupId }),
    ]
    for (const run of actions) {
      if (SEE.includes(role)) await run()
      else await expectRefusal(run(), 'forbidden')
    }
  }
})

test('a group of another school is not found', async () => {
  const stranger = theirs.as.OWNER
  for (const run of [
    () => getGroup(stranger, { groupId }),
    () => listMembers(stranger, { groupId }),
    () => findCandidates(stranger, { groupId }),
    () => finishGroup(stranger, { groupId }),
    () => copyGroup(stranger, { groupId, newGroupId: newId(), name: 'Копія', offsetDays: 1 }),
  ]) {
    await expectRefusal(run(), 'not_found')
  }
  expect((await listAllGroups(stranger, {})).items).toEqual([])
})

test('a curator sees the groups of assigned courses only', async () => {
  const curator = ours.as.CURATOR
  expect((await listAllGroups(curator, {})).items).toEqual([])
  const { courseId: assigned } = await createCourse(owner, { title: 'Призначений' })
  await setStaff(owner, { courseId: assigned, staff: [{ memberId: curator.membershipId, role: 'curator' }] })
  const dates = { startAt: instantAt(0), endAt: null, timeZone: 'Europe/Kyiv' }
  const own = await createGroup(curator, {
    courseId: assigned,
    name: 'Своя',
    ...dates,
    curatorIds: [curator.membershipId],
  })
  const { items } = await listAllGroups(curator, {})
  expect(items.map(({ id }) => id)).toEqual([own.groupId])
  expect(items[0]?.curators).toHaveLength(1)
})
