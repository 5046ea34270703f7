import { z } from 'zod'
import { PublishCheck, RegistrantCounts } from '../output-schema.ts'
import { ButtonContent, HandoutContent, PollContent } from '../session/event-schema.ts'

const TeamMember = z.object({
  memberId: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(
    z.enum(['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT']),
  ),
  assignable: z.array(z.enum(['host', 'speaker', 'moderator'])),
  assigned: z.array(z.enum(['host', 'speaker', 'moderator'])),
})

export const PreparedItemsByKind = z.object({
  button: z.array(z.object({ id: z.string(), content: ButtonContent })),
  poll: z.array(z.object({ id: z.string(), content: PollContent })),
  handout: z.array(z.object({ id: z.string(), content: HandoutContent })),
})

const ModuleCheck = z.object({
  key: z.enum(['masterclassVideo', 'autowebinarVideo', 'sessions']),
  passed: z.boolean(),
  refusal: z.string(),
  path: z.string(),
})

export const EventReadiness = z.object({
  checks: z.array(PublishCheck),
  moduleChecks: z.array(ModuleCheck),
  people: RegistrantCounts,
  canUnpublish: z.boolean(),
})

export const ListStaffWorkshopOutput = z.array(TeamMember)
