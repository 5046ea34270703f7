import { autowebinar, copyScript, scriptChecks } from './autowebinar/api.ts'
import { billing } from './billing/api.ts'
import { room } from './core/http/room.ts'
import { course, duplicateCalls } from './course/api.ts'
import { copyTasks, homework } from './homework/api.ts'
import { filmChecks, masterclass } from './masterclass/api.ts'
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
