import type { APIContext, MiddlewareNext } from 'astro'
import { hostNameOf, parseHost, subdomainOf } from '#lib/core/access/host.ts'
import { ALIASES, findRoute } from '#lib/core/access/routes.ts'
import { config } from '#lib/core/config/config.ts'
import { cookieOf, expiredTokenCookies, STUDENT_VIEW_COOKIE, TOKEN_COOKIE, tokenOf } from '#lib/core/http/cookies.ts'
import { createErrorResponse } from '#lib/core/http/error-response.ts'
import { keepUnsentForm } from '#lib/core/http/form.ts'
import { isOwnOrigin } from '#lib/core/http/origin.ts'
import { runGuarded } from '#lib/core/http/read-only.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { completeContentSecurityPolicy, preventCaching } from '#lib/core/http/response-headers.ts'
import { guardRoute } from '#lib/core/http/route-guard.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { offeredLocale } from '#lib/core/i18n/language-offer.ts'
import { redirectToChosenLocale } from '#lib/core/i18n/locale-choice.ts'
import { DEFAULT_LOCALE, isLocale } from '#lib/core/shared/locale.ts'
import { THEMES } from '#lib/core/shared/shell-view.ts'
import { findViewingActor } from '#lib/student/viewing/viewing.ts'
import { isSuspended } from '#lib/tenant/status.ts'
import { findTenant, findTenantByDomain } from '#lib/tenant/tenant.ts'
import { findActor } from '#lib/user/session.ts'

/** Finds the tenant by the host alone, never by the body. */
function resolveHost(context: APIContext): void {
  const { locals, request, url } = context
  locals.host = parseHost(locals.hostHeader ?? request.headers.get('host') ?? '', config.baseDomain)
  locals.requestId ??= crypto.randomUUID()
  locals.address ??= context.clientAddress
  locals.route = context.routePattern === '/404' ? null : findRoute(ALIASES[url.pathname.slice(1)] ?? url.pathname)
  locals.sentryDsn = config.sentryDsn ?? null
  // An error page is rendered for the actor of the failed request.
  if (locals.failure) return
  locals.school = null
  locals.notice = null
  locals.token = null
  locals.actor = null
}

/** Loads the actor by the token and the host in one round trip. */
async function loadSession({ locals, request }: APIContext): Promise<void> {
  if (locals.failure) return
  locals.token = tokenOf(request.headers.get('authorization'), cookieOf(request.headers.get('cookie'), TOKEN_COOKIE))
  const actor = locals.token ? await findActor(locals.token, subdomainOf(locals.host)) : null
  locals.actor = actor && { ...actor, address: locals.address }
  const view = locals.actor && locals.host.kind === 'go' && cookieOf(request.headers.get('cookie'), STUDENT_VIEW_COOKIE)
  if (locals.actor && view) locals.actor = (await findViewingActor(locals.actor, view)) ?? locals.actor
  if (locals.host.kind === 'unknown') return resolveCustomDomain(locals, request)
  if (locals.host.kind !== 'school') return
  const isOwnTenant = actor?.subdomain === locals.host.subdomain && actor.accountType !== 'ACCOUNT_TYPE_STUDENT'
  locals.school = isOwnTenant
    ? { id: actor.tenantId, name: actor.tenantName, subdomain: actor.subdomain }
    : await findTenant(locals.host.subdomain)
  if (!locals.school && (await isSuspended(locals.host.subdomain))) throw new Refusal('suspended')
}

/** The sign-in cookie is not sent to a custom domain, so visitors are never signed in there. */
async function resolveCustomDomain(locals: App.Locals, request: Request): Promise<void> {
  const school = await findTenantByDomain(hostNameOf(locals.hostHeader ?? request.headers.get('host') ?? ''))
  if (!school) return
  locals.actor = null
  locals.school = school
  locals.host = { kind: 'custom', subdomain: school.subdomain }
}

function chooseLocale({ locals, cookies, request }: APIContext): void {
  const chosen = cookies.get('locale')?.value
  locals.locale = isLocale(chosen) ? chosen : (locals.actor?.locale ?? DEFAULT_LOCALE)
  const mayChoose = !isLocale(chosen) && !locals.actor
  const offered = mayChoose ? offeredLocale(request.headers.get('accept-language'), locals.locale) : null
  locals.languageOffer = offered && { locale: offered, text: getTranslator(offered)('shell:language.offer') }
  const theme = cookies.get('theme')?.value
  locals.theme = THEMES.find((known) => known === theme) ?? 'system'
  locals.t = getTranslator(locals.locale)
}

// Providers redirect buyers by a form post; the endpoint redirects and changes nothing.
const isPaymentReturn = (pathname: string): boolean => pathname.startsWith('/v1/payment/return/')

/** The error handler of pages: a Refusal or a bug becomes an error page with its status. */
async function handleRequest(context: APIContext, next: MiddlewareNext): Promise<Response> {
  try {
    await loadSession(context)
    chooseLocale(context)
    const { request, locals } = context
    const host = locals.hostHeader ?? request.headers.get('host')
    if (!isOwnOrigin(request.method, request.headers, host) && !isPaymentReturn(context.url.pathname))
      throw new Refusal('bad_origin')
    // PostgreSQL does not accept NUL in texts.
    if (context.url.search.includes('%00')) throw new Refusal('invalid')
    const signInRequest = await keepUnsentForm(context)
    if (signInRequest) return preventCaching(locals, await context.rewrite(signInRequest))
    const response =
      redirectToChosenLocale(context) ??
      guardRoute(context) ??
      completeContentSecurityPolicy(await runGuarded(context, next), locals.formOrigin)
    return preventCaching(locals, response)
  } catch (error) {
    return preventCaching(context.locals, await createErrorResponse(context, error))
  }
}

/** One function instead of Astro's `sequence`, which creates a new context for each step. */
export async function onRequest(context: APIContext, next: MiddlewareNext): Promise<Response> {
  resolveHost(context)
  // First by the cookies only, so that the error page has a language when the session cannot be read.
  chooseLocale(context)
  const response = await handleRequest(context, next)
  for (const cookie of expiredTokenCookies(context.request.headers.get('cookie'), context.url.pathname)) {
    response.headers.append('set-cookie', cookie)
  }
  return response
}
