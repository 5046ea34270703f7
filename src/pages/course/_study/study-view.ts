import type { LessonPageProps } from '#islands/course/learning/lesson-page-props.ts'
import { stringsFor } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { openLesson } from '#lib/course/learning/open-lesson.ts'

type Opened = Awaited<ReturnType<typeof openLesson>>

/** The data of a lesson for its scripts. */
export function studyView(
  actor: Actor,
  locale: Locale,
  { lesson, course }: Opened,
  { parts, completion, watched, note }: NonNullable<Opened['content']>,
): LessonPageProps {
  const durations = parts.flatMap((part) => (part.kind === 'media' ? [[part.fileId, part.view.duration] as const] : []))
  return {
    lessonId: lesson.id,
    courseId: course.id,
    title: lesson.title,
    owner: actor.membershipId,
    mode: completion.mode,
    percent: completion.missing?.kind === 'watched' ? completion.missing.percent : 0,
    done: lesson.completedAt !== null,
    watched,
    videos: Object.fromEntries(durations),
    note,
    locale,
    timeZone: actor.timeZone,
    strings: words(locale),
  }
}

const NEEDED = /^(study:(video\.need|next\.offer|offline|note\.(draft|conflict))|shell:save)/

function words(locale: Locale): Strings {
  const all = Object.entries(stringsFor(locale, 'study', 'shell'))
  return Object.fromEntries(all.filter(([key]) => NEEDED.test(key)))
}
