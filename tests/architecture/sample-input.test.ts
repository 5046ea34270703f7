import { expect, test } from 'vitest'
import { z } from 'zod'
import { idFields, sampleOf, shapeOf } from './checks/sample-input.ts'

test('creates a small input that its schema accepts, with the requested ids', () => {
  const schema = z.object({
    courseId: z.uuid(),
    fileId: z.uuid().nullable().optional(),
    email: z.string().trim().pipe(z.email()),
    title: z.string().min(3),
    by: z.union([z.literal(-1), z.literal(1)]),
    status: z.enum(['draft', 'published']),
    version: z.number().int().min(4),
    note: z.string().optional(),
    lessonIds: z.array(z.uuid()).min(1),
  })
  const shape = shapeOf(schema)
  expect(idFields(shape)).toEqual(['courseId', 'fileId', 'lessonIds'])
  const id = '01a1fbd5-62d5-74da-a40b-871b635c14bf'
  const sample = sampleOf(shape, () => id)
  expect(sample).toEqual({
    courseId: id,
    fileId: id,
    email: 'somebody@elsewhere.test',
    title: 'aaa',
    by: -1,
    status: 'draft',
    version: 4,
    lessonIds: [id],
  })
  expect(schema.safeParse(sample).success).toBe(true)
})
