import type { APIContext, MiddlewareNext } from 'astro'
import { labelOf, parseHost } from '#lib/core/access/host.ts'
import { ALIASES, findRoute } from '#lib/core/access/routes.ts'
import { config } from '#lib/core/config/config.ts'
import { chooseLanguage } from '#lib/core/http/choice.ts'
import { answerFailure } from '#lib/core/http/failure.ts'
import { isOwnOrigin } from '#lib/core/http/origin.ts'
import { admit, tokenOf } from '#lib/core/http/passage.ts'
import { completePolicy } from '#lib/core/http/policy.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import { DEFAULT_LOCALE, isLocale } from '#lib/core/shared/locale.ts'
import { THEMES, type Theme } from '#lib/core/shared/shell-view.ts'
import { findTenant } from '#lib/tenant/tenant.ts'
import { findActor } from '#lib/user/user.ts'

/** Which school, by the host alone; never by what the body says. */
function tenant(context: APIContext): void {
  const { locals, request, url } = context
  locals.host = parseHost(locals.hostHeader ?? request.headers.get('host') ?? '', config.baseDomain)
  locals.requestId ??= crypto.randomUUID()
  locals.address ??= context.clientAddress
  locals.route = context.routePattern === '/404' ? null : findRoute(ALIASES[url.pathname.slice(1)] ?? url.pathname)
  locals.school = null
  locals.notice = null
  locals.sentryDsn = config.sentryDsn ?? null
}

/** Who acts, by the token and the host: one round trip. */
async function session({ locals, request, cookies }: APIContext): Promise<void> {
  locals.token = tokenOf(request.headers.get('authorization'), cookies.get('token')?.value)
  locals.actor = locals.token ? await findActor(locals.token, labelOf(locals.host)) : null
  if (locals.host.kind !== 'school') return
  const { actor } = locals
  const own = actor?.subdomain === locals.host.subdomain && actor.accountType !== 'ACCOUNT_TYPE_STUDENT'
  locals.school = own
    ? { id: actor.tenantId, name: actor.tenantName, subdomain: actor.subdomain }
    : await findTenant(locals.host.subdomain)
}

function locale({ locals, cookies }: APIContext): void {
  const chosen = cookies.get('locale')?.value
  locals.locale = isLocale(chosen) ? chosen : (locals.actor?.locale ?? DEFAULT_LOCALE)
  const theme = cookies.get('theme')?.value as Theme
  locals.theme = THEMES.includes(theme) ? theme : 'system'
  locals.t = translator(locals.locale)
}

/** The one catcher of pages: an expected no or a bug becomes an error page with the right status. */
async function guard(context: APIContext, next: MiddlewareNext): Promise<Response> {
  try {
    if (!isOwnOrigin(context.request.method, context.request.headers)) throw new Refusal('bad_origin')
    return chooseLanguage(context) ?? admit(context) ?? completePolicy(await next())
  } catch (error) {
    return answerFailure(context, error)
  }
}

/** One function instead of Astro's `sequence`, which makes a new context for each step. */
export async function onRequest(context: APIContext, next: MiddlewareNext): Promise<Response> {
  tenant(context)
  await session(context)
  locale(context)
  return guard(context, next)
}
