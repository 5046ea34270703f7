import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { GROUP_COLORS } from '#lib/core/shared/learning.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { GROUP_STATUS } from './rules.ts'

const id = z.uuid()
const instant = z.iso.datetime()
const timeZone = z.string().max(64).refine(isTimeZone, 'unknown_time_zone')

const groupShape = {
  name: textLine(120).min(1, 'required'),
  startAt: instant,
  endAt: instant.nullable(),
  timeZone,
  /** Null: without a limit. */
  seats: z.int().min(1).max(10_000).nullable().optional(),
  scheduleOffsetDays: z.int().min(-365).max(365).optional(),
  color: z.enum(GROUP_COLORS).nullable().optional(),
  /** Members of the course's staff. */
  curatorIds: z.array(id).max(50).optional(),
}
const inOrder = ({ startAt, endAt }: { startAt: string; endAt: string | null }) => endAt === null || startAt < endAt

/** `groupId` is chosen by the form, so that posting it twice creates one group. */
export const CreateGroup = z
  .object({ courseId: id, groupId: id.optional(), ...groupShape })
  .refine(inOrder, { path: ['endAt'], error: 'end_before_start' })
export type CreateGroup = z.infer<typeof CreateGroup>

export const UpdateGroup = z
  .object({
    groupId: id,
    /** The revision that the change is based on. */
    revision: z.int().min(1).max(2_147_483_647).optional(),
    ...groupShape,
  })
  .refine(inOrder, { path: ['endAt'], error: 'end_before_start' })
export type UpdateGroup = z.infer<typeof UpdateGroup>

export const GroupId = z.object({ groupId: id })
export type GroupId = z.infer<typeof GroupId>
export const GroupMember = z.object({ groupId: id, studentId: id })

/** Finishing closes the access of the members at once, or leaves it until the end of the group. */
export const FinishGroup = z.object({ groupId: id, closesAccess: z.boolean().default(false) })
export type FinishGroup = z.output<typeof FinishGroup>

/** `newGroupId` is chosen by the form, so that posting it twice makes one copy. */
export const CopyGroup = z.object({
  groupId: id,
  newGroupId: id,
  name: textLine(120).min(1, 'required'),
  /** Calendar days by which the dates move, in the zone of the group. */
  offsetDays: z.int().min(-3650).max(3650),
  withMembers: z.boolean().default(false),
})
export type CopyGroup = z.output<typeof CopyGroup>

export const ListAllGroups = z.object({
  q: multilineText(100).default(''),
  status: z.enum(GROUP_STATUS).optional(),
  courseId: id.optional(),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListAllGroups = z.output<typeof ListAllGroups>

export const ListMembers = z.object({
  groupId: id,
  q: multilineText(100).default(''),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListMembers = z.output<typeof ListMembers>

export const FindCandidates = z.object({ groupId: id, q: multilineText(100).default('') })
export type FindCandidates = z.output<typeof FindCandidates>

/** Adds, moves or removes students of a group. A move goes to another group of the same course. */
export const ChangeMembers = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add'), groupId: id, studentIds: z.array(id).min(1, 'required').max(200) }),
  z.object({
    action: z.literal('move'),
    groupId: id,
    toGroupId: id,
    studentIds: z.array(id).min(1, 'required').max(200),
  }),
  z.object({ action: z.literal('remove'), groupId: id, studentIds: z.array(id).min(1, 'required').max(200) }),
])
export type ChangeMembers = z.infer<typeof ChangeMembers>

/** `announcementId` is chosen by the form, so that posting it twice sends one announcement. */
export const AnnounceToGroup = z.object({
  groupId: id,
  announcementId: id,
  subject: textLine(150).min(1, 'required'),
  text: multilineText(5000).min(1, 'required'),
})
export type AnnounceToGroup = z.infer<typeof AnnounceToGroup>

export const AnnouncementId = z.object({ groupId: id, announcementId: id })
export type AnnouncementId = z.infer<typeof AnnouncementId>
