type Actor = import('./lib/core/shared/actor.ts').Actor
type Host = import('./lib/core/access/host.ts').Host
type Notice = import('./lib/core/access/route-access.ts').Notice
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
    /** The caller's network address. */
    address: string
    /** Host as the front saw it, or as a trusted proxy named it. */
    hostHeader?: string
    host: Host
    route: Route | null
    /** School of the host, when it names one; without its brand when the visitor is of its team. */
    school: import('./lib/tenant/tenant.ts').TenantView | (OwnSchool & { locale?: never }) | null
    token: string | null
    actor: Actor | null
    locale: Locale
    theme: Theme
    t: Translate
    notice: Notice | null
    /** Where the browser reports errors to, when that is configured. */
    sentryDsn: string | null
    /** Why the error page is shown, when a request failed. */
    failure?: { status: number; message: string }
  }
}

declare module 'astro-i18next' {
  export default function astroI18next(): import('astro').AstroIntegration
}
