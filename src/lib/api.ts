import { attendance } from '#lib/attendance/api.ts'
import { automationProcedures } from '#lib/automation/api.ts'
import { autowebinar } from '#lib/autowebinar/api.ts'
import { readAutowebinarChecks } from '#lib/autowebinar/auto-session.ts'
import { copyAutowebinar } from '#lib/autowebinar/autowebinar.ts'
import { certificateProcedures } from '#lib/certificate/api.ts'
import { course } from '#lib/course/api.ts'
import { duplicateCalls } from '#lib/course/outline/api.ts'
import { homeworkProcedures } from '#lib/homework/api.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'
import { masterclass } from '#lib/masterclass/api.ts'
import { readMasterclassChecks } from '#lib/masterclass/publish-checks.ts'
import { copyTests } from '#lib/quiz/copy-quizzes.ts'
import { billing } from './billing/api.ts'
import { operatorProcedures } from './billing/operator/api.ts'
import { chatProcedures } from './chat/api.ts'
import { routeProcedures } from './core/http/api/procedure-routes.ts'
import { inboxProcedures } from './inbox/api.ts'
import { meeting } from './meeting/api.ts'
import { mentoring } from './mentoring/api.ts'
import { notificationProcedures } from './notification/api.ts'
import { offer } from './offer/api.ts'
import { coupon } from './offer/coupon/api.ts'
import { order } from './offer/order/api.ts'
import { outbox } from './outbox/api.ts'
import { payment } from './payment/api.ts'
import { planUsage } from './plan-usage.ts'
import { quizProcedures } from './quiz/api.ts'
import { registration } from './registration/api.ts'
import { roadmap } from './roadmap/api.ts'
import { schedule } from './schedule/api.ts'
import { settings } from './settings/api.ts'
import { statistics } from './statistics/api.ts'
import { storageProcedures } from './storage/api.ts'
import { student } from './student/api.ts'
import { cardProcedures } from './student/card/api.ts'
import { studentFields } from './student/fields/api.ts'
import { personalData } from './student/personal-data/api.ts'
import { studentSignIn } from './student/sign-in/api.ts'
import { cardSections } from './student-card.ts'
import { teamProcedures } from './team/api.ts'
import { teamAssignments } from './team-assignments.ts'
import { tenant } from './tenant/api.ts'
import { user } from './user/api.ts'
import { extendedCalls, workshop } from './workshop/api.ts'

/** The API by module. */
export const router = {
  tenant: routeProcedures('tenant', tenant),
  settings: routeProcedures('settings', settings),
  user: routeProcedures('user', user),
  notification: routeProcedures('notification', notificationProcedures),
  billing: routeProcedures('billing', billing),
  operator: routeProcedures('operator', operatorProcedures(planUsage)),
  payment: routeProcedures('payment', payment),
  team: routeProcedures('team', teamProcedures(teamAssignments)),
  student: routeProcedures('student', {
    ...student,
    ...studentSignIn,
    ...personalData,
    ...studentFields,
    ...cardProcedures(cardSections),
  }),
  outbox: routeProcedures('outbox', outbox),
  storage: routeProcedures('storage', storageProcedures),
  course: routeProcedures('course', { ...course, ...duplicateCalls({ copyTasks, copyTests }) }),
  homework: routeProcedures('homework', homeworkProcedures),
  quiz: routeProcedures('quiz', quizProcedures),
  attendance: routeProcedures('attendance', attendance),
  certificate: routeProcedures('certificate', certificateProcedures),
  roadmap: routeProcedures('roadmap', roadmap),
  offer: routeProcedures('offer', offer),
  coupon: routeProcedures('coupon', coupon),
  order: routeProcedures('order', order),
  autowebinar: routeProcedures('autowebinar', autowebinar),
  workshop: routeProcedures('workshop', {
    ...workshop,
    ...extendedCalls({ moreChecks: [readAutowebinarChecks, readMasterclassChecks], copyMore: copyAutowebinar }),
  }),
  meeting: routeProcedures('meeting', meeting),
  registration: routeProcedures('registration', registration),
  masterclass: routeProcedures('masterclass', masterclass),
  mentoring: routeProcedures('mentoring', mentoring),
  schedule: routeProcedures('schedule', schedule),
  chat: routeProcedures('chat', chatProcedures),
  inbox: routeProcedures('inbox', inboxProcedures),
  statistics: routeProcedures('statistics', statistics),
  automation: routeProcedures('automation', automationProcedures),
}
export type Router = typeof router
