import type { APIRoute } from 'astro'
import { printInvoice } from '#lib/offer/transfer/invoice.ts'
import { schoolOfPage } from '../../../_school.ts'

/** The invoice of an order that is paid by bank transfer, for everyone with the address of the order. */
export const GET: APIRoute = async ({ locals, params }) => {
  const school = await schoolOfPage(locals)
  const { number, bytes } = await printInvoice(school.id, params.publicId ?? '', locals.locale)
  return new Response(Uint8Array.from(bytes), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="invoice-${number}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  })
}
