import { type SQL, sql } from 'drizzle-orm'
import { isReadable } from '#lib/chat/access.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { canReview } from '#lib/homework/review/rules.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { DEFAULT_ANSWER_HOURS } from './schema.ts'

/**
 * SQL of everything that waits for an answer and that the actor is responsible for, as `item`: conversations, threads
 * about submissions, submissions and attempts, bookings that are not confirmed, and tasks about students. An item disappears
 * when it is answered. Curators see their courses, mentors their sessions, and those of the members on vacation whom they
 * substitute for.
 */
export function waitingItems(actor: Actor): SQL {
  const promised = (answerBy: SQL | null, since: SQL) => {
    const byCourse = sql`${since} + make_interval(hours => coalesce(course.homework_sla_hours, school.hours))`
    return answerBy ? sql`coalesce(${answerBy}, ${byCourse})` : byCourse
  }
  const ofCourse = (column: SQL) => sql`left join course on course.tenant_id = current_tenant()
    and course.id = ${column} cross join school`
  const isOwn = (column: SQL) => inOwnCourses(actor, column)
  return sql`
    with school as (select coalesce((select answer_hours from inbox_setting where tenant_id = current_tenant()),
      ${DEFAULT_ANSWER_HOURS}) as hours),
    waiting as (
      select case when c.kind = 'lesson' then 'lesson' else 'chat' end as kind, c.id::text as key,
        c.id as conversation_id, null::uuid as task_id, null::uuid as student_id, null::uuid as work_id, c.course_id,
        c.waiting_since as since, ${promised(null, sql`c.waiting_since`)} as due, c.active_at as latest_at,
        case when c.kind = 'direct' then (select p.member_id from chat_member p join membership m
          on m.tenant_id = p.tenant_id and m.id = p.member_id and m.account_type <> 'ACCOUNT_TYPE_STUDENT'
          where p.tenant_id = c.tenant_id and p.conversation_id = c.id and p.is_participant limit 1) end as reviewer_id
      from chat_conversation c ${ofCourse(sql`c.course_id`)}
      where c.tenant_id = current_tenant() and c.waiting_since is not null and c.kind <> 'team' and ${isReadable(actor)}
      union all
      select 'thread', t.task_id || ':' || t.student_id, null, t.task_id, t.student_id, null, t.course_id,
        t.since, ${promised(null, sql`t.since`)}, t.latest_at, null
      from (select w.task_id, w.student_id, task.course_id, min(w.at) as since, max(w.at) as latest_at
        from homework_message w join task on task.tenant_id = w.tenant_id and task.id = w.task_id
        where w.tenant_id = current_tenant() and w.answered_at is null and w.author_id = w.student_id
          and ${isOwn(sql`task.course_id`)} group by w.task_id, w.student_id, task.course_id) t
        ${ofCourse(sql`t.course_id`)}
      union all
      select 'homework', s.id::text, null, s.task_id, s.student_id, s.id, s.course_id, s.submitted_at,
        ${promised(sql`s.answer_by`, sql`s.submitted_at`)}, s.submitted_at, s.assigned_to
      from submission s ${ofCourse(sql`s.course_id`)}
      where s.tenant_id = current_tenant() and s.state in ('submitted', 'in_review') and ${isOwn(sql`s.course_id`)}
      union all
      select 'test', s.attempt_id::text, null, s.quiz_id, s.student_id, s.attempt_id, s.course_id, s.submitted_at,
        ${promised(sql`s.answer_by`, sql`s.submitted_at`)}, s.submitted_at, s.assigned_to
      from quiz_review s ${ofCourse(sql`s.course_id`)}
      where s.tenant_id = current_tenant() and s.state = 'waiting' and ${isOwn(sql`s.course_id`)}
      union all
      select 'booking', b.id::text, null, null, b.student_id, b.id, null, b.since,
        least(b.since + make_interval(hours => school.hours), b.start_at), b.since, b.mentor_id
      from (${requestedBookings(actor)}) b cross join school
      union all
      select 'task', k.id::text, null, null, k.student_id, k.id, k.course_id, k.created_at,
        ${promised(null, sql`k.created_at`)}, k.created_at, null
      from inbox_task k ${ofCourse(sql`k.course_id`)}
      where k.tenant_id = current_tenant() and k.done_at is null and ${isOwn(sql`k.course_id`)}),
    item as materialized (
      select w.*, w.kind || '.' || w.key as ref, coalesce(i.assigned_to, w.reviewer_id) as assigned_to, i.snoozed_until,
        coalesce(i.snoozed_until > now() and w.latest_at <= i.snoozed_at, false) as is_snoozed
      from waiting w left join inbox_item i on i.tenant_id = current_tenant() and i.kind = w.kind and i.key = w.key)`
}

/**
 * The bookings that wait for a confirmation, since the student has booked or moved them, until the session ends: of all
 * mentors for managers, and of mentors their own ones, also as a deputy.
 */
function requestedBookings(actor: Actor): SQL {
  const isOwn = canReview(actor, false).allow
    ? sql`true`
    : hasRole(actor, ['MENTOR'])
      ? isActingAs(sql`s.mentor_id`, actor.membershipId)
      : sql`false`
  return sql`select b.id, b.student_id, s.mentor_id, s.start_at,
      coalesce((select max((h ->> 'at')::timestamptz) from jsonb_array_elements(b.history) h
        where h ->> 'by' = 'student' and h ->> 'action' in ('booked', 'moved')), b.created_at) as since
    from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
    where b.tenant_id = current_tenant() and b.state = 'requested' and s.end_at > now() and ${isOwn}`
}

/** The courses of a curator, also as a deputy; all for managers, none for mentors. */
function inOwnCourses(actor: Actor, column: SQL): SQL {
  if (canReview(actor, false).allow) return sql`true`
  if (!canReview(actor, true).allow) return sql`false`
  return sql`${column} in (select s.course_id from course_staff s where s.tenant_id = current_tenant()
    and ${isActingAs(sql`s.member_id`, actor.membershipId)})`
}

/** SQL of what the inbox shows of the rows `p` of `item`, in the order of their deadlines. */
export const shownItems = (page: SQL): SQL => sql`
  select p.ref, p.kind, p.key, (extract(epoch from p.since) * 1000000)::bigint::text as since, p.since as "sinceAt",
    p.due as "dueAt", (extract(epoch from p.due) * 1000000)::bigint::text as at, p.snoozed_until as "snoozedUntil",
    p.is_snoozed as "isSnoozed", p.conversation_id as "conversationId", p.task_id as "taskId", p.work_id as "workId",
    p.course_id as "courseId", course.title as course, lesson.title as lesson, g.name as "groupName",
    coalesce(task.title, quiz.title, program.title) as task, mentor_time.start_at as "startAt",
    coalesce(question.body, submission_message.body, left(todo.text, 300),
      left(booked.answers -> 0 ->> 'answer', 300), '') as excerpt, c.kind as "conversationKind",
    student.id as "studentId", ${personNameIn('su')} as student, su.first_name as "studentFirstName",
    su.patronymic as "studentPatronymic",
    case when assignee.id is not null then json_build_object('id', assignee.id, 'name', ${personNameIn('au')}) end as "assignedTo"
  from (${page}) p
    left join course on course.tenant_id = current_tenant() and course.id = p.course_id
    left join chat_conversation c on c.tenant_id = current_tenant() and c.id = p.conversation_id
    left join study_group g on g.tenant_id = current_tenant() and g.id = c.group_id
    left join task on p.kind in ('thread', 'homework') and task.tenant_id = current_tenant() and task.id = p.task_id
    left join quiz on p.kind = 'test' and quiz.tenant_id = current_tenant() and quiz.id = p.task_id
    left join lesson on lesson.tenant_id = current_tenant()
      and lesson.id = case when c.id is null then task.lesson_id else c.lesson_id end
    left join lateral (select left(w.body, 300) as body, w.author_id from chat_message w
      join membership m on m.tenant_id = w.tenant_id and m.id = w.author_id and m.account_type = 'ACCOUNT_TYPE_STUDENT'
      where w.tenant_id = current_tenant() and w.conversation_id = p.conversation_id and w.deleted_at is null
      order by w.seq desc limit 1) question on true
    left join lateral (select left(w.body, 300) as body from homework_message w where p.kind = 'thread'
      and w.tenant_id = current_tenant() and w.task_id = p.task_id and w.student_id = p.student_id
      and w.author_id = w.student_id order by w.at desc limit 1) submission_message on true
    left join inbox_task todo on p.kind = 'task' and todo.tenant_id = current_tenant() and todo.id = p.work_id
    left join booking booked on p.kind = 'booking' and booked.tenant_id = current_tenant() and booked.id = p.work_id
    left join mentor_session mentor_time on mentor_time.tenant_id = current_tenant() and mentor_time.id = booked.session_id
    left join mentor_program program on program.tenant_id = current_tenant() and program.id = mentor_time.program_id
    left join membership student on student.tenant_id = current_tenant()
      and student.id = case when p.student_id is null then question.author_id else p.student_id end
    left join "user" su on su.id = student.user_id
    left join membership assignee on assignee.tenant_id = current_tenant() and assignee.id = p.assigned_to
    left join "user" au on au.id = assignee.user_id
  order by p.due, p.ref`
