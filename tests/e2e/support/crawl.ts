import { DomUtils, parseDocument } from 'htmlparser2'
import { findRoute } from '../../../src/lib/core/access/routes.ts'
import { type HttpResponse, sendRequest } from '../../setup/media/http-request.ts'

/** HTML as sent by the server. */
export interface SentPage {
  /** Crawler, method and URL, for messages. */
  name: string
  crawler: Crawler
  method: 'GET' | 'POST'
  url: URL
  /** The row of the route table, or null. */
  pattern: string | null
  status: number
  html: string
}

export interface Crawler {
  /** A name for messages. */
  name: string
  /** Cookies of the requests. */
  cookie: string
}

type Document = ReturnType<typeof parseDocument>

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const OUTBOX_PATH = '/dev/outbox'

/**
 * Crawls the pages that are linked from `starts` within the same host: one page of each kind (route, parameter names,
 * tab) and one for each filter of a list. Forms with required fields are also submitted empty.
 */
export async function crawlPages(crawler: Crawler, starts: readonly string[]): Promise<SentPage[]> {
  const pages: SentPage[] = []
  const seen = new Set<string>()
  const queue = starts.map((href) => ({ url: new URL(href), from: '' }))
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { url, from } = next
    const kind = pageKindOf(url, from)
    if (seen.has(kind)) continue
    seen.add(kind)
    const answer = await requestPage(crawler, url)
    const { location } = answer.headers
    if (location) queue.push(...crawlableLinks(url, [location]).map((to) => ({ url: to, from })))
    if (!isHtml(answer) && !isFailure(answer)) continue
    pages.push(createSentPage(crawler, 'GET', url, answer))
    const document = parseDocument(answer.body)
    const hrefs = DomUtils.getElementsByTagName('a', document).map(({ attribs }) => attribs.href ?? '')
    queue.push(...crawlableLinks(url, hrefs).map((to) => ({ url: to, from: url.search })))
    for (const form of requiredForms(document, url)) {
      const posted = `${url.pathname.replace(UUID, '')} ${form.to.pathname.replace(UUID, '')} ${[...form.fields.keys()]}`
      if (seen.has(posted)) continue
      seen.add(posted)
      const refusal = await requestPage(crawler, form.to, form.fields)
      pages.push(createSentPage(crawler, 'POST', form.to, refusal))
    }
  }
  return pages
}

/** Sends a request of a crawler; forms have the origin of the same host. */
export function requestPage(
  { cookie }: Crawler,
  url: URL,
  form?: URLSearchParams,
  origin = url.origin,
): Promise<HttpResponse> {
  const headers = { accept: 'text/html', cookie, ...(form && { origin }) }
  return sendRequest(Number(url.port), url.hostname, url.pathname + url.search, {
    headers,
    ...(form && { body: form }),
  })
}

export const createSentPage = (
  crawler: Crawler,
  method: SentPage['method'],
  url: URL,
  answer: HttpResponse,
): SentPage => ({
  name: `${crawler.name} ${method} ${url.href} → ${answer.status}`,
  crawler,
  method,
  url,
  pattern: findRoute(url.pathname)?.pattern ?? null,
  status: isFailure(answer) ? 500 : answer.status,
  html: answer.body,
})

/** Forms of an invitation redirect to the error page when they fail. */
const isFailure = ({ status, headers }: HttpResponse): boolean =>
  status >= 500 || (headers.location ?? '').startsWith('/500?message=unexpected')

const isHtml = ({ headers }: HttpResponse): boolean => (headers['content-type'] ?? '').startsWith('text/html')

// Filters of a list by state: the linked pages differ.
const STATE_FILTER = /^\?(?:status|type|publication|tab)=\w+$/

function pageKindOf(url: URL, from: string): string {
  const { pathname, searchParams } = url
  const parts = ['tab', 'part', 'from', 'status', 'type', 'publication'].map(
    (name) => searchParams.get(name)?.replace(UUID, '') ?? '',
  )
  const names = [...searchParams.keys()].sort()
  const behind = UUID.test(pathname) && names.length === 0 && STATE_FILTER.test(from) ? from : ''
  return [url.host, pathname.replaceAll(new RegExp(UUID, 'g'), '{id}'), names, parts, behind].join(' ')
}

function crawlableLinks(page: URL, hrefs: readonly string[]): URL[] {
  return hrefs
    .map((href) => new URL(href, page))
    .filter(({ host, pathname }) => host === page.host && !pathname.startsWith('/v1/') && pathname !== OUTBOX_PATH)
    .filter(({ pathname, searchParams }) => [...searchParams].length <= (UUID.test(pathname) ? 2 : 1))
}

function requiredForms(document: Document, page: URL): { to: URL; fields: URLSearchParams }[] {
  return DomUtils.getElementsByTagName('form', document)
    .filter(({ attribs }) => attribs.method === 'post' && !attribs.action?.startsWith('/v1/'))
    .flatMap((form) => {
      const controls = DomUtils.getElementsByTagName((name) => name === 'input' || name === 'textarea', form)
      const typed = controls.filter(({ attribs }) => !UNTYPED_CONTROLS.has(attribs.type ?? 'text'))
      if (!typed.some(({ attribs }) => attribs.required !== undefined)) return []
      const hidden = controls.filter(({ attribs }) => attribs.type === 'hidden')
      const fields = new URLSearchParams([
        ...hidden.map(({ attribs }): [string, string] => [attribs.name ?? '', attribs.value ?? '']),
        ...typed.map(({ attribs }): [string, string] => [attribs.name ?? '', '']),
      ])
      return [{ to: new URL(form.attribs.action ?? '', page), fields }]
    })
}

const UNTYPED_CONTROLS = new Set(['hidden', 'checkbox', 'radio', 'file', 'submit', 'button', 'range', 'color'])
