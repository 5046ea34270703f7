import { os } from '@orpc/server'
import { z } from 'zod'
import type { Actor } from '../../shared/actor.ts'
import type { Locale } from '../../shared/locale.ts'
import { hasRole, type Role } from '../../shared/role.ts'
import type { Say } from '../../shared/text/strings.ts'
import { Refusal } from '../refusal.ts'

/** What a procedure knows of its request. */
export interface Context {
  actor: Actor | null
  token: string | null
  locale: Locale
  t: Say
  requestId: string
  address: string
  userAgent: string
  /** The browser's device cookie. */
  device: string | null
  /** Sets the sign-in cookie on the answer; null clears it. */
  setToken(token: string | null): void
  /** Sets the device cookie on the answer. */
  setDevice(device: string): void
}

/** For everybody. Path and method come from the names: see `room` in src/lib/api.ts. */
export const open = os.$context<Context>()

/** For anybody signed in: the handler's `context.actor` is there. Refuses with unauthorized. */
export const signedIn = open.use(({ context, next }) => {
  if (!context.actor) throw new Refusal('unauthorized')
  return next({ context: { actor: context.actor } })
})

/** For these roles only. Refuses with unauthorized or forbidden; what may be done is decided in the domain function. */
export function forRoles(...roles: Role[]) {
  return signedIn.use(({ context, next }) => {
    if (!hasRole(context.actor, roles)) throw new Refusal('forbidden')
    return next()
  })
}

/** The answer of an act that has nothing to tell. */
export const Done = z.object({ done: z.literal(true) })
export const done = () => ({ done: true }) as const
