import { type AnyProcedure, call, isProcedure, ORPCError } from '@orpc/server'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { router } from '#lib/api.ts'
import { issueCertificates } from '#lib/certificate/issue/issue.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { ApiContext } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { clearAttempts } from '#lib/core/http/throttle.ts'
import { EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { enterMeeting } from '#lib/meeting/admission/enter.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { startAttempt } from '#lib/quiz/attempt/attempt.ts'
import { createBank } from '#lib/quiz/bank/banks.ts'
import { addVacation } from '#lib/team/vacation.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { publishWorkshop } from '#lib/workshop/settings/publish.ts'
import { completeCourse, createCertifiedCourse } from '../../setup/course/earned-certificate.ts'
import { handedIn, withTask } from '../../setup/course/works.ts'
import { createSoldOffer, order } from '../../setup/offer/orders.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { inviteToCourse } from '../../setup/parsed/course-access.ts'
import { addLesson } from '../../setup/parsed/course-outline.ts'
import { saveSnippet } from '../../setup/parsed/homework-review.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { offerQuiz } from '../../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { sendUpload, uploadFile } from '../../setup/uploads.ts'
import { idFields, sampleOf, shapeOf } from '../checks/sample-input.ts'

/** Fields for which the generated sample is invalid. */
const PARTS: Record<string, object> = {
  'chat/startUpload': { size: 1, head: 'YQ==', sample: 'a'.repeat(64) },
  'course/attendLesson': { tab: 'tab-1' },
  'autowebinar/makeFromVideo': { timeZone: 'Europe/Kyiv' },
  'schedule/shiftGroup': { from: '2031-01-01' },
  'schedule/getShiftPreview': { from: '2031-01-01' },
  'course/createGroup': { timeZone: 'Europe/Kyiv', endAt: null },
  'course/updateGroup': { timeZone: 'Europe/Kyiv', endAt: null },
  'certificate/saveTemplate': { background: '#ffffff', elements: [] },
  'course/saveLesson': { change: undefined, tab: undefined },
  'homework/saveReview': { feedback: null },
  'automation/saveAutomation': {
    version: 0,
    settings: { title: 'Правило', trigger: 'courseJoined', action: 'tag', tag: 'новий', days: 7, delayHours: 0 },
  },
  'inbox/assignItems': { items: ['lesson.01a20f52-29c1-7386-8a9a-03dd5e86ab9e'] },
  'homework/saveTask': { dueRule: null, sampleAnswer: null, instructions: EMPTY_DOC },
  'homework/startUpload': { size: 1, head: 'YQ==', sample: 'a'.repeat(64) },
  'homework/startVoiceUpload': { size: 1, head: 'YQ==', sample: 'a'.repeat(64) },
  'storage/saveCaption': { text: 'WEBVTT\n\n00:01.000 --> 00:02.000\nСлова' },
  'attendance/mark': { isPresent: true },
  'workshop/create': { timeZone: 'Europe/Kyiv' },
  'workshop/save': { timeZone: 'Europe/Kyiv' },
  'workshop/addItem': { content: { label: 'Далі', url: 'https://kafedra.test' } },
  'workshop/saveItem': { content: { label: 'Далі', url: 'https://kafedra.test' } },
  'student/updateProfile': { timeZone: 'Europe/Kyiv', phone: '' },
  'quiz/setOverride': { groupId: null },
  'team/invite': { roles: ['EXPERT', 'PRESENTER'] },
  'team/addVacation': { firstDay: '2031-01-01', lastDay: '2031-01-09' },
  'team/register': { password: 'Probna-2026!', passwordConfirmation: 'Probna-2026!' },
  'quiz/startFileAnswer': { size: 1, head: 'YQ==', sample: 'a'.repeat(64) },
  'storage/startUpload': { size: 1, head: 'YQ==', sample: 'a'.repeat(64) },
}

/**
 * Ids that the caller generates (message, group, test, question, bank), ids of script entries, which are no rows but
 * can be answered and applauded, filters of lists, which return nothing, and muted subjects, which are not read.
 */
const FREE_IDS = new Set([
  // A filter: tests/lib/chat/search.test.ts.
  'chat/findMessages',
  // The items are not ids: their isolation is tested in tests/lib/inbox.
  'inbox/answer',
  'inbox/answerItems',
  'meeting/sendMessage',
  'meeting/react',
  'certificate/createTemplate',
  'course/createGroup',
  'course/listAllGroups',
  'coupon/save',
  'offer/copy',
  'offer/create',
  'mentoring/createProgram',
  'mentoring/releaseHold',
  'notification/mute',
  'notification/unmute',
  'order/list',
  'outbox/list',
  'quiz/create',
  'quiz/createBank',
  'quiz/createQuestion',
  'quiz/list',
  'quiz/listQuestions',
  'schedule/get',
])

/**
 * Ids of new rows, which the caller generates, filters, and ids of which the absence is no error, by procedure; its other
 * ids are checked.
 */
const FREE_FIELDS: Record<string, readonly string[]> = {
  'automation/saveAutomation': ['automationId'],
  'chat/forwardMessage': ['messageId'],
  // Mentions of members who do not read the conversation are ignored.
  'chat/sendMessage': ['messageId', 'mentions'],
  'chat/scheduleMessage': ['messageId', 'mentions'],
  'certificate/saveTemplate': ['backgroundFileId'],
  'certificate/setScan': ['fileId'],
  'mentoring/bookSession': ['bookingId'],
  'mentoring/holdSlot': ['bookingId'],
  'order/refund': ['refundId'],
  'quiz/duplicate': ['newQuizId'],
  'quiz/duplicateQuestion': ['newQuestionId'],
  'quiz/listAttempts': ['groupId'],
  'quiz/removeFileAnswer': ['fileId'],
  'quiz/removeOverride': ['overrideId'],
  'quiz/startAttempt': ['attemptId'],
  'quiz/startRegrade': ['regradeId'],
  'schedule/shiftGroup': ['shiftId'],
}

const procedures = Object.entries(router).flatMap(([room, actions]) =>
  Object.entries<unknown>(actions).flatMap(([action, procedure]) => {
    const input = isProcedure(procedure) ? procedure['~orpc'].inputSchema : undefined
    if (!isProcedure(procedure) || !(input instanceof z.ZodType)) return []
    const shape = shapeOf(input)
    const freeFields = FREE_FIELDS[`${room}/${action}`] ?? []
    const fields = idFields(shape).filter((field) => !freeFields.includes(field))
    return fields.length > 0 && !FREE_IDS.has(`${room}/${action}`)
      ? [{ name: `${room}/${action}`, procedure, shape, fields }]
      : []
  }),
)

let home: TestTenant
let foreign: TestTenant
let own: Map<string, string>
let rows: Map<string, string>
let seatTokens: Record<'OWNER' | 'STUDENT', string>

beforeAll(async () => {
  home = await createTestTenant()
  foreign = await createOtherTenant()
  for (const school of [home, foreign]) await seedRows(school)
  own = await idsOf(home)
  rows = await idsOf(foreign)
  seatTokens = { OWNER: await seatTokenOf(home, 'OWNER'), STUDENT: await seatTokenOf(home, 'STUDENT') }
}, 60_000)

test('the other tenant has rows that could be found', () => {
  const expected = [
    'course',
    'course_module',
    'lesson',
    'membership',
    'invitation',
    'file',
    'upload',
    'quiz',
    'question_bank',
    'quiz_attempt',
    'certificate',
    'offer',
    'coupon',
    'sales_order',
  ]
  expect([...rows.keys()]).toEqual(expect.arrayContaining(expected))
  expect(procedures.length).toBeGreaterThan(15)
})

const SENDERS = ['OWNER', 'STUDENT'] as const

interface ForeignId {
  name: string
  procedure: AnyProcedure
  shape: ReturnType<typeof shapeOf>
  field: string
  table: string
  id: string
}

test.each(procedures)(
  '$name finds nothing by any id of the other tenant',
  async ({ name, procedure, shape, fields }) => {
    const before = await fingerprint(foreign)
    for (const field of fields) {
      const refuses = ([table, id]: readonly [string, string]) =>
        expectNotFound({ name, procedure, shape, field, table, id })
      // Procedures of a room wait for the batch of its session, which all calls share.
      if (name.startsWith('meeting/')) await Promise.all([...rows].map(refuses))
      else for (const row of rows) await refuses(row)
    }
    expect(await fingerprint(foreign)).toEqual(before)
  },
)

/** Calls a procedure with the id of a row of the other tenant in a field, as each sender. */
async function expectNotFound({ name, procedure, shape, field, table, id }: ForeignId): Promise<void> {
  // One procedure is called more often than a person may send messages in a minute.
  const limits = name.startsWith('chat/') ? ['chat.send', 'chat.type', 'chat.report'] : []
  for (const key of limits) {
    await Promise.all(SENDERS.map((role) => clearAttempts(`${key} ${home.as[role].membershipId}`)))
  }
  const idOf = (other: string) => {
    if (FREE_FIELDS[name]?.includes(other)) return newId()
    return other === field ? id : (own.get(tableOf(other)) ?? id)
  }
  const input = { ...Object(sampleOf(shape, idOf)), ...PARTS[name] }
  const answers = await Promise.all(
    SENDERS.map((role) => {
      // Procedures of a room need a seat token: both actors have one of their own tenant.
      const seat = 'seatToken' in input ? { seatToken: seatTokens[role] } : {}
      return callProcedure(procedure, { ...input, ...seat }, role)
    }),
  )
  const words = `${name} with the other tenant's ${table} as ${field}: ${answers.join(', ')}`
  const allowed = answers.filter((answer) => answer !== 'forbidden')
  expect(allowed, words).toEqual(allowed.map(() => 'not_found'))
  expect(answers, words).toContain('not_found')
}

async function callProcedure(procedure: AnyProcedure, input: object, role: 'OWNER' | 'STUDENT'): Promise<string> {
  const context: ApiContext = {
    actor: home.as[role],
    token: home.token[role],
    locale: 'uk',
    t: (key) => key,
    requestId: 'test',
    address: '127.0.0.1',
    userAgent: 'tests',
    device: null,
    setToken: () => {},
    setDevice: () => {},
  }
  try {
    await call(procedure, input, { context })
    return 'answered'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    if (error instanceof ORPCError) return `${error.code} ${JSON.stringify(error.data)}`
    return `broke: ${error instanceof Error ? error.message.slice(0, 80) : error}`
  }
}

async function seatTokenOf({ tenant, as }: TestTenant, role: 'OWNER' | 'STUDENT'): Promise<string> {
  const workshopId = events.get(tenant.id) ?? ''
  const view = await enterMeeting(tenant.id, { workshopId, actor: as[role], locale: 'uk' })
  return view.kind === 'room' || view.kind === 'waiting' ? view.room.seatToken : view.kind
}

const events = new Map<string, string>()

/** A row in every table that another tenant could request. Rows of new modules are added here. */
async function seedRows(school: TestTenant): Promise<void> {
  const { as, tenant } = school
  const { courseId } = await createCourse(as.OWNER, { title: 'Курс' })
  const { moduleId } = await addModule(as.OWNER, { courseId, title: 'Модуль' })
  await addLesson(as.OWNER, { moduleId, title: 'Урок' })
  await inviteToCourse(as.OWNER, { courseId, email: `guest@${tenant.subdomain}.test` })
  await handedIn(as.STUDENT, await withTask(as.OWNER))
  await saveSnippet(as.OWNER, { title: 'Приклад', body: 'Додайте приклад' })
  const event = { type: 'webinar', title: 'Подія', timeZone: 'Europe/Kyiv', access: 'open' } as const
  const { workshopId } = await createWorkshop(as.OWNER, { ...event, startAt: '2030-01-01T10:00:00.000Z' })
  await publishWorkshop(as.OWNER, { workshopId })
  events.set(tenant.id, workshopId)
  await enterMeeting(tenant.id, { workshopId, actor: as.STUDENT, locale: 'uk' })
  const button = { label: 'Далі', url: 'https://kafedra.test' }
  await addItem(as.OWNER, { workshopId, kind: 'button', content: button })
  await uploadFile(as.OWNER, 'a.txt', new Uint8Array([97]))
  const away = { memberId: as.CURATOR.membershipId, deputyId: as.EXPERT.membershipId }
  await addVacation(as.OWNER, { ...away, firstDay: '2030-01-01', lastDay: '2030-01-09' })
  await sendUpload(as.OWNER, 'b.txt', new Uint8Array([97]))
  await createBank(as.OWNER, { bankId: newId(), title: 'Банк' })
  const { quizId } = await offerQuiz(school, ['single'])
  await startAttempt(as.STUDENT, { quizId, password: '' })
  const certified = await createCertifiedCourse(as.OWNER)
  await completeCourse(as.OWNER, as.STUDENT, certified)
  await issueCertificates(as.OWNER, { courseId: certified.courseId, studentIds: [as.STUDENT.membershipId] })
  const offerId = await createSoldOffer(as.OWNER, certified.courseId)
  await saveCoupon(as.OWNER, SaveCoupon.parse({ couponId: newId(), code: 'MINUS10', type: 'percent', value: 10 }))
  await order(school, offerId)
}

/** The id of a row of this tenant for every tenant table. */
async function idsOf({ tenant }: TestTenant): Promise<Map<string, string>> {
  return inTenant({ tenantId: tenant.id }, async (tx) => {
    const found = new Map<string, string>()
    for (const table of await tablesWithId(tx)) {
      const ids = await tx.execute<{ id: string }>(
        sql`select id from ${sql.identifier(table)} where tenant_id = ${tenant.id} limit 1`,
      )
      const id = ids.rows[0]?.id
      if (id) found.set(table, id)
    }
    return found
  })
}

/** The complete data of a tenant, to detect any change. */
async function fingerprint({ tenant }: TestTenant): Promise<Record<string, string>> {
  return inTenant({ tenantId: tenant.id }, async (tx) => {
    const prints: Record<string, string> = {}
    for (const table of await tablesWithId(tx)) {
      const print = await tx.execute<{ hash: string }>(
        sql`select md5(coalesce(string_agg(t::text, ',' order by id::text), '')) as hash from ${sql.identifier(table)} t`,
      )
      prints[table] = print.rows[0]?.hash ?? ''
    }
    return prints
  })
}

type Tx = Parameters<Parameters<typeof inTenant>[1]>[0]

async function tablesWithId(tx: Tx): Promise<string[]> {
  const found = await tx.execute<{ name: string }>(sql`
    select table_name as name from information_schema.columns where table_schema = 'public' and table_name not in ('session', 'live_event')
    group by table_name having count(*) filter (where column_name in ('id', 'tenant_id')) = 2`)
  return found.rows.map(({ name }) => name)
}

const TABLES: Record<string, string> = {
  attempt: 'quiz_attempt',
  bank: 'question_bank',
  courseHeir: 'membership',
  deputy: 'membership',
  eventHeir: 'membership',
  homeworkHeir: 'membership',
  mentoringHeir: 'membership',
  member: 'membership',
  order: 'sales_order',
  student: 'membership',
  template: 'certificate_template',
}

/** `lessonId` to `lesson`; students, members, deputies and heirs are memberships. */
function tableOf(field: string): string {
  const name = field.replace(/Ids?$/, '')
  return TABLES[name] ?? name
}
