import { automationJobs } from '#lib/automation/jobs.ts'
import { automationRecoveries } from '#lib/automation/recovery.ts'
import { autowebinarJobs } from '#lib/autowebinar/jobs.ts'
import { autowebinarRecoveries } from '#lib/autowebinar/recovery.ts'
import { billingJobs } from '#lib/billing/jobs.ts'
import { certificateJobs } from '#lib/certificate/jobs.ts'
import { certificateRecoveries } from '#lib/certificate/recovery.ts'
import { conversationJobs } from '#lib/chat/jobs.ts'
import { chatRecoveries } from '#lib/chat/recovery.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { type Recovery, recoverJobs } from '#lib/core/jobs/recovery.ts'
import { liveJobs } from '#lib/core/live/jobs.ts'
import { mailJobs } from '#lib/core/mail/jobs.ts'
import { mailRecoveries } from '#lib/core/mail/recovery.ts'
import { changeAccess } from '#lib/course/access/change-access.ts'
import { courseJobs } from '#lib/course/jobs.ts'
import { courseRecoveries } from '#lib/course/recovery.ts'
import { homeworkJobs } from '#lib/homework/jobs.ts'
import { meetingJobs } from '#lib/meeting/jobs.ts'
import { meetingRecoveries } from '#lib/meeting/recording/recovery.ts'
import { mentoringJobs } from '#lib/mentoring/jobs.ts'
import { notificationJobs } from '#lib/notification/jobs.ts'
import { offerJobs } from '#lib/offer/jobs.ts'
import { outboxJobs } from '#lib/outbox/jobs.ts'
import { outboxRecoveries } from '#lib/outbox/recovery.ts'
import { paymentJobs } from '#lib/payment/jobs.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { planUsage } from '#lib/plan-usage.ts'
import { quizJobs } from '#lib/quiz/jobs.ts'
import { quizRecoveries } from '#lib/quiz/recovery.ts'
import { registrationJobs } from '#lib/registration/jobs.ts'
import { scheduleJobs } from '#lib/schedule/jobs.ts'
import { settingsJobs } from '#lib/settings/jobs.ts'
import { readEmailSender } from '#lib/settings/sender.ts'
import { statisticsJobs } from '#lib/statistics/jobs.ts'
import { storageJobs } from '#lib/storage/jobs.ts'
import { storageRecoveries } from '#lib/storage/recovery.ts'
import { studentJobs } from '#lib/student/jobs.ts'
import { studentSenders } from '#lib/student/message/senders.ts'
import { studentRecoveries } from '#lib/student/recovery.ts'
import { cardSections } from '#lib/student-card.ts'
import { userJobs } from '#lib/user/jobs.ts'

/** The recoveries of all modules: states in tables that only a job ends. */
export const recoveries: Recovery[] = [
  ...mailRecoveries,
  ...storageRecoveries,
  ...courseRecoveries,
  ...quizRecoveries,
  ...certificateRecoveries,
  ...studentRecoveries,
  ...chatRecoveries,
  ...outboxRecoveries,
  ...autowebinarRecoveries,
  ...meetingRecoveries,
  ...automationRecoveries,
]

/** The jobs of all modules. */
export const jobs: JobList = {
  ...mailJobs(readEmailSender),
  ...settingsJobs,
  ...liveJobs,
  ...userJobs,
  ...notificationJobs,
  ...conversationJobs,
  ...paymentJobs(paymentPurposes),
  ...billingJobs(planUsage),
  ...studentJobs(changeAccess, cardSections),
  ...outboxJobs(studentSenders),
  ...storageJobs,
  ...courseJobs,
  ...homeworkJobs,
  ...quizJobs,
  ...certificateJobs,
  ...autowebinarJobs,
  ...registrationJobs,
  ...offerJobs,
  ...meetingJobs,
  ...mentoringJobs,
  ...scheduleJobs,
  ...statisticsJobs,
  ...automationJobs,
  'jobs.recover': { run: () => recoverJobs(recoveries), cron: '*/5 * * * *', maxAttempts: 1 },
}
