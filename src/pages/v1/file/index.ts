import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { MAX_IMAGE_BYTES } from '#lib/core/shared/stored-file.ts'
import { storeImage } from '#lib/storage/video/image.ts'

/** Receives one image as the part `file` of a form. The limit includes space for the other parts of the form. */
export const POST: APIRoute = async ({ locals, request }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const type = request.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('multipart/form-data')) throw new Refusal('wrong_type')
  const body = await readAtMost(request, MAX_IMAGE_BYTES + 64 * 1024)
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  const file = form?.get('file')
  if (!(file instanceof File)) throw new Refusal('invalid', { fields: { file: ['required'] } })
  const stored = await storeImage(locals.actor, { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })
  return Response.json(stored, { status: 201, headers: { 'cache-control': 'no-store' } })
}

// The declared length of a request may be missing or wrong, so the received bytes are counted.
async function readAtMost(request: Request, limit: number): Promise<Blob> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new Refusal('too_large')
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) throw new Refusal('too_large')
    chunks.push(new Uint8Array(chunk))
  }
  return new Blob(chunks)
}
