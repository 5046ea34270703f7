import { eq, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canStudy } from '#lib/course/rules.ts'
import { type LessonTest, loadOwnTests, type TestProgress } from '#lib/quiz/progress/lesson-tests.ts'
import type { RoadmapStage } from './schema.ts'
import { roadmap } from './table.ts'

type ProgressState = 'done' | 'started' | 'ahead'

export interface RoadmapProgress {
  /** By the id of the course, module, lesson or test of a stop; others are omitted. */
  marks: Record<string, ProgressState>
  done: number
  total: number
  /** The lesson or test to resume, on the students' host; null when all is done or the student has no access. */
  continueHref: string | null
}

/** Progress of the student on a published road map; three statements. Refuses with forbidden, not_found. */
export async function getProgress(actor: Actor, input: { roadmapId: string }): Promise<RoadmapProgress> {
  if (!canStudy(actor).allow) throw new Refusal('forbidden')
  const { roadmapId } = input
  return inTenant(actor, async (tx) => {
    const { stages, showProgress, publishedAt } = roadmap
    const [map] = await tx.select({ stages, showProgress, publishedAt }).from(roadmap).where(eq(roadmap.id, roadmapId))
    if (!map?.publishedAt) throw new Refusal('not_found')
    const refs = map.showProgress ? listRefIds(map.stages) : []
    if (refs.length === 0) return NO_PROGRESS
    const anyRef = sql`any(${sql.param(refs)}::uuid[])`
    const lessons = tx.execute<LessonRow>(sql`
      select l.id, l.module_id as "moduleId", l.course_id as "courseId",
          p.completed_at is not null as done, p.opened_at is not null as opened
        from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        left join lesson_progress p on p.tenant_id = l.tenant_id and p.lesson_id = l.id
          and p.student_id = ${actor.membershipId}
       where (l.id = ${anyRef} or l.module_id = ${anyRef} or l.course_id = ${anyRef})
         and l.published_version is not null and not l.hidden and not m.hidden
         and l.deleted_at is null and m.deleted_at is null
         and exists (select 1 from enrolled_grants() g where g.course_id = l.course_id
           and g.student_id = ${actor.membershipId})
       order by m.position, m.id, l.position, l.id`)
    const [{ rows }, tests] = await Promise.all([
      lessons,
      loadOwnTests(tx, { quizIds: listRefIds(map.stages, 'test'), studentId: actor.membershipId }),
    ])
    return summarizeProgress(map.stages, rows, tests)
  })
}

// A type, because the driver requires an index signature.
type LessonRow = { id: string; moduleId: string; courseId: string; done: boolean; opened: boolean }

const NO_PROGRESS: RoadmapProgress = { marks: {}, done: 0, total: 0, continueHref: null }

/** The ids that stops refer to, in their order; those of a type, or all. */
const listRefIds = (stages: readonly RoadmapStage[], type?: RoadmapStage['items'][number]['type']): string[] => [
  ...new Set(
    stages.flatMap(({ items }) =>
      items.flatMap((item) => (type === undefined || item.type === type ? (item.refId ?? []) : [])),
    ),
  ),
]

const TEST_MARKS: Record<TestProgress, ProgressState> = {
  notStarted: 'ahead',
  running: 'started',
  submitted: 'started',
  failed: 'started',
  passed: 'done',
}

function summarizeProgress(
  stages: readonly RoadmapStage[],
  lessons: readonly LessonRow[],
  tests: readonly LessonTest[],
): RoadmapProgress {
  const marks: Record<string, ProgressState> = {}
  let nextPath: string | null = null
  for (const ref of listRefIds(stages)) {
    const test = tests.find(({ id, isOpen }) => id === ref && isOpen)
    if (test) {
      marks[ref] = TEST_MARKS[test.progress]
      // An attempt that waits for its review leaves nothing to do.
      if (test.progress !== 'passed' && test.progress !== 'submitted') nextPath ??= `/test/${ref}`
      continue
    }
    const refLessons = lessons.filter(
      (lesson) => lesson.id === ref || lesson.moduleId === ref || lesson.courseId === ref,
    )
    if (refLessons.length === 0) continue
    marks[ref] = refLessons.every((lesson) => lesson.done)
      ? 'done'
      : refLessons.some((lesson) => lesson.opened)
        ? 'started'
        : 'ahead'
    const next = refLessons.find((lesson) => !lesson.done)
    if (next) nextPath ??= `/course/lesson/${next.id}`
  }
  const states = Object.values(marks)
  const done = states.filter((mark) => mark === 'done').length
  return {
    marks,
    done,
    total: states.length,
    continueHref: nextPath && addressOf('go', nextPath),
  }
}
