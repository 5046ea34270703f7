import type { APIRoute } from 'astro'
import { readCertificate } from '#lib/certificate/issue/public.ts'
import { loadDrawing } from '#lib/certificate/issue/render.ts'
import { drawCertificate, drawShareImage } from '#lib/certificate/template/draw-image.ts'
import { schoolOfPage } from '../../../_school.ts'

const PAGE_WIDTH_PX = 1240

/** The image of a certificate: its page, or with `?share` in the format of social networks. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const school = await schoolOfPage(locals)
  const { id } = await readCertificate(school.id, params.publicId ?? '')
  const drawing = await loadDrawing(school.id, id)
  const image = url.searchParams.has('share')
    ? await drawShareImage(drawing)
    : await drawCertificate(drawing, PAGE_WIDTH_PX)
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400, s-maxage=3600' }
  return new Response(Uint8Array.from(image), { headers })
}
