import { room } from './core/http/room.ts'
import { user } from './user/api.ts'

/** The API, room by room. */
export const router = {
  user: room('user', user),
}
export type Router = typeof router
