import { certificateCardSection } from './certificate/student-card.ts'
import { chatCardSection } from './chat/erasure.ts'
import { courseCardSection } from './course/access/student-card.ts'
import { homeworkCardSection } from './homework/review/student-card.ts'
import { inboxCardSection } from './inbox/erasure.ts'
import { roomCardSection } from './meeting/chat/erasure.ts'
import { mentoringCardSection } from './mentoring/student-card.ts'
import { orderCardSection } from './offer/order/student-card.ts'
import { quizCardSection } from './quiz/progress/student-card.ts'
import { eventCardSection } from './registration/student-card.ts'
import { scheduleCardSection } from './schedule/erasure.ts'
import type { CardSection } from './student/card/section.ts'

/** The sections of the modules above the student module in the student card, in the order of its tabs. */
export const cardSections: readonly CardSection[] = [
  courseCardSection,
  homeworkCardSection,
  quizCardSection,
  certificateCardSection,
  orderCardSection,
  eventCardSection,
  roomCardSection,
  mentoringCardSection,
  chatCardSection,
  inboxCardSection,
  scheduleCardSection,
]
