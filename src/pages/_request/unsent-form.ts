import { z } from 'zod'
import { findRoute } from '#lib/core/access/routes.ts'
import type { UnsentForm } from '#lib/core/http/form.ts'

/** Paths such as `//elsewhere` and `/\elsewhere` lead away from it. */
const OWN_ORIGIN = 'http://own.invalid'

const Posted = z.object({
  to: z.string().startsWith('/').max(500),
  fields: z.array(z.tuple([z.string(), z.string()])).max(2000),
})

/** Reads the form that a sign-in form carries; null for anything that was not kept for a page that asks for it. */
export function readUnsentForm(text: string | undefined): UnsentForm | null {
  if (!text) return null
  try {
    const unsentForm = Posted.parse(JSON.parse(text))
    const { origin, pathname } = new URL(unsentForm.to, OWN_ORIGIN)
    return origin === OWN_ORIGIN && findRoute(pathname)?.keepsUnsentForm ? unsentForm : null
  } catch {
    return null
  }
}
