import type pg from 'pg'
import { makeStudents } from '../schools.ts'

/** A school whose students differ in status, courses, group, tags, progress, activity and overdue homework. */
export interface StudentSchool {
  size: number
  subdomain: string
  ownerToken: string
  /** A course of one student in twenty-five, and a group of one in fifty; more of a small school. */
  courseId: string
  groupId: string
  studentId: string
}

/**
 * Fills a school with students in bulk. Rare values have at least sixty students, so that they fill a page of the list.
 */
export async function makeStudentSchool(
  client: pg.Client,
  subdomain: string,
  students: number,
): Promise<StudentSchool> {
  await client.query('begin')
  const { tenantId, ownerToken } = await makeStudents(client, { subdomain, courses: 50, students })
  await client.query('analyze')
  // One student in `rarest` has a rare value.
  const rarest = Math.min(500, Math.floor(students / 60))
  for (const text of [FACTS, TAGS]) await client.query(text, [tenantId, rarest])
  await client.query(PEOPLE, [tenantId, rarest, LAST_NAMES, FIRST_NAMES])
  await client.query(STUDENT_NAMES, [tenantId])
  const idOf = async (text: string, ...values: string[]) => {
    const { rows } = await client.query<{ id: string }>(text, [tenantId, ...values])
    return rows[0]?.id ?? ''
  }
  const courseId = await idOf('select id from course where tenant_id = $1 order by id limit 1')
  const groupId = await idOf(GROUP, courseId)
  await client.query(GROUP_GRANTS, [tenantId, courseId, groupId, rarest])
  await client.query(COURSE_GRANTS, [tenantId, courseId, rarest])
  const studentId = await idOf('select id from student where tenant_id = $1 order by id offset 7 limit 1')
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('commit')
  await client.query('vacuum analyze')
  return { size: students, subdomain, ownerToken, courseId, groupId, studentId }
}

const NUMBERED = `select id, user_id, row_number() over (order by md5(id::text)) as n from student where tenant_id = $1::uuid`

const FACTS = `
  update student s set
    status = case when f.n % least(200, $2::int) = 7 then 'unknown' when f.n % 20 = 1 then 'registered' when f.n % 5 = 2 then 'invited'
      else 'accepted' end,
    blocked_at = case when f.n % least(200, $2::int) = 0 then now() end,
    deleted_at = case when f.n % 500 = 1 then now() end,
    progress = case when f.n % 40 = 0 then null when f.n % 7 = 0 then 0 when f.n % least(100, $2::int) = 3 then 100 else (f.n * 37) % 100 end,
    last_active_at = case when f.n % 9 > 0 then now() - (f.n * 7919 % 120) * interval '1 day' - f.n * interval '1 second' end,
    overdue_count = case when f.n % least(50, $2::int) = 2 then 1 + f.n % 3 else 0 end,
    created_at = now() - (f.n * 104729 % 900000) * interval '1 minute'
  from (${NUMBERED}) f where s.tenant_id = $1::uuid and s.id = f.id`

const TAGS = `
  insert into student_tag (tenant_id, student_id, tag)
  select $1::uuid, id, t.tag from (${NUMBERED}) f,
    lateral (values ('VIP', 500), ('борг', 50), ('осінь', 2)) t (tag, part) where f.n % least(t.part, $2::int) = 7 % least(t.part, $2::int)`

const LAST_NAMES = [
  'Коваль',
  'Бондар',
  'Шевчук',
  'Їжакевич',
  'Ткач',
  'Мельник',
  'Лисенко',
  'Ґава',
  'Петренко',
  'Савчук',
  'Гнатюк',
  'Кравець',
  'Олійник',
  'Поліщук',
  'Руденко',
  'Мороз',
  'Марченко',
  'Левчук',
  'Дяченко',
  'Іваненко',
  'Захарчук',
  'О’Коннор',
  'Єременко',
  'Жук',
  'Цимбал',
  'Хоменко',
  'Юрченко',
  'Яременко',
  'Щербак',
  'Федоренко',
  'Власенко',
]
const FIRST_NAMES = [
  'Олена',
  'Іван',
  'Ганна',
  'Андрій',
  'Марія',
  'Богдан',
  'Віра',
  'Дмитро',
  'Єва',
  'Захар',
  'Ірина',
  'Кирило',
  'Любов',
  'Максим',
  'Надія',
  'Остап',
  'Павло',
  'Роман',
  'Соломія',
  'Тарас',
  'Уляна',
  'Федір',
  'Христина',
  'Яна',
]

/**
 * Every third student of a small school and every thirty-first of a large one has the first last name, and a third or a
 * twenty-fourth of them the first first name: both searches fill a page.
 */
const PEOPLE = `
  update "user" u set phone = '+38067' || lpad((f.n % 10000000)::text, 7, '0'),
    last_name = ($3::text[])[1 + f.n % case when $2::int < 31 then 3 else 31 end],
    first_name = ($4::text[])[1 + (f.n / case when $2::int < 31 then 3 else 31 end) % case when $2::int < 31 then 3 else 24 end]
  from (${NUMBERED}) f where f.user_id = u.id`

/** A restore copies the rows of students too, so that no trigger has done it. */
const STUDENT_NAMES = `
  update student s set name = trim(u.first_name || ' ' || u.last_name), phone = u.phone
  from "user" u where u.id = s.user_id and s.tenant_id = $1::uuid`

const GROUP = `
  insert into study_group (tenant_id, id, course_id, name, start_at)
  values ($1::uuid, time_ordered_id(), $2::uuid, 'Група', now()) returning id`

const GROUP_GRANTS = `
  insert into access_grant (tenant_id, id, student_id, course_id, source_type, source_id)
  select $1::uuid, time_ordered_id(), f.id, $2::uuid, 'group', $3::uuid from (${NUMBERED}) f where f.n % least(50, $4::int) = 1
  on conflict do nothing`

const COURSE_GRANTS = `
  insert into access_grant (tenant_id, id, student_id, course_id, source_type)
  select $1::uuid, time_ordered_id(), f.id, $2::uuid, 'invite' from (${NUMBERED}) f where f.n % least(25, $3::int) = 4
  on conflict do nothing`
