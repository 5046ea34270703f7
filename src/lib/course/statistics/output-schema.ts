import { z } from 'zod'

export const CourseTotals = z.object({
  courses: z.number(),
  published: z.number(),
  lessons: z.number(),
  students: z.number(),
  active: z.number(),
  completed: z.number(),
  invited: z.boolean(),
})
