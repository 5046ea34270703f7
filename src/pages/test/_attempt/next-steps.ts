import { getOwnCertificate } from '#lib/certificate/issue/claim.ts'
import { loadTogether } from '#lib/core/http/load-together.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { viewCourse } from '#lib/course/learning/my-courses.ts'

/** The next steps of a student after a passed test: the next lesson, and the certificate when it is earned. */
export async function loadNextSteps(
  actor: Actor,
  { courseId, t }: { courseId: string; t: Translate },
): Promise<{ label: string; href: string }[]> {
  const [{ resumeLessonId }, own] = await loadTogether(actor, () => [
    viewCourse(actor, { courseId }),
    getOwnCertificate(actor, { courseId }),
  ])
  const hasCertificate = own !== null && own.missing.length === 0
  return [
    ...(resumeLessonId ? [{ label: t('attempt:result.nextLesson'), href: `/course/lesson/${resumeLessonId}` }] : []),
    ...(hasCertificate
      ? [{ label: t('attempt:result.certificate'), href: `/course/view/${courseId}#certificate` }]
      : []),
  ]
}
