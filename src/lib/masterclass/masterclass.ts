import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type Invitation, readInvitation } from '#lib/registration/invitation.ts'
import { readContent } from './content.ts'
import { effectiveGate, openState } from './rules.ts'
import type { MasterclassContent } from './schema.ts'

export interface MasterclassPage {
  event: Invitation
  /** Without the access code and the videos. */
  content: Omit<MasterclassContent, 'code' | 'parts' | 'calls'>
  parts: {
    id: string
    title: string
    text: string
    unlock: 'open' | 'date' | 'afterDays'
    unlockAt: string | null
    unlockDays: number
  }[]
  state: 'early' | 'open' | 'over'
}

/** Public page of a masterclass. Drafts are for staff only. Refuses with not_found. */
export async function readMasterclassPage(
  tenantId: string,
  actor: Actor | null,
  input: { workshopId: string },
  now = new Date(),
): Promise<MasterclassPage> {
  const event = await readInvitation(tenantId, actor, input, now)
  if (event.type !== 'masterclass') throw new Refusal('not_found')
  const { content } = await inTenant({ tenantId }, (tx) => readContent(tx, event.id))
  const { code: _code, parts, calls: _calls, ...rest } = content
  return {
    event,
    content: { ...rest, gate: effectiveGate(rest.gate, event.access) },
    state: openState(content, now),
    parts: parts.map(({ id, title, text, unlock, unlockAt, unlockDays }) => ({
      id,
      title,
      text,
      unlock,
      unlockAt,
      unlockDays,
    })),
  }
}
