import type { APIRoute } from 'astro'
import { readCertificate } from '#lib/certificate/issue/public.ts'
import { loadDrawing } from '#lib/certificate/issue/render.ts'
import { markOf } from '#lib/certificate/rules.ts'
import { drawCertificate, drawShareImage } from '#lib/certificate/template/draw-image.ts'
import { schoolOfPage } from '../../../_school.ts'

const PAGE_WIDTH_PX = 1240

/** The image of a certificate: its page, or with `?share` in the format of social networks. */
export const GET: APIRoute = async ({ locals, params, request, url }) => {
  const school = await schoolOfPage(locals)
  const { id, state } = await readCertificate(school.id, params.publicId ?? '')
  // Checked at each use, so that a revocation is shown at once; only the mark of the state changes the image.
  const headers = { etag: `"${id}-${markOf(state) ?? 'valid'}"`, 'cache-control': 'public, no-cache' }
  if (request.headers.get('if-none-match')?.includes(headers.etag)) return new Response(null, { status: 304, headers })
  const drawing = await loadDrawing(school.id, id)
  const image = url.searchParams.has('share')
    ? await drawShareImage(drawing)
    : await drawCertificate(drawing, PAGE_WIDTH_PX)
  return new Response(Uint8Array.from(image), { headers: { ...headers, 'content-type': 'image/png' } })
}
