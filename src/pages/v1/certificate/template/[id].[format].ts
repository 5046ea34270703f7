import type { APIRoute } from 'astro'
import { renderForVisitor } from '#lib/certificate/issue/render.ts'
import { drawCertificate } from '#lib/certificate/template/draw-image.ts'
import { loadImages } from '#lib/certificate/template/images.ts'
import { loadSample } from '#lib/certificate/template/sample.ts'
import { getTemplate } from '#lib/certificate/template/template.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseId } from '../../../_request/id-param.ts'

const PREVIEW_WIDTH_PX = 640

/** A template with sample data as image or PDF, for course staff. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { actor } = locals
  if (!actor) throw new Refusal('unauthorized')
  const { id: _, version: __, ...template } = await getTemplate(actor, { templateId: parseId(params.id) })
  const sample = await loadSample(actor, { template })
  const drawing = { ...sample, template, images: await loadImages(actor.tenantId, template) }
  const headers = { 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff' }
  if (params.format === 'png') {
    const image = await drawCertificate(drawing, PREVIEW_WIDTH_PX)
    return new Response(Uint8Array.from(image), { headers: { ...headers, 'content-type': 'image/png' } })
  }
  if (params.format !== 'pdf') throw new Refusal('not_found')
  const document = { title: template.name, author: actor.tenantName, createdAt: new Date().toISOString() }
  const bytes = await renderForVisitor({ ...drawing, ...document })
  return new Response(Uint8Array.from(bytes), { headers: { ...headers, 'content-type': 'application/pdf' } })
}
