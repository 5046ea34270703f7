import { router } from '#lib/api.ts'
import { answerCall } from '#lib/core/http/door.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

export interface Reply {
  status: number
  body: Record<string, unknown>
  cookies: string[]
}

/** One call through the API door, as the middleware hands it over: `ask('POST', 'user/login', { body })`. */
export async function ask(
  method: 'GET' | 'POST',
  call: string,
  { body, actor = null, token = null }: { body?: object; actor?: Actor | null; token?: string | null } = {},
): Promise<Reply> {
  const request = new Request(`http://kafedra.localhost:4321/v1/module/${call}`, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    ...(body && method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  const locals = { actor, token, locale: 'uk', t: translator('uk'), requestId: 'test', address: '10.9.0.1' }
  const context = { request, locals } as Parameters<typeof answerCall>[1]
  try {
    const answer = await answerCall(router, context)
    return { status: answer.status, body: await answer.json(), cookies: answer.headers.getSetCookie() }
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { code: error.code }, cookies: [] }
    throw error
  }
}
