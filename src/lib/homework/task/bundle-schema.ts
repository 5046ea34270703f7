import { z } from 'zod'
import { TaskText } from './schema.ts'

/** A task in an exported course; ids are those of the exporting tenant. */
export const BundleTask = TaskText.extend({ id: z.uuid(), lessonId: z.uuid() })
export type BundleTask = z.output<typeof BundleTask>

/** The homework part of an exported course; an export without it has no tasks. */
export const BundleTasks = z.object({ tasks: z.array(BundleTask).max(20_000).default([]) })
