import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { listGroups } from '#lib/course/group/group.ts'
import { createInvitationLink, revokeInvitationLink } from '#lib/course/invitation-link/invitation-link.ts'
import { saveRegistrationForm } from '#lib/student/registration-form/registration-form.ts'

/** Links to a course and a group of it, an expired one, and the registration form for students. */
export async function addInvitationLinks(owner: Actor, courseId: string): Promise<void> {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const [group] = await listGroups(owner, { courseId })
  const links = [
    { label: 'Канал школи', maxUses: 50, expiresAt: inDays(30) },
    { label: 'Студенти університету', emailDomain: 'university.edu.ua', groupId: group?.id ?? null },
    { label: 'Оголошення у вересні', maxUses: 20 },
  ]
  for (const link of links) {
    const { linkId } = await createInvitationLink(owner, { linkId: newId(), courseId, ...link })
    if (link.label === 'Оголошення у вересні') await revokeInvitationLink(owner, { linkId })
  }
  await saveRegistrationForm(owner, {
    revision: 0,
    isOpen: true,
    fields: [
      { id: 'city', label: 'Місто', kind: 'line', options: [], required: false },
      {
        id: 'experience',
        label: 'Досвід виступів',
        kind: 'dropdown',
        options: ['Ще не виступаю', 'Кілька разів на рік', 'Щомісяця'],
        required: false,
      },
    ],
    consentText: '',
    consentUrl: null,
  })
}
