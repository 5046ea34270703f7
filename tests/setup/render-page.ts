import reactRenderer from '@astrojs/react/server.js'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { findRoute } from '#lib/core/access/routes.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]
export type PageModules = Record<string, { default: Component }>

const container = await AstroContainer.create()
container.addServerRenderer({ name: '@astrojs/react', renderer: reactRenderer })
container.addClientRenderer({ name: '@astrojs/react', entrypoint: '@astrojs/react/client.js' })

interface PageRequest {
  /** Path with query. */
  path: string
  actor: Actor | null
  /** Fields of a posted form. */
  body?: Record<string, string> | undefined
  locale?: Locale
  notice?: App.Locals['notice']
  /** The values of the route's placeholders. */
  params?: Record<string, string>
  /** The school of the host, on its public pages. */
  school?: TenantView | null
  host?: App.Locals['host']
  /** The language that the page offers to the visitor. */
  offeredLocale?: Locale | null
}

/** Renders a page of the cabinet, as the server does after the route guard; spaces in the HTML are plain ones. */
export async function renderPage(
  page: { default: Component } | undefined,
  {
    path,
    actor,
    body,
    locale = 'uk',
    notice = null,
    params = {},
    school = null,
    host,
    offeredLocale = null,
  }: PageRequest,
): Promise<{ status: number; to: string | null; html: string }> {
  if (!page) throw new Error('there is no such page')
  const form = body && new URLSearchParams(Object.entries(body))
  const url = `http://${actor?.subdomain ?? 'go'}.kafedra.localhost${path}`
  const locals: App.Locals = Object.assign(Object.create(null), {
    actor,
    locale,
    languageOffer: offeredLocale && {
      locale: offeredLocale,
      text: getTranslator(offeredLocale)('shell:language.offer'),
    },
    theme: 'system',
    t: getTranslator(locale),
    address: '10.9.0.1',
    host: host ?? { kind: 'school', subdomain: school?.subdomain ?? actor?.subdomain ?? 'go' },
    school,
    route: findRoute(path.replace(/\?.*$/, '')),
    notice,
    sentryDsn: null,
  })
  const request = new Request(url, form ? { method: 'POST', body: form } : {})
  const response = await container.renderToResponse(page.default, { request, locals, params, partial: false })
  const html = (await response.text()).replace(/[\u00a0\u202f]/g, ' ')
  return { status: response.status, to: response.headers.get('location'), html }
}
