import type { APIContext } from 'astro'
import type { Visitor } from '#lib/masterclass/visit.ts'

/** Who asks for a page of this school. */
export function comerOf({ locals, request }: Pick<APIContext, 'locals' | 'request'>, tenantId: string): Visitor {
  const { actor, locale, address } = locals
  const own = actor?.tenantId === tenantId ? actor : null
  return { tenantId, actor: own, locale, address, device: deviceOf(request.headers.get('user-agent') ?? '') }
}

function deviceOf(agent: string): Visitor['device'] {
  if (/iPad|Tablet/i.test(agent)) return 'tablet'
  if (/Mobi|Android|iPhone/i.test(agent)) return 'phone'
  return agent === '' ? 'unknown' : 'desktop'
}
