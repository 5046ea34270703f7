import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { MasterclassContent } from '#lib/masterclass/schema.ts'
import { WorkshopSettings } from '#lib/workshop/schema.ts'

export interface School {
  subdomain: string
  tenantId: string
  ownerToken: string
  studentToken: string
  /** A course and a lesson that the student has access to. */
  courseId: string
  lessonId: string
  /** The course of 300 lessons, a lesson in its middle, a student of it, and its published road map. */
  long: { courseId: string; lessonId: string; studentToken: string; roadmapId: string }
  /** A webinar with registration, and a masterclass. */
  events: { webinarId: string; masterclassId: string }
}

/**
 * Creates an owner, courses with lessons, and students with access to two of them, in the transaction of the caller,
 * who resets app.restoring.
 */
export async function makeStudents(
  client: pg.Client,
  { subdomain, courses, students }: { subdomain: string; courses: number; students: number },
): Promise<{ tenantId: string; ownerToken: string }> {
  const { rows } = await client.query<{ id: string }>('select time_ordered_id() as id')
  const tenantId = rows[0]?.id ?? ''
  await client.query("select set_config('app.tenant_id', $1, true)", [tenantId])
  await client.query('insert into tenant (id, subdomain, name) values ($1, $2, $3)', [
    tenantId,
    subdomain,
    'Школа вимірів',
  ])
  await client.query(
    `insert into subscription (tenant_id, id, "group", plan, period, next_payment)
      select $1, time_ordered_id(), g, 'max', 'month', now() + interval '30 days' from unnest(array['lms', 'workshop']) g`,
    [tenantId],
  )
  const ownerToken = await signIn(client, await makePerson(client, tenantId, `owner@${subdomain}.test`))
  await fill(client, COURSES, [tenantId, courses])
  await fill(client, LESSONS, [tenantId, JSON.stringify(LESSON)])
  await fill(client, STUDENTS, [tenantId, students, subdomain])
  await client.query("select set_config('app.restoring', 'on', true)")
  await fill(client, GRANTS, [tenantId, courses])
  return { tenantId, ownerToken }
}

/** Fills a school in bulk, as the application's role with row-level security, with correct counters. */
export async function makeSchool(
  client: pg.Client,
  size: { subdomain: string; courses: number; students: number },
): Promise<School> {
  const { subdomain, students } = size
  await client.query('begin')
  const { tenantId, ownerToken } = await makeStudents(client, size)
  await client.query('analyze')
  await fill(client, PROGRESS, [tenantId])
  await fill(client, LONG, [tenantId, JSON.stringify(LESSON)])
  await client.query('analyze')
  await fill(client, LONG_GRANTS, [tenantId, students / 2])
  await fill(client, LONG_PROGRESS, [tenantId])
  await fill(client, TASKS, [tenantId, JSON.stringify(INSTRUCTIONS)])
  await fill(client, WORKS, [tenantId, students / 2])
  await fill(client, ROADMAPS, [tenantId])
  const events = await makeEvents(client, tenantId)
  await fill(client, COUNTERS, [tenantId])
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('analyze')
  await fill(client, STUDENT_PROGRESS, [tenantId])
  const { rows: found } = await client.query<{ user_id: string; course_id: string; lesson_id: string }>(STUDYING, [
    tenantId,
  ])
  const [school] = found
  if (!school) throw new Error('no student has a course')
  const studentToken = await signIn(client, school.user_id)
  const long = await findLong(client, tenantId)
  await client.query('commit')
  return {
    subdomain,
    tenantId,
    ownerToken,
    studentToken,
    courseId: school.course_id,
    lessonId: school.lesson_id,
    long,
    events,
  }
}

async function findLong(client: pg.Client, tenantId: string): Promise<School['long']> {
  const { rows } = await client.query<Record<'user_id' | 'course_id' | 'lesson_id' | 'roadmap_id', string>>(
    STUDYING_LONG,
    [tenantId],
  )
  const [row] = rows
  if (!row) throw new Error('no student has the long course')
  const studentToken = await signIn(client, row.user_id)
  return { courseId: row.course_id, lessonId: row.lesson_id, studentToken, roadmapId: row.roadmap_id }
}

async function makeEvents(client: pg.Client, tenantId: string): Promise<School['events']> {
  const line = (title: string) => ({ title, text: 'Коротко про те, що буде в цій частині й навіщо вона.' })
  const content = MasterclassContent.parse({
    lead: 'Дві короткі частини: дихання й опора, а потім дикція та паузи.',
    audience: ['Викладачам', 'Ведучим', 'Усім, хто говорить на камеру'],
    results: ['Розминка', 'План пауз'],
    program: Array.from({ length: 8 }, (_, n) => line(`Крок ${n + 1}`)),
    faq: Array.from({ length: 5 }, (_, n) => line(`Запитання ${n + 1}?`)),
    parts: [1, 2, 3].map((n) => ({ id: `part-${n}`, title: `День ${n}` })),
  })
  const settings = JSON.stringify(WorkshopSettings.parse({}))
  const { rows } = await client.query<{ id: string; type: string }>(EVENTS, [tenantId, settings])
  const idOf = (type: string) => rows.find((row) => row.type === type)?.id ?? ''
  await fill(client, MASTERCLASS, [tenantId, idOf('masterclass'), JSON.stringify(content)])
  return { webinarId: idOf('webinar'), masterclassId: idOf('masterclass') }
}

const EVENTS = `
  with made as (
    insert into workshop (tenant_id, id, type, title, description, time_zone, start_at, publication, published_at, settings,
      created_by)
    select $1::uuid, time_ordered_id(), t, 'Як утримати увагу годину', 'Розбираємо ефір по хвилинах, від першого слова до останнього.',
      'Europe/Kyiv', case when t = 'webinar' then now() + interval '3 days' end, 'published', now(), $2::jsonb, m.id
    from unnest(array['webinar', 'masterclass']) t, (
      select id from membership where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1) m
    returning tenant_id, id, type, start_at),
  sessions as (
    insert into workshop_session (tenant_id, id, workshop_id, kind, start_at, planned_minutes, state)
    select tenant_id, time_ordered_id(), id, case type when 'webinar' then 'live' else 'onDemand' end, start_at, 60, '{}' from made)
  select id, type from made`

const MASTERCLASS = `
  insert into masterclass (tenant_id, workshop_id, content) values ($1::uuid, $2::uuid, $3::jsonb)`

const TITLE = `'Курс ' || n || ': перший вебінар без хвилювання'`

const COURSES = `
  with made as (
    insert into course (tenant_id, id, title, slug, short_description, status, published_at, updated_at)
    select $1::uuid, time_ordered_id(), ${TITLE}, 'kurs-' || n,
      'Як підготувати, провести й розібрати подію, про яку розкажуть далі.', 'published', now(),
      now() - n * interval '1 minute'
    from generate_series(1, $2::int) n returning tenant_id, id)
  insert into course_module (tenant_id, id, course_id, title, position)
  select tenant_id, time_ordered_id(), id, 'Модуль ' || n, n from made, generate_series(1, 2) n`

const LESSONS = `
  insert into lesson (tenant_id, id, course_id, module_id, title, position, blocks, words,
    published_title, published_blocks, published_version, published_at)
  select tenant_id, time_ordered_id(), course_id, id, 'Урок ' || n, n, $2::jsonb, 200, 'Урок ' || n, $2::jsonb, 1, now()
  from course_module, generate_series(1, 5) n where tenant_id = $1::uuid`

const STUDENTS = `
  with people as (
    insert into "user" (id, email, email_verified_at, first_name, last_name)
    select time_ordered_id(), 'student-' || n || '@' || $3::text || '.test', now(), 'Олена', 'Коваль ' || n
    from generate_series(1, $2::int) n returning id)
  insert into membership (tenant_id, id, user_id, account_type, roles, status, accepted_at)
  select $1::uuid, time_ordered_id(), id, 'ACCOUNT_TYPE_STUDENT', '{STUDENT}', 'accepted', now() from people`

const GRANTS = `
  with student as (
      select id, row_number() over () as n from membership
      where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_STUDENT'),
    numbered as (select array_agg(id) as ids from course where tenant_id = $1::uuid)
  insert into access_grant (tenant_id, id, student_id, course_id, source_type)
  select $1::uuid, time_ordered_id(), student.id, numbered.ids[1 + (student.n + k * 2) % $2::int], 'invite'
  from student, numbered, generate_series(0, 1) k`

const PROGRESS = `
  insert into lesson_progress (tenant_id, student_id, lesson_id, course_id, opened_at, last_opened_at, completed_at)
  select g.tenant_id, g.student_id, l.id, l.course_id, at, at, case when l.position = 1 then at end
  from access_grant g join lesson l on l.tenant_id = g.tenant_id and l.course_id = g.course_id and l.position <= 2,
    lateral (select now() - random() * interval '60 days' as at, g.id) moment
  where g.tenant_id = $1::uuid`

/** A course of ten modules of thirty lessons. */
const LONG = `
  with long as (
    insert into course (tenant_id, id, title, slug, short_description, status, published_at, updated_at)
    values ($1::uuid, time_ordered_id(), 'Довгий курс', 'dovhyi-kurs', 'Триста уроків.', 'published', now(), now())
    returning tenant_id, id),
  parts as (
    insert into course_module (tenant_id, id, course_id, title, position)
    select tenant_id, time_ordered_id(), id, 'Частина ' || n, n from long, generate_series(1, 10) n
    returning tenant_id, id, course_id, position)
  insert into lesson (tenant_id, id, course_id, module_id, title, position, blocks, words, task_count,
    published_title, published_blocks, published_version, published_at)
  select tenant_id, time_ordered_id(), course_id, id, 'Урок ' || (position - 1) * 30 + n, n, $2::jsonb, 200, (n % 10 = 0)::int,
    'Урок ' || (position - 1) * 30 + n, $2::jsonb, 1, now()
  from parts, generate_series(1, 30) n`

const LONG_COURSE = `select id from course where tenant_id = $1::uuid and slug = 'dovhyi-kurs'`

const LONG_GRANTS = `
  insert into access_grant (tenant_id, id, student_id, course_id, source_type)
  select $1::uuid, time_ordered_id(), s.id, c.id, 'invite' from (${LONG_COURSE}) c, lateral (
    select id from membership where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_STUDENT'
    order by id limit $2::int) s`

/** With the other courses about fifty rows per student: a million in a school of 20,000. */
const LONG_PROGRESS = `
  with first as (
    select l.id, l.course_id, l.tenant_id, row_number() over (order by m.position, l.position) as n
    from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.tenant_id = $1::uuid and l.course_id = (${LONG_COURSE}))
  insert into lesson_progress (tenant_id, student_id, lesson_id, course_id, opened_at, last_opened_at, completed_at)
  select f.tenant_id, g.student_id, f.id, f.course_id, at, at, case when f.n < 90 then at + interval '20 minutes' end
  from access_grant g join first f on f.course_id = g.course_id and f.n <= 94,
    lateral (select now() - (200 - f.n) * interval '8 hours' as at, g.id) moment
  where g.tenant_id = $1::uuid`

const TASKS = `
  insert into task (tenant_id, id, course_id, lesson_id, title, instructions)
  select tenant_id, time_ordered_id(), course_id, id, 'Завдання до уроку ' || position, $2::jsonb
  from lesson where tenant_id = $1::uuid and task_count > 0`

/** Each student of the long course has three submissions: one is waiting, one was returned, one is accepted. */
const WORKS = `
  with student as (
      select student_id as id from access_grant where tenant_id = $1::uuid and course_id = (${LONG_COURSE})
      order by student_id limit $2::int),
    chosen as (select *, row_number() over (order by id) as n from task where tenant_id = $1::uuid limit 3)
  insert into submission (tenant_id, id, task_id, course_id, lesson_id, student_id, state, text, submitted_at, answer_by,
    reviewed_by, reviewed_at)
  select chosen.tenant_id, time_ordered_id(), chosen.id, chosen.course_id, chosen.lesson_id, student.id,
    (array['submitted', 'returned', 'accepted'])[chosen.n], 'Моя відповідь.', at, at + interval '48 hours',
    case when chosen.n > 1 then owner.id end, case when chosen.n > 1 then at + interval '20 hours' end
  from chosen, student, lateral (select now() - random() * interval '30 days' as at, student.id) moment,
    (select id from membership where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1) owner`

const ROADMAPS = `
  insert into roadmap (tenant_id, id, course_id, title, intro, visibility, stages, published_at)
  select $1::uuid, time_ordered_id(), c.id, 'Довгий шлях', 'Від першого уроку до останнього.', 'public', (
    select jsonb_agg(jsonb_build_object('title', m.title, 'period', 'тиждень ' || m.position, 'text', '', 'items', (
      select jsonb_agg(jsonb_build_object('type', 'lesson', 'refId', l.id, 'title', l.title, 'description', '',
        'duration', '', 'optional', false) order by l.position)
      from lesson l where l.tenant_id = $1::uuid and l.module_id = m.id)) order by m.position)
    from course_module m where m.tenant_id = $1::uuid and m.course_id = c.id), now()
  from (${LONG_COURSE}) c`

const STUDYING_LONG = `
  select m.user_id, g.course_id, r.id as roadmap_id, l.id as lesson_id from access_grant g
  join membership m on m.tenant_id = g.tenant_id and m.id = g.student_id
  join roadmap r on r.tenant_id = g.tenant_id and r.course_id = g.course_id
  join course_module d on d.tenant_id = g.tenant_id and d.course_id = g.course_id and d.position = 3
  join lesson l on l.tenant_id = g.tenant_id and l.module_id = d.id and l.position = 15
  where g.tenant_id = $1::uuid and g.course_id = (${LONG_COURSE}) order by g.student_id limit 1`

const COUNTERS = `
  with lessons as (select course_id, count(*) as many from lesson where tenant_id = $1::uuid group by course_id),
    students as (
      select course_id, count(distinct student_id) as many from access_grant where tenant_id = $1::uuid group by course_id)
  update course c set lesson_count = lessons.many, published_lesson_count = lessons.many, student_count = students.many
  from lessons, students where c.tenant_id = $1::uuid and lessons.course_id = c.id and students.course_id = c.id`

/**
 * Executed separately: in one statement with the rows the triggers would plan without statistics and take half an hour.
 */
const STUDENT_PROGRESS = `
  select refresh_student_progress(array_agg(id))
  from (select id, row_number() over (order by id) / 200 as part from student where tenant_id = $1::uuid) s group by part`

const STUDYING = `
  select m.user_id, g.course_id, l.id as lesson_id from access_grant g
  join membership m on m.tenant_id = g.tenant_id and m.id = g.student_id
  join lesson l on l.tenant_id = g.tenant_id and l.course_id = g.course_id
  where g.tenant_id = $1::uuid limit 1`

const SENTENCE = 'Добра подія починається з одного речення: що людина зможе зробити завтра, чого не могла вчора. '
const LESSON = {
  type: 'doc',
  content: Array.from({ length: 20 }, (_, n) =>
    n % 5 === 0
      ? { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: `Крок ${n / 5 + 1}` }] }
      : { type: 'paragraph', content: [{ type: 'text', text: SENTENCE.repeat(3).trim() }] },
  ),
}

const INSTRUCTIONS = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: SENTENCE.trim() }] }],
}

async function fill(client: pg.Client, text: string, values: unknown[]): Promise<void> {
  const { rowCount } = await client.query(text, values)
  if (!rowCount) throw new Error(`nothing was written by ${text.slice(0, 60)}`)
}

async function makePerson(client: pg.Client, tenantId: string, email: string): Promise<string> {
  const { rows } = await client.query<{ user_id: string }>(
    `with person as (
      insert into "user" (id, email, email_verified_at, first_name, last_name)
      values (time_ordered_id(), $2, now(), 'Ірина', 'Бондар') returning id)
    insert into membership (tenant_id, id, user_id, account_type, roles, status, accepted_at)
    select $1::uuid, time_ordered_id(), id, 'ACCOUNT_TYPE_PRODUCT_OWNER', '{OWNER}', 'active', now() from person
    returning user_id`,
    [tenantId, email],
  )
  return rows[0]?.user_id ?? ''
}

export async function signIn(client: pg.Client, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await client.query(
    `insert into session (token_hash, id, user_id, expires_at, ip, user_agent)
      values ($1, time_ordered_id(), $2, now() + interval '7 days', '127.0.0.1', 'bench')`,
    [createHash('sha256').update(token).digest(), userId],
  )
  return token
}
