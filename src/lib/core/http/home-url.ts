import { STUDENT_SUBDOMAIN } from '../access/host.ts'
import { homePath } from '../access/routes.ts'
import { addressOf } from '../config/config.ts'
import type { Actor } from '../shared/actor.ts'

/** Absolute URL of an actor's start page; of the landing page without an actor. */
export function homeUrl(actor: Pick<Actor, 'accountType' | 'subdomain'> | null): string {
  if (!actor) return addressOf(null, '/')
  const isStudent = actor.accountType === 'ACCOUNT_TYPE_STUDENT'
  return addressOf(isStudent ? STUDENT_SUBDOMAIN : actor.subdomain, homePath(actor))
}
