import { z } from 'zod'
import { GROUP_COLORS } from '#lib/core/shared/learning.ts'
import { GROUP_STATUS } from './rules.ts'

export const StudyGroup = z.object({
  id: z.string(),
  name: z.string(),
  startAt: z.date(),
  endAt: z.date().nullable(),
  timeZone: z.string(),
  seats: z.number().nullable(),
  scheduleOffsetDays: z.number(),
  color: z.enum(GROUP_COLORS).nullable(),
  finishedAt: z.date().nullable(),
  archivedAt: z.date().nullable(),
  revision: z.number(),
  status: z.enum(GROUP_STATUS),
  members: z.number(),
})

export const ListGroupsOutput = z.array(StudyGroup)

const Curator = z.object({ memberId: z.string(), name: z.string() })

const GroupListRow = StudyGroup.extend({
  courseId: z.string(),
  courseTitle: z.string(),
  curators: z.array(Curator),
})

export const GroupPage = z.object({ items: z.array(GroupListRow), next: z.string().nullable() })

export const GroupDetails = GroupListRow

export const GroupOutput = z.object({ groupId: z.string() })

const MemberRow = z.object({
  studentId: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.string(),
  joinedAt: z.date(),
  endsAt: z.date().nullable(),
  completed: z.number(),
  total: z.number(),
  lastOpenedAt: z.date().nullable(),
})

export const MemberPage = z.object({ items: z.array(MemberRow), next: z.string().nullable() })

export const GroupCandidates = z.array(z.object({ studentId: z.string(), name: z.string(), email: z.string() }))

export const MembersChanged = z.object({ changeId: z.string(), students: z.number() })

export const CreatedAnnouncement = z.object({ announcementId: z.string() })

export const RecalledAnnouncement = z.object({ recalled: z.number() })
