import { autowebinar } from '#lib/autowebinar/api.ts'
import { copyScript } from '#lib/autowebinar/autowebinar.ts'
import { scriptChecks } from '#lib/autowebinar/showing.ts'
import { course } from '#lib/course/api.ts'
import { duplicateCalls } from '#lib/course/outline/api.ts'
import { homework } from '#lib/homework/api.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'
import { masterclass } from '#lib/masterclass/api.ts'
import { filmChecks } from '#lib/masterclass/film-check.ts'
import { billing } from './billing/api.ts'
import { room } from './core/http/room.ts'
import { meeting } from './meeting/api.ts'
import { registration } from './registration/api.ts'
import { roadmap } from './roadmap/api.ts'
import { statistics } from './statistics/api.ts'
import { storage } from './storage/api.ts'
import { student } from './student/api.ts'
import { tenant } from './tenant/api.ts'
import { user } from './user/api.ts'
import { aboveCalls, workshop } from './workshop/api.ts'

/** The API, room by room. */
export const router = {
  tenant: room('tenant', tenant),
  user: room('user', user),
  billing: room('billing', billing),
  student: room('student', student),
  storage: room('storage', storage),
  course: room('course', { ...course, ...duplicateCalls(copyTasks) }),
  homework: room('homework', homework),
  roadmap: room('roadmap', roadmap),
  autowebinar: room('autowebinar', autowebinar),
  workshop: room('workshop', {
    ...workshop,
    ...aboveCalls({ moreChecks: [scriptChecks, filmChecks], copyMore: copyScript }),
  }),
  meeting: room('meeting', meeting),
  registration: room('registration', registration),
  masterclass: room('masterclass', masterclass),
  statistics: room('statistics', statistics),
}
export type Router = typeof router
