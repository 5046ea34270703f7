import { z } from 'zod'
import { StudentView } from './list/output-schema.ts'

export const CountStudentOutput = z.object({ students: z.number() })

export const ListViewsOutput = z.array(StudentView)

export const SaveViewOutput = z.object({ viewId: z.string() })

export const CreateMessageOutput = z.object({ messageId: z.uuid() })
