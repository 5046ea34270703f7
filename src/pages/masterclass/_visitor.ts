import type { APIContext } from 'astro'
import type { MasterclassVisitor } from '#lib/masterclass/visit.ts'

/** Visitor of a page of this tenant. */
export function getVisitor(
  { locals, request }: Pick<APIContext, 'locals' | 'request'>,
  tenantId: string,
): MasterclassVisitor {
  const { actor, locale, address } = locals
  const own = actor?.tenantId === tenantId ? actor : null
  return { tenantId, actor: own, locale, address, device: detectDevice(request.headers.get('user-agent') ?? '') }
}

function detectDevice(agent: string): MasterclassVisitor['device'] {
  if (/iPad|Tablet/i.test(agent)) return 'tablet'
  if (/Mobi|Android|iPhone/i.test(agent)) return 'phone'
  return agent === '' ? 'unknown' : 'desktop'
}
