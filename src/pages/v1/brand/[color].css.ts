import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { createBrandStylesheet } from '#lib/tenant/brand-color.ts'

/** The stylesheet of a brand color. It depends on the URL only. */
export const GET: APIRoute = ({ params }) => {
  const color = params.color ?? ''
  if (!/^[0-9a-f]{6}$/.test(color)) throw new Refusal('not_found')
  const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=86400' }
  return new Response(createBrandStylesheet(`#${color}`), { headers })
}
