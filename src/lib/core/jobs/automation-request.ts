import { type SQL, sql } from 'drizzle-orm'
import { enqueueJobsWithCommit } from './jobs.ts'

/** What has just happened; see `AUTOMATION_TRIGGERS`. The other triggers depend on the time only. */
export type AutomationEvent = 'courseJoined' | 'testFailed' | 'courseCompleted' | 'eventMissed'

/** Whom and what an event concerns. */
export interface AutomationSubject {
  /** Null: all students of the subject. */
  studentId: string | null
  /** The course; of `testFailed` the test, of `eventMissed` the session of the event. */
  subjectId: string
}

/** Jobs that an earlier version has added have no subject and no delay. */
export interface AutomationRequest extends Partial<AutomationSubject> {
  tenantId: string
  event: AutomationEvent
  /** The job is for the automations with this delay. */
  delayHours?: number
}

/**
 * Lets the automations of a school act on what happens in the surrounding transaction: a job for each delay of the enabled
 * automations of this event, which runs after the commit or when the delay has passed; none without such automations. One
 * statement with the commit, without a further round trip. A job that is lost is made up for by the periodic job.
 */
export function requestAutomations(
  tenantId: string,
  event: AutomationEvent,
  { studentId, subjectId }: AutomationSubject,
): Promise<void> {
  const request: AutomationRequest = { tenantId, event, studentId, subjectId }
  // A second request without a delay is the same job while the first one waits.
  const key = [tenantId, event, subjectId, studentId ?? 'all'].join('/')
  return enqueueJobsWithCommit(
    'automation.react',
    { ...request },
    {
      text: `select jsonb_build_object('delayHours', d.delay_hours) as data,
          make_interval(hours => d.delay_hours)::text as delay,
          case when d.delay_hours = 0 then $2 else gen_random_uuid()::text end as key
        from (select distinct a.delay_hours from automation a where ${IS_ENABLED} and a.trigger = $3
          and ${CONDITIONS[event]}) d`,
      values: [key, event, subjectId],
    },
  )
}

/**
 * SQL of whether the school has an enabled automation of an event, for statements that can tell it in addition to something
 * else; without one `requestAutomations` need not be called.
 */
export const hasAutomations = (event: AutomationEvent): SQL =>
  sql`exists (select from automation a where ${sql.raw(IS_ENABLED)} and a.trigger = ${event})`

const IS_ENABLED = 'a.tenant_id = current_tenant() and a.on_since is not null and a.deleted_at is null'

const OF_COURSE = '(a.course_id is null or a.course_id = $4::uuid)'

/** Which automations `a` an event concerns; `$4` is its subject, and `$1` the request. */
const CONDITIONS: Record<AutomationEvent, string> = {
  courseJoined: OF_COURSE,
  courseCompleted: `${OF_COURSE} and exists (select from course_progress p
    join course c on c.tenant_id = p.tenant_id and c.id = p.course_id
    where p.tenant_id = current_tenant() and p.course_id = $4::uuid and p.student_id = ($1::jsonb #>> '{0,data,studentId}')::uuid
      and c.published_lesson_count > 0 and p.completed >= c.published_lesson_count)`,
  testFailed: `(a.course_id is null or a.course_id = (select q.course_id from quiz q
    where q.tenant_id = current_tenant() and q.id = $4::uuid))`,
  eventMissed: '$4::uuid is not null',
}
