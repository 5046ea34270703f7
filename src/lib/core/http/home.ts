import { homePath } from '../access/gate.ts'
import { STUDENT_SUBDOMAIN } from '../access/host.ts'
import { addressOf } from '../config/config.ts'
import type { Actor } from '../shared/actor.ts'

/** Absolute address of a person's own start page; the landing page for strangers. */
export function homeAddress(actor: Pick<Actor, 'accountType' | 'subdomain'> | null): string {
  if (!actor) return addressOf(null, '/')
  const student = actor.accountType === 'ACCOUNT_TYPE_STUDENT'
  return addressOf(student ? STUDENT_SUBDOMAIN : actor.subdomain, homePath(actor))
}
