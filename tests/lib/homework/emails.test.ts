import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { openDownload, prepareDownload } from '#lib/homework/review/download.ts'
import { finishReview, reopenSubmission } from '#lib/homework/review/review.ts'
import { remindReviewers } from '#lib/homework/review/review-digest.ts'
import { sendVerdictEmail } from '#lib/homework/review/verdict-email.ts'
import { submission } from '#lib/homework/table.ts'
import { handedIn, putOnCourse, type TaskPlace, withTask } from '../../setup/course/works.ts'
import { listNotifications } from '../../setup/notification.ts'
import { openSubmission } from '../../setup/parsed/homework-review.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { unzipTexts } from '../../setup/unzip.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })

let home: TestTenant
let place: TaskPlace
let attempt = 0
beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
  await putOnCourse(home.as.CURATOR, place.courseId)
})

const waiting = () => {
  attempt += 1
  return handedIn(home.as.STUDENT, place, { attempt, text: 'Моя відповідь', answerBy: new Date(0) })
}

async function accepted(submissionId: string) {
  await openSubmission(home.as.CURATOR, { submissionId })
  await finishReview(home.as.CURATOR, { submissionId, verdict: 'accept', version: 1 })
  const [row] = await inTenant(home.as.OWNER, (tx) =>
    tx.select({ at: submission.reviewedAt }).from(submission).where(eq(submission.id, submissionId)),
  )
  return { tenantId: home.tenant.id, submissionId, reviewedAt: row?.at?.toISOString() ?? '' }
}

test("a verdict is notified once, in the student's language, and not after it was withdrawn", async () => {
  const { email } = home.as.STUDENT
  await pool.query(`update "user" set locale = 'en' where email = $1`, [email])
  const verdict = await accepted(await waiting())
  await sendVerdictEmail(verdict)
  await sendVerdictEmail(verdict)
  const emails = await listEmailsTo(email, home.tenant.id)
  expect(emails.map(({ subject }) => subject)).toEqual(['Submission accepted: Урок'])
  expect(emails[0]?.link).toContain(`go.kafedra.localhost:4321/course/lesson/${place.lessonId}`)
  const recalled = await accepted(await waiting())
  await reopenSubmission(home.as.CURATOR, { submissionId: recalled.submissionId })
  await sendVerdictEmail(recalled)
  expect(await listEmailsTo(email, home.tenant.id)).toHaveLength(1)
  const { items } = await listNotifications(home.as.STUDENT, {})
  expect(items).toMatchObject([
    { kind: 'homework_accepted', data: { context: 'Урок' }, link: `/course/lesson/${place.lessonId}`, count: 1 },
  ])
})

test('reviewers are reminded once a day, in the morning of the school, and only when submissions wait', async () => {
  for (let n = 0; n < 3; n += 1) await waiting()
  const idle = await addTestMember(home, 'CURATOR', 'idle@telling.test')
  // 9:00 in Kyiv in winter.
  const morning = new Date('2026-12-01T07:20:00Z')
  await remindReviewers(new Date('2026-12-01T06:20:00Z'))
  expect(await listEmailsTo(home.as.CURATOR.email, home.tenant.id)).toHaveLength(0)
  await remindReviewers(morning)
  await remindReviewers(morning)
  const [letter, ...more] = await listEmailsTo(home.as.CURATOR.email, home.tenant.id)
  expect(more).toHaveLength(0)
  expect(letter?.subject).toMatch(/^\d+ робот[аи]? чека/)
  expect(letter?.link).toContain('/homework?tab=overdue')
  expect(await listEmailsTo(idle.email, home.tenant.id)).toHaveLength(0)
  await remindReviewers(new Date('2026-12-02T07:20:00Z'))
  expect(await listEmailsTo(home.as.CURATOR.email, home.tenant.id)).toHaveLength(2)
})

test('the author is reminded where a course has no curator', async () => {
  const alone = await createTestTenant('Без куратора')
  const place = await withTask(alone.as.EXPERT)
  await handedIn(alone.as.STUDENT, place)
  await remindReviewers(new Date('2026-12-01T07:20:00Z'))
  expect(await listEmailsTo(alone.as.EXPERT.email, alone.tenant.id)).toHaveLength(1)
  await putOnCourse(alone.as.CURATOR, place.courseId)
  await remindReviewers(new Date('2026-12-02T07:20:00Z'))
  expect(await listEmailsTo(alone.as.EXPERT.email, alone.tenant.id)).toHaveLength(1)
  expect(await listEmailsTo(alone.as.CURATOR.email, alone.tenant.id)).toHaveLength(1)
})

test('submissions are exported as one ZIP with folders named by lesson and student', async () => {
  const submissionId = await waiting()
  const { CURATOR } = home.as
  const offer = await prepareDownload(CURATOR, { submissionIds: [submissionId] })
  const [, , , token = '', selection = ''] = offer.address.split('/')
  const zip = await openDownload(CURATOR, { token, selection })
  const bytes = new Uint8Array(await new Response(zip.body).arrayBuffer())
  expect([zip.name, bytes.length]).toEqual(['Курс із завданням.zip', offer.size])
  const [[name, text] = []] = Object.entries(unzipTexts(Buffer.from(bytes)))
  expect(name).toMatch(/^Курс із завданням\/Урок\/.+ \(\d+\)\/text\.txt$/)
  expect(text).toBe('Моя відповідь')
  await expect(openDownload(home.as.OWNER, { token, selection })).rejects.toThrow(code('not_found'))
  const theirs = await createOtherTenant()
  await expect(prepareDownload(theirs.as.OWNER, { submissionIds: [submissionId] })).rejects.toThrow(code('not_found'))
})
