import { sql } from 'drizzle-orm'
import { chatFile } from '#lib/chat/file/table.ts'
import { pinChatMessage } from '#lib/chat/message/pin.ts'
import { markConversationRead } from '#lib/chat/message/read.ts'
import { postMessage } from '#lib/chat/message/send.ts'
import { updateWaiting } from '#lib/chat/message/waiting.ts'
import { StartConversation } from '#lib/chat/schema.ts'
import { startConversation } from '#lib/chat/start.ts'
import { chatReaction } from '#lib/chat/table.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { handout } from '../files/handout.ts'
import { keep } from '../files/shelf.ts'
import type { ImportedCourse } from '../import-course.ts'

interface People {
  owner: Actor
  curator: Actor
  /** Students of the course; the last one is the demo account. */
  students: Actor[]
}

/** Conversations of each kind, with messages of the last two days. */
export async function addConversations({ owner, curator, students }: People, course: ImportedCourse): Promise<void> {
  const student = students.at(-1)
  const [classmate] = students
  const [lessonId] = course.lessonIds
  if (!student || !classmate || !lessonId) return
  const courseConversation = await write(
    curator,
    { kind: 'course', courseId: course.courseId },
    [
      [curator, 'Вітаю на курсі! Тут можна ставити **запитання до всіх** і ділитися знахідками.', 46],
      [classmate, 'Добрий день! Підкажіть, чи можна писати тексти до вебінару українською й англійською?', 44],
      [curator, 'Так, головне — одна мова в межах одного вебінару.', 43],
      [student, 'Дякую, саме це хотілося уточнити.', 20],
      [classmate, 'Зібрав приклади планів, може, комусь знадобляться.', 19],
      [curator, 'Чудові приклади, дякую!', 18, { replyTo: 5 }],
      [student, 'Другий дуже близький до моєї теми.', 17, { replyTo: 5 }],
      [classmate, 'Радий, що допомогло 🙂', 16, { replyTo: 7 }],
      [curator, 'Нагадую про план ефіру:\n- тема одним реченням\n- три запитання слухача\n- заклик наприкінці', 3],
    ],
    [
      [student, 8],
      [curator, 9],
    ],
    [classmate, 5],
  )
  const inCourse = (seq: number) => ({ conversationId: courseConversation, seq })
  await pinChatMessage(curator, { ...inCourse(9), isPinned: true })
  // Stored directly: the limit of reactions a minute is counted outside of the transaction that fills the school.
  await inTenant(owner, async (tx) => {
    const reactions = [
      [classmate, 1, '👏'],
      [student, 1, '👏'],
      [curator, 5, '🔥'],
      [student, 5, '🔥'],
      [student, 6, '👍'],
    ] as const
    const { tenantId } = owner
    await tx.insert(chatReaction).values(
      reactions.map(([{ membershipId: memberId }, seq, reaction]) => ({
        tenantId,
        ...inCourse(seq),
        memberId,
        reaction,
      })),
    )
  })
  await write(
    student,
    { kind: 'lesson', lessonId },
    [
      [student, 'У вправі просять описати слухача. Чи можна взяти двох різних?', 26],
      [curator, 'Краще одного: тоді приклади будуть точніші. Другого залиште для наступного вебінару.', 25],
      [student, 'Зрозуміло! А вік обов’язково вказувати?', 2],
    ],
    [[curator, 2]],
  )
  await write(
    curator,
    { kind: 'direct', memberId: student.membershipId },
    [
      [curator, 'Олено, ваша робота дуже вдала. Можна показати її групі як приклад?', 8],
      [student, 'Звісно, буду рада!', 7],
    ],
    [
      [curator, 2],
      [student, 2],
    ],
  )
  await write(student, { kind: 'support' }, [
    [student, 'Не надходить лист із рахунком. Куди його надіслано?', 5],
    [owner, 'Надіслали ще раз на вашу пошту. Перевірте, будь ласка, теку «Спам».', 4],
  ])
  await write(classmate, { kind: 'lesson', lessonId }, [
    [classmate, 'Чи можна здати вправу аудіозаписом? Говорити мені легше, ніж писати.', 27],
  ])
  await write(classmate, { kind: 'support' }, [
    [classmate, 'Хочу продовжити доступ до курсу ще на місяць. Як це зробити?', 9],
  ])
  await write(
    owner,
    { kind: 'team', title: 'Методична рада', memberIds: [curator.membershipId], conversationId: newId() },
    [
      [owner, 'У четвер о 15:00 обговоримо новий курс. Підготуйте, будь ласка, свої ідеї.', 30],
      [curator, 'Маю три, надішлю до середи.', 29],
    ],
    [[curator, 2]],
  )
}

type Message = readonly [author: Actor, body: string, hoursAgo: number, more?: { replyTo: number }]

async function write(
  starter: Actor,
  subject: Parameters<typeof StartConversation.parse>[0],
  messages: readonly Message[],
  read: readonly (readonly [reader: Actor, seq: number])[] = [],
  /** The author and the sequence number of a message with a file. */
  withFile?: readonly [author: Actor, seq: number],
): Promise<string> {
  const { conversationId } = await startConversation(starter, StartConversation.parse(subject))
  const fileIds = withFile ? [await addFile(withFile[0], conversationId)] : []
  for (const [index, [author, body, hoursAgo, more]] of messages.entries()) {
    const { seq } = await postMessage(author, {
      conversationId,
      messageId: newId(),
      body,
      mentions: [],
      mentionsAll: false,
      fileIds: withFile?.[1] === index + 1 ? fileIds : [],
      isVoice: false,
      ...more,
    })
    const at = sql`now() - make_interval(hours => ${hoursAgo})`
    await inTenant(starter, async (tx) => {
      await tx.execute(sql`update chat_message set created_at = ${at} where tenant_id = current_tenant()
        and conversation_id = ${conversationId} and seq = ${seq}`)
      await tx.execute(sql`update chat_conversation set active_at = ${at}, created_at = least(created_at, ${at})
        where tenant_id = current_tenant() and id = ${conversationId}`)
    })
  }
  // Since when it waits follows from the dates of the messages.
  await inTenant(starter, (tx) => updateWaiting(tx, conversationId))
  for (const [reader, seq] of read) await markConversationRead(reader, { conversationId, seq })
  return conversationId
}

/** A file that waits for its message. */
async function addFile(author: Actor, conversationId: string): Promise<string> {
  const bytes = handout(['Plan 1: tema, pryklady, zapytannia', 'Plan 2: istoriia, zavdannia'])
  const about = { parentId: null, area: 'chat', kind: 'doc', mime: 'application/pdf' } as const
  const fileId = await keep(author, { ...about, name: 'Приклади планів.pdf', bytes })
  const { tenantId, membershipId: uploaderId } = author
  await inTenant(author, async (tx) => {
    await tx.insert(chatFile).values({ tenantId, fileId, conversationId, uploaderId })
  })
  return fileId
}
