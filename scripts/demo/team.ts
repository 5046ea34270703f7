import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { getSettings, updateSchool } from '#lib/settings/settings.ts'
import { inviteMember } from '#lib/team/invite.ts'
import { changeMember } from '#lib/team/member.ts'
import { InviteMember } from '#lib/team/schema.ts'
import { getTeam } from '#lib/team/team.ts'
import { addVacation } from '#lib/team/vacation.ts'
import { teamAssignments } from '#lib/team-assignments.ts'

const MEMBERS: Record<string, { position: string; role: 'DIRECTOR' | 'EXPERT' | 'CURATOR' }> = {
  'director@kafedra.test': { position: 'Директор школи', role: 'DIRECTOR' },
  'expert@kafedra.test': { position: 'Авторка курсів', role: 'EXPERT' },
  'curator@kafedra.test': { position: 'Куратор потоку', role: 'CURATOR' },
}

/**
 * The color of the school, positions, a vacation and a pending invitation with two roles; each creates an entry in the
 * audit log.
 */
export async function fillTeam(
  owner: Actor,
  { curator, expert }: { curator: Actor; expert: Actor },
  courseId: string,
): Promise<void> {
  const { revision, name, locale, timeZone } = await getSettings(owner)
  await updateSchool(owner, { revision, name, locale, timeZone, primaryColor: '#0f766e' })
  for (const { id, email, revision: memberRevision } of (await getTeam(owner)).members) {
    const member = MEMBERS[email]
    if (!member) continue
    await changeMember(owner, {
      memberId: id,
      revision: memberRevision,
      position: member.position,
      roles: [member.role],
    })
  }
  const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  await addVacation(owner, {
    memberId: curator.membershipId,
    deputyId: expert.membershipId,
    firstDay: dayIn(20),
    lastDay: dayIn(33),
  })
  await inviteMember(
    owner,
    InviteMember.parse({
      email: 'lesia.kurylo@lektoriy.test',
      name: 'Леся Курило',
      position: 'Кураторка',
      roles: ['CURATOR', 'MODERATOR'],
      courseIds: [courseId],
    }),
    teamAssignments,
  )
}
