import { overSocket } from './product.ts'

/**
 * The locals that the middleware sets for a person on a page, computed by its functions. `label` is that of the host.
 */
export async function constantLocals(
  socketDir: string,
  { label, token, path }: { label: string; token: string; path: string },
): Promise<object> {
  process.env.DATABASE_URL = overSocket(socketDir)
  const { findActor } = await import('#lib/user/session.ts')
  const { findRoute } = await import('#lib/core/access/routes.ts')
  const actor = await findActor(token, label)
  delete process.env.DATABASE_URL
  if (!actor) throw new Error(`nobody is signed in for ${path}`)
  const host = label === 'go' ? { kind: 'go' } : { kind: 'school', subdomain: label }
  const given = { host, actor, route: findRoute(path), token: null, notice: null, locale: 'uk', theme: 'system' }
  return { ...given, school: { id: actor.tenantId, name: actor.tenantName, subdomain: actor.subdomain } }
}
