import { inviteMember as domainInviteMember } from '#lib/team/invite.ts'
import { changeMember as domainChangeMember } from '#lib/team/member.ts'
import { ChangeMember, InviteMember } from '#lib/team/schema.ts'
import { parsed } from './parsed.ts'

export const inviteMember = parsed(InviteMember, domainInviteMember)
export const changeMember = parsed(ChangeMember, domainChangeMember)
