import type { ListedMutant } from './listed-mutant.ts'

/** Rules of access, tests, mentoring, chat, live rooms and homework. */
export const LEARNING_MUTANTS: readonly ListedMutant[] = [
  {
    breaks: 'a banned student opens the live stream of the room',
    file: 'src/lib/meeting/stream.ts',
    original: `if (participant.bannedAt) throw`,
    replacement: `if (!participant) throw`,
    tests: ['tests/lib/meeting/chat.test.ts'],
  },
  {
    breaks: 'chat opens before the access to the course begins',
    file: 'src/lib/chat/access.ts',
    original: `and a.starts_at <= now()`,
    replacement: ``,
    tests: ['tests/lib/chat/chat.test.ts'],
  },
  {
    breaks: 'the grants of an order are sent before its courses are locked',
    file: 'src/lib/course/access/order/order-grants.ts',
    original: `async function lockCourses(tx: Tx, courses: readonly { courseId: string }[]): Promise<string[]> {`,
    replacement: `async function lockCourses(tx: Tx, courses: readonly { courseId: string }[]): Promise<string[]> {
      await Promise.resolve()`,
    tests: ['tests/lib/offer/order/student-count.test.ts'],
  },
  {
    breaks: 'the school cancels a session without a plan',
    file: 'src/lib/mentoring/booking/answer.ts',
    original: `  if (by === 'mentor') requirePlan(actor, 'lms')\n`,
    replacement: ``,
    tests: ['tests/lib/mentoring/booking/booking.test.ts'],
  },
  {
    breaks: 'a session is canceled after its end',
    file: 'src/lib/mentoring/booking/answer.ts',
    original: `if (!isOpen(row.state) || session.endAt <= now) throw`,
    replacement: `if (!isOpen(row.state)) throw`,
    tests: ['tests/lib/mentoring/booking/booking.test.ts'],
  },
  {
    breaks: 'a blocked member goes on viewing the school as a student',
    file: 'src/lib/student/viewing/viewing.ts',
    original: ` and m.blocked_at is null and m.status`,
    replacement: ` and m.status`,
    tests: ['tests/lib/student/viewing/viewing.test.ts'],
  },
  {
    breaks: 'an attempt is started at the closing instant of the test',
    file: 'src/lib/quiz/attempt/rules.ts',
    original: `now >= settings.closeAt`,
    replacement: `now > settings.closeAt`,
    tests: ['tests/lib/quiz/attempt/attempt-rules.test.ts'],
  },
]
