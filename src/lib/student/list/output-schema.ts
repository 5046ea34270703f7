import { z } from 'zod'
import { StudentField } from '../fields/schema.ts'

const StudentRow = z.object({
  id: z.string(),
  name: z.string(),
  formalName: z.string(),
  lastName: z.string(),
  firstName: z.string(),
  patronymic: z.string().nullable(),
  email: z.string(),
  phone: z.string().nullable(),
  status: z.enum(['unknown', 'accepted', 'invited', 'registered']),
  blockedAt: z.date().nullable(),
  deletedAt: z.date().nullable(),
  createdAt: z.date(),
  lastActiveAt: z.date().nullable(),
  progress: z.number().nullable(),
  overdueCount: z.number(),
  tags: z.array(z.string()),
  fields: z.record(z.string(), z.string()),
  courses: z.array(z.string()),
  courseCount: z.number(),
})

export const StudentPage = z.object({ items: z.array(StudentRow), next: z.string().nullable() })

const FilterOption = z.object({ id: z.string(), title: z.string() })

export const StudentFilterOptions = z.object({
  courses: z.array(FilterOption),
  groups: z.array(z.object({ id: z.string(), title: z.string(), course: z.string() })),
  tags: z.array(z.string()),
  fields: z.array(StudentField),
})

export const StudentView = z.object({ id: z.string(), name: z.string(), query: z.string() })
