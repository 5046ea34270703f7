import { copyGroup as domainCopyGroup } from '#lib/course/group/copy.ts'
import { finishGroup as domainFinishGroup } from '#lib/course/group/group.ts'
import { listAllGroups as domainListAllGroups } from '#lib/course/group/list.ts'
import { findCandidates as domainFindCandidates, listMembers as domainListMembers } from '#lib/course/group/members.ts'
import { CopyGroup, FindCandidates, FinishGroup, ListAllGroups, ListMembers } from '#lib/course/group/schema.ts'
import { parsed } from './parsed.ts'

export const listAllGroups = parsed(ListAllGroups, domainListAllGroups)
export const listMembers = parsed(ListMembers, domainListMembers)
export const finishGroup = parsed(FinishGroup, domainFinishGroup)
export const findCandidates = parsed(FindCandidates, domainFindCandidates)
export const copyGroup = parsed(CopyGroup, domainCopyGroup)
