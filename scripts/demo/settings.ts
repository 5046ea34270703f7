import type { Actor } from '#lib/core/shared/actor.ts'
import { updateCourse } from '#lib/course/settings.ts'
import type { UpdateCourse } from '#lib/course/settings-schema.ts'

const SAID = {
  webinar: {
    category: 'Вебінари',
    tags: ['ефір', 'вебінар', 'для початківців'],
    homeworkSlaHours: 48,
    seoTitle: 'Перший вебінар: курс школи «Лекторій»',
    seoDescription: 'Від задуму до запису за одинадцять уроків.',
  },
  voice: { category: 'Голос і сцена', tags: ['голос', 'дихання'], estimatedMinutes: 90 },
  phone: { category: 'Відео', tags: ['телефон', 'запис'] },
} satisfies Record<string, Omit<UpdateCourse, 'courseId'>>

/** The settings of the demo school's courses. */
export async function setCourses(author: Actor, courses: Record<keyof typeof SAID, { courseId: string }>) {
  for (const name of ['webinar', 'voice', 'phone'] as const) {
    await updateCourse(author, { ...SAID[name], courseId: courses[name].courseId })
  }
}
