import type { APIRoute } from 'astro'
import { readCertificate } from '#lib/certificate/issue/public.ts'
import { readPdf } from '#lib/certificate/issue/render.ts'
import { certificateFileName } from '#lib/certificate/issue/zip.ts'
import { schoolOfPage } from '../../../_school.ts'

/** The PDF of a certificate, for everyone with the URL of its public page. */
export const GET: APIRoute = async ({ locals, params }) => {
  const school = await schoolOfPage(locals)
  const found = await readCertificate(school.id, params.publicId ?? '')
  const bytes = await readPdf(school.id, found.id)
  const name = encodeURIComponent(certificateFileName(found)).replace(/['()*]/g, escapeSign)
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="certificate.pdf"; filename*=UTF-8''${name}`,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  }
  return new Response(Uint8Array.from(bytes), { headers })
}

// RFC 8187: characters that encodeURIComponent leaves but the header's grammar does not allow.
const escapeSign = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
