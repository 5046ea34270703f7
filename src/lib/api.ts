import { room } from './core/http/room.ts'
import { course } from './course/api.ts'
import { student } from './student/api.ts'
import { user } from './user/api.ts'

/** The API, room by room. */
export const router = {
  user: room('user', user),
  student: room('student', student),
  course: room('course', course),
}
export type Router = typeof router
