import { createInvitationLink as domainCreateInvitationLink } from '#lib/course/invitation-link/invitation-link.ts'
import {
  joinByLink as domainJoinByLink,
  registerByLink as domainRegisterByLink,
} from '#lib/course/invitation-link/join.ts'
import { CreateInvitationLink, JoinByLink, RegisterByLink } from '#lib/course/invitation-link/schema.ts'
import { parsed, parsedFirst } from './parsed.ts'

export const createInvitationLink = parsed(CreateInvitationLink, domainCreateInvitationLink)
export const joinByLink = parsed(JoinByLink, domainJoinByLink)
export const registerByLink = parsedFirst(RegisterByLink, domainRegisterByLink)
