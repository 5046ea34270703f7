import { readUntenanted } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getSecondFactor } from './second-factor.ts'
import { listSessions } from './session.ts'
import { getPersonal } from './user.ts'

/** The data of the account page: personal data, signed-in devices and the second factor, in one round trip. */
export function getAccount(actor: Actor) {
  return readUntenanted(async () => {
    const [personal, sessions, secondFactor] = await Promise.all([
      getPersonal(actor),
      listSessions(actor),
      getSecondFactor(actor),
    ])
    return { personal, sessions, secondFactor }
  })
}
