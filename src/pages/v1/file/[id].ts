import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findFile, readFile } from '#lib/storage/storage.ts'

/** A file of the school of whoever asks. It is never run: no scripts, no frames, no guessing at its type. */
export const GET: APIRoute = async ({ locals, params, request }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const id = params.id ?? ''
  const { sha256, mime } = await findFile(locals.actor, id)
  const headers = {
    etag: `"${sha256}"`,
    'cache-control': 'private, max-age=3600',
    'content-type': mime,
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-site',
    vary: 'cookie',
  }
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
  const { bytes } = await readFile(locals.actor, id)
  return new Response(bytes, { headers })
}
