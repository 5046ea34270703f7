type Actor = import('./lib/core/shared/actor.ts').Actor
type Host = import('./lib/core/access/host.ts').Host
type PlanNotice = import('./lib/core/access/route-access.ts').PlanNotice
type Route = import('./lib/core/access/routes.ts').Route
type Locale = import('./lib/core/shared/locale.ts').Locale
type Theme = import('./lib/core/shared/shell-view.ts').Theme
type OwnSchool = Pick<import('./lib/tenant/tenant.ts').TenantView, 'id' | 'name' | 'subdomain'> & {
  logoHash?: undefined
  primaryColor?: undefined
}
type Translate = import('./lib/core/shared/text/strings.ts').Translate

declare namespace App {
  interface Locals {
    requestId: string
    /** Network address of the client. */
    address: string
    /** Host as received by the HTTP server, or as set by a trusted proxy. */
    hostHeader?: string
    host: Host
    route: Route | null
    /** School of the host, if any; without its brand when the visitor is a member of its team. */
    school: import('./lib/tenant/tenant.ts').TenantView | (OwnSchool & { locale?: never }) | null
    token: string | null
    actor: Actor | null
    locale: Locale
    /** The language that the page offers to a visitor who is signed out and has not chosen one; null for none. */
    languageOffer: import('./lib/core/shared/shell-view.ts').LanguageOffer | null
    theme: Theme
    t: Translate
    notice: PlanNotice | null
    /** DSN of the browser's error reports, if configured. */
    sentryDsn: string | null
    /** Another origin to which a form of this page may be sent: that of a payment provider. */
    formOrigin?: string
    /** Why the error page is shown, when a request failed. */
    failure?: { status: number; message: string; code: string | null }
    /** A form that was posted after its login session had ended. */
    unsentForm?: import('./lib/core/http/form.ts').UnsentForm
  }
}

declare module 'astro-i18next' {
  export default function astroI18next(): import('astro').AstroIntegration
}
