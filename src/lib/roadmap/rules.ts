import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { canSeeCourse } from '#lib/course/rules.ts'

export interface RoadmapFacts {
  tenantId: string
  visibility: 'public' | 'link' | 'students'
  published: boolean
}

/**
 * May read a road map: everybody once it is published, students of the tenant where it is limited to them, course staff
 * always.
 */
export function canReadRoadmap(
  actor: { tenantId: string; roles: readonly Role[] } | null,
  roadmap: RoadmapFacts,
): Verdict {
  const tenantActor = actor?.tenantId === roadmap.tenantId ? actor : null
  if (tenantActor && canSeeCourse(tenantActor).allow) return allow('course_staff')
  if (!roadmap.published) return deny('not_published')
  if (roadmap.visibility !== 'students') return allow('open')
  return tenantActor && hasRole(tenantActor, ['STUDENT']) ? allow('student') : deny('students_only')
}
