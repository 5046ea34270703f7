import { z } from 'zod'
import { TaskText } from './schema.ts'

/** A task of a course's bundle; ids are those of the school it left. */
export const BundleTask = TaskText.extend({ id: z.uuid(), lessonId: z.uuid() })
export type BundleTask = z.output<typeof BundleTask>

/** What the homework room adds to a course's bundle; one without it has no tasks. */
export const BundleTasks = z.object({ tasks: z.array(BundleTask).max(20_000).default([]) })
