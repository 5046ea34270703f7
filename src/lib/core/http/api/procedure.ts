import { os } from '@orpc/server'
import { z } from 'zod'
import type { Actor } from '../../shared/actor.ts'
import type { Locale } from '../../shared/locale.ts'
import { hasRole, type Role } from '../../shared/role.ts'
import type { Translate } from '../../shared/text/strings.ts'
import { Refusal } from '../refusal.ts'

/** The request data that a procedure can read. */
export interface ApiContext {
  actor: Actor | null
  token: string | null
  locale: Locale
  t: Translate
  requestId: string
  address: string
  userAgent: string
  /** The device cookie of the browser. */
  device: string | null
  /** Sets the sign-in cookie on the response; null clears it. */
  setToken(token: string | null): void
  /** Sets the device cookie on the response; null keeps the one that the browser has. */
  setDevice(device: string | null): void
}

/** Without a login session. Path and method follow from the names: see `routeProcedures` in src/lib/api.ts. */
export const publicProcedure = os.$context<ApiContext>()

/** For signed-in users: `context.actor` is set. Refuses with unauthorized. */
export const signedInProcedure = publicProcedure.use(({ context, next }) => {
  if (!context.actor) throw new Refusal('unauthorized')
  return next({ context: { actor: context.actor } })
})

/** For these roles only. Refuses with unauthorized or forbidden; other permissions are checked in the domain function. */
export function procedureForRoles(...roles: Role[]) {
  return signedInProcedure.use(({ context, next }) => {
    if (!hasRole(context.actor, roles)) throw new Refusal('forbidden')
    return next()
  })
}

/** The output of a procedure that returns no data. */
export const NoOutput = z.object({ done: z.literal(true) })
export const noOutput = () => ({ done: true }) as const

/** The input of a procedure that needs no data. */
export const NoInput = z.object({}).optional()
