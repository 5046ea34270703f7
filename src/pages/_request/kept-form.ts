import { z } from 'zod'
import { findRoute } from '#lib/core/access/routes.ts'
import type { KeptForm } from '#lib/core/http/form.ts'

/** Paths such as `//elsewhere` and `/\elsewhere` lead away from it. */
const OWN_ORIGIN = 'http://own.invalid'

const Posted = z.object({
  to: z.string().startsWith('/').max(500),
  fields: z.array(z.tuple([z.string(), z.string()])).max(2000),
})

/** Reads the form that a sign-in form carries; null for anything that was not kept for a page that asks for it. */
export function readKeptForm(text: string | undefined): KeptForm | null {
  if (!text) return null
  try {
    const kept = Posted.parse(JSON.parse(text))
    const { origin, pathname } = new URL(kept.to, OWN_ORIGIN)
    return origin === OWN_ORIGIN && findRoute(pathname)?.keepsForm ? kept : null
  } catch {
    return null
  }
}
