import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { requireStudentRow } from './card.ts'
import type { ListSection } from './schema.ts'
import type { CardSection, SectionPage } from './section.ts'

/** A page of a tab of a module. Refuses with forbidden, not_found (also an unknown tab), invalid (cursor). */
export function listSection(actor: Actor, input: ListSection, sections: readonly CardSection[]): Promise<SectionPage> {
  requireStudentAdministrator(actor)
  const { studentId, section: key, cursor } = input
  const section = sections.find((candidate) => candidate.key === key)
  return inTenant(actor, async (tx) => {
    const [page] = await Promise.all([section?.list?.(tx, studentId, cursor), requireStudentRow(tx, studentId)])
    if (!page) throw new Refusal('not_found')
    return page
  })
}
