import { z } from 'zod'
import type { BULK_ACTIONS } from '#lib/core/shared/learning.ts'
import { StudentFilter, Tag } from '../list/schema.ts'

export type BulkAction = (typeof BULK_ACTIONS)[number]

const id = z.uuid()
const until = z.iso.datetime()

/** A bulk action with its parameters. */
export const BulkChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('addToCourse'), courseId: id, until: until.nullable() }),
  z.object({ action: z.literal('addToGroup'), groupId: id }),
  z.object({ action: z.literal('extend'), courseId: id, until: until.nullable() }),
  z.object({ action: z.literal('freeze'), courseId: id, until: until.nullable() }),
  z.object({ action: z.literal('tag'), tag: Tag }),
  z.object({ action: z.literal('untag'), tag: Tag }),
  z.object({ action: z.literal('block') }),
  z.object({ action: z.literal('unblock') }),
  z.object({ action: z.literal('delete') }),
  z.object({ action: z.literal('restore') }),
])
export type BulkChange = z.infer<typeof BulkChange>

/** Named students, or all that a filter selects when the action is created. */
export const BulkTarget = z.union([
  z.object({ studentIds: z.array(id).min(1, 'required').max(200) }),
  z.object({ filter: StudentFilter }),
])

/** `jobId` is chosen by the form, so that posting it twice creates one job. */
export const CreateBulkJob = z.object({ jobId: id, target: BulkTarget, change: BulkChange })
export type CreateBulkJob = z.output<typeof CreateBulkJob>

export const JobId = z.object({ jobId: id })
export type JobId = z.infer<typeof JobId>

/** Actions that end access: a person confirms the list of students first. */
const CONFIRMED: readonly BulkAction[] = ['block', 'delete']
export const needsConfirmation = (action: BulkAction): boolean => CONFIRMED.includes(action)
