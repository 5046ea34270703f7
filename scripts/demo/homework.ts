import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { SaveSnippet } from '#lib/homework/review/schema.ts'
import { saveSnippet } from '#lib/homework/review/snippet.ts'
import { submission, submissionEvent } from '#lib/homework/table.ts'
import { updateLessonState } from '#lib/homework/task/lesson-state.ts'
import type { TaskText } from '#lib/homework/task/schema.ts'
import { addTask, listTasks, saveTask } from '#lib/homework/task/task.ts'
import { membership, user } from '#lib/user/table.ts'
import { handout } from './files/handout.ts'
import { keep, poster } from './files/shelf.ts'
import type { DemoSchool } from './school.ts'

const HOUR = 3_600_000

interface Staff {
  school: DemoSchool
  expert: Actor
  curator: Actor
}

/** An attempt of the demo; ages in hours. */
interface Demo {
  who: string
  text: string
  ago: number
  state?: 'submitted' | 'in_review' | 'accepted' | 'returned' | 'rejected'
  attempt?: number
  /** Hours between submission and review. */
  judged?: number
  feedback?: string
  score?: number
  late?: boolean
  assigned?: boolean
  file?: 'picture' | 'pdf'
}

const SENTENCES: Demo[] = [
  {
    who: 'bohdan.marchenko',
    text: 'Мій вебінар допоможе вчителям фізики провести дослід без лабораторії.',
    ago: 480,
    state: 'accepted',
    judged: 7,
    feedback: 'Чітко: видно і слухача, і користь. Так і залишайте.',
  },
  {
    who: 'halyna.petrenko',
    text: 'Після вебінару ви самі порахуєте собівартість торта.',
    ago: 430,
    state: 'accepted',
    judged: 20,
    feedback: 'Чудово, обіцянка конкретна.',
  },
  {
    who: 'andrii.kovalenko',
    text: 'Я розповім про інвестиції.',
    ago: 80,
    state: 'returned',
    judged: 12,
    feedback: 'Поки не видно, для кого це і що людина зможе зробити після ефіру. Додайте слухача й дію.',
  },
  {
    who: 'yaroslava.melnyk',
    text: 'Вебінар про сон.',
    ago: 120,
    state: 'returned',
    judged: 10,
    feedback: 'Кому саме і що зміниться? Спробуйте ще раз.',
  },
  {
    who: 'yaroslava.melnyk',
    text: 'Молоді батьки за годину складуть план сну для дитини до року.',
    ago: 5,
    attempt: 2,
  },
  { who: 'vasyl.hrytsenko', text: 'Розкажу фермерам, як подати заявку на грант за один вечір.', ago: 63, late: true },
  { who: 'sofiia.oliinyk', text: 'Показую афішу: на ній і є моє речення.', ago: 30, file: 'picture' },
  {
    who: 'kateryna.moroz',
    text: 'Текст із чужої сторінки.',
    ago: 200,
    state: 'rejected',
    judged: 30,
    feedback: 'Це текст іншого вебінару. Напишіть, будь ласка, свій.',
  },
  { who: 'roman.yatsenko', text: 'Керамісти-початківці зліплять першу чашку разом зі мною.', ago: 3 },
  { who: 'mykola.danyliuk', text: 'Бухгалтери малих фірм закриють квартал без помилок.', ago: 26, state: 'in_review' },
  {
    who: 'student',
    text: 'Вебінар про те, як вести вебінари.',
    ago: 40,
    state: 'returned',
    judged: 6,
    feedback: 'Тема жива, але слухач ще не видимий. Допишіть, хто він і що зможе після ефіру.',
  },
]

const PLANS: Demo[] = [
  {
    who: 'bohdan.marchenko',
    text: '0–5 привітання; 5–25 дослід; 25–45 разом; 45–60 запитання.',
    ago: 440,
    state: 'accepted',
    judged: 9,
    score: 9,
    feedback: 'Рівний ритм, запитання на місці.',
  },
  { who: 'halyna.petrenko', text: 'План у файлі.', ago: 21, assigned: true, file: 'pdf' },
  { who: 'kateryna.moroz', text: '0–10 знайомство, 10–50 теорія, 50–60 запитання.', ago: 2 },
  {
    who: 'andrii.kovalenko',
    text: 'Година лекції.',
    ago: 60,
    state: 'returned',
    judged: 8,
    score: 3,
    feedback: 'Година без жодної дії слухача. Розбийте на частини по 10 хвилин.',
  },
]

const RUBRIC = [
  {
    id: 'rhythm',
    title: 'Ритм',
    levels: [
      ['Без поділу', 0],
      ['Є частини', 3],
      ['Зміна кожні 10 хвилин', 5],
    ],
  },
  {
    id: 'people',
    title: 'Участь слухачів',
    levels: [
      ['Лише слухають', 0],
      ['Запитання в кінці', 3],
      ['Діють упродовж ефіру', 5],
    ],
  },
] as const

/**
 * Homework in every state: two tasks; submissions that are waiting, were late or were returned; and snippets of the
 * reviewers.
 */
export async function fillHomework(staff: Staff, course: { courseId: string; lessonIds: string[] }): Promise<void> {
  const [first, second] = course.lessonIds
  if (!first || !second) return
  const sentence = await give(staff.expert, first, {
    title: 'Одне речення про ваш вебінар',
    instructions: words(
      'Напишіть одним реченням, хто прийде на ваш вебінар і що зможе зробити після нього. Можна додати афішу.',
    ),
    slaHours: 48,
  })
  const plan = await give(staff.expert, second, {
    title: 'План на годину',
    instructions: words('Складіть похвилинний план. Оцінюємо ритм і те, що роблять слухачі.'),
    grading: 'points',
    maxPoints: 10,
    passPoints: 6,
    slaHours: 24,
    rubric: RUBRIC.map(({ id, title, levels }) => ({
      id,
      title,
      levels: levels.map(([name, points]) => ({ title: name, text: '', points })),
    })),
  })
  for (const submission of SENTENCES) await handIn(staff, { ...course, lessonId: first, taskId: sentence }, submission)
  for (const submission of PLANS) await handIn(staff, { ...course, lessonId: second, taskId: plan }, submission)
  await saveSnippet(
    staff.curator,
    SaveSnippet.parse({
      title: 'Не видно слухача',
      body: '{name}, поки не видно, для кого це. Допишіть, хто прийде і що зможе зробити після ефіру.',
    }),
  )
  await saveSnippet(staff.expert, {
    title: 'Прийнято з подякою',
    body: '{name}, чудова робота. Урок «{lesson}» ви пройшли повністю, рушайте далі!',
    shared: true,
  })
}

async function give(author: Actor, lessonId: string, text: Partial<TaskText>): Promise<string> {
  const { taskId } = await addTask(author, { lessonId })
  const [made] = (await listTasks(author, { lessonId })).filter(({ id }) => id === taskId)
  if (made) await saveTask(author, { ...made, taskId, ...text })
  return taskId
}

interface Place {
  courseId: string
  lessonId: string
  taskId: string
}

// The domain function sets the current time; submissions of the demo school need past times.
async function handIn({ school, curator }: Staff, place: Place, demo: Demo): Promise<void> {
  const { who, text, ago, state = 'submitted', attempt = 1, judged, feedback, score = null, late = false } = demo
  await inTenant(school, async (tx) => {
    const studentId = await studentOf(tx, who)
    if (!studentId) return
    const at = (hours: number) => new Date(Date.now() - hours * HOUR)
    const { courseId, lessonId, taskId } = place
    const id = newId()
    const lockColumns = state === 'in_review' ? { lockedBy: curator.membershipId, lockedAt: new Date() } : {}
    const verdict =
      judged === undefined ? {} : { reviewedBy: curator.membershipId, reviewedAt: at(ago - judged), score }
    await tx.insert(submission).values({
      tenantId: school.tenantId,
      id,
      courseId,
      lessonId,
      taskId,
      studentId,
      attempt,
      state,
      text,
      late,
      submittedAt: at(ago),
      answerBy: at(ago - (score === null ? 48 : 24)),
      createdAt: at(ago + 1),
      fileIds: demo.file ? [await fileOf(curator, studentId, demo.file)] : [],
      assignedTo: demo.assigned ? curator.membershipId : null,
      feedback: feedback ? words(feedback) : null,
      ...lockColumns,
      ...verdict,
    })
    const events = [
      { event: 'submitted' as const, by: studentId, at: at(ago) },
      ...(judged === undefined || state === 'submitted' || state === 'in_review'
        ? []
        : [{ event: state, by: curator.membershipId, at: at(ago - judged) }]),
    ]
    await tx
      .insert(submissionEvent)
      .values(events.map((event) => ({ tenantId: school.tenantId, submissionId: id, ...event })))
    await updateLessonState(tx, curator, { studentId, lessonId })
  })
}

async function fileOf(curator: Actor, studentId: string, kind: 'picture' | 'pdf'): Promise<string> {
  const student = { ...curator, membershipId: studentId }
  const about = { parentId: null, area: 'homework' } as const
  if (kind === 'pdf') {
    const bytes = handout(['Plan: 60 khvylyn', '0-5 pryvitannia', '5-45 praktyka'])
    return keep(student, { ...about, name: 'План.pdf', kind: 'doc', mime: 'application/pdf', bytes })
  }
  const bytes = await poster('#1f4fa3', '#f2c14e')
  return keep(student, { ...about, name: 'Афіша.png', kind: 'image', mime: 'image/png', bytes })
}

async function studentOf(tx: Tx, name: string): Promise<string | null> {
  const email = name === 'student' ? 'student@kafedra.test' : `${name}@lektoriy.test`
  const [found] = await tx
    .select({ id: membership.id })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(user.email, email))
  return found?.id ?? null
}

function words(text: string): LessonDoc {
  return { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
}
