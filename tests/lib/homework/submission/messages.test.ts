import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { homeworkChannels } from '#lib/homework/live.ts'
import { sendMessageEmail } from '#lib/homework/submission/message-email.ts'
import { listHomeworkMessages, readHomeworkMessages, sendHomeworkMessage } from '#lib/homework/submission/messages.ts'
import { handedIn, learner, putOnCourse, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const code = (name: string) => expect.objectContaining({ code: name })

let home: TestTenant
let place: TaskPlace
let student: Actor
beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
  await putOnCourse(home.as.CURATOR, place.courseId)
  student = await learner(home, place.courseId, 'author@talk.test')
})

describe('the conversation about a task', () => {
  test('has messages of both sides, is marked as read once, and is not an attempt', async () => {
    const { taskId } = place
    const studentId = student.membershipId
    const key = newId()
    const sent = await sendHomeworkMessage(student, { taskId, body: 'Чи можна відео?', key })
    expect(await sendHomeworkMessage(student, { taskId, body: 'Чи можна відео?', key })).toEqual(sent)
    await sendHomeworkMessage(home.as.CURATOR, { taskId, studentId, body: 'Можна.' })
    const heard = await listHomeworkMessages(student, { taskId })
    expect(heard.map(({ body, isMine: mine, isFromStudent: fromStudent }) => [body, mine, fromStudent])).toEqual([
      ['Чи можна відео?', true, true],
      ['Можна.', false, false],
    ])
    expect(heard[1]?.readAt).toBeNull()
    await readHomeworkMessages(student, { taskId })
    await readHomeworkMessages(student, { taskId })
    const [mine, theirs] = await listHomeworkMessages(home.as.CURATOR, { taskId, studentId })
    expect(theirs?.readAt).toBeInstanceOf(Date)
    expect(mine?.readAt).toBeNull()
  })

  test('sends one email for all unread messages', async () => {
    const other = await learner(home, place.courseId, 'silent@talk.test')
    const { taskId } = place
    const talk = { taskId, studentId: other.membershipId }
    await sendHomeworkMessage(home.as.CURATOR, { ...talk, body: 'Перше' })
    await sendHomeworkMessage(home.as.CURATOR, { ...talk, body: 'Друге' })
    const notification = { tenantId: home.tenant.id, ...talk, toStudent: true }
    await sendMessageEmail(notification)
    await sendMessageEmail(notification)
    const emails = await listEmailsTo(other.email, home.tenant.id)
    expect(emails).toHaveLength(1)
    expect(emails[0]?.subject).toContain('2')
    expect(emails[0]?.text).toContain('Друге')
    await readHomeworkMessages(other, { taskId })
    await sendHomeworkMessage(other, { taskId, body: 'Дякую' })
    const work = await handedIn(other, place)
    await sendMessageEmail({ ...notification, toStudent: false })
    expect((await listEmailsTo(home.as.CURATOR.email, home.tenant.id))[0]?.link).toContain(`/homework/${work}`)
  })

  test('is refused to everybody else', async () => {
    const { taskId } = place
    const studentId = student.membershipId
    const stranger = await createOtherTenant()
    const refused: [Actor, string][] = [
      [stranger.as.STUDENT, 'not_found'],
      [stranger.as.OWNER, 'not_found'],
      [home.as.STUDENT, 'not_found'],
      [home.as.MENTOR, 'forbidden'],
      [home.as.MEMBER, 'forbidden'],
    ]
    for (const [actor, name] of refused) {
      await expect(listHomeworkMessages(actor, { taskId, studentId })).rejects.toEqual(code(name))
      await expect(sendHomeworkMessage(actor, { taskId, studentId, body: 'а' })).rejects.toEqual(code(name))
    }
    const apart = await withTask(home.as.OWNER, {}, 'Інший курс')
    await expect(listHomeworkMessages(home.as.CURATOR, { taskId: apart.taskId, studentId })).rejects.toEqual(
      code('not_found'),
    )
    const channel = homeworkChannels.homework
    expect(await channel?.canSubscribe(student, [studentId])).toMatchObject({ allow: true })
    await expect(async () => channel?.canSubscribe(home.as.STUDENT, [studentId])).rejects.toEqual(code('not_found'))
    await expect(async () => channel?.canSubscribe(stranger.as.OWNER, [studentId])).rejects.toEqual(code('not_found'))
  })
})
