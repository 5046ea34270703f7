import { z } from 'zod'
import { nameTextLine } from '#lib/core/shared/text/text.ts'
import { findSubdomainProblem } from './rules.ts'

/** ASCII is required before lower-casing: the Kelvin sign would become a k. */
export const Subdomain = z
  .string()
  .trim()
  .min(1, { error: 'required', abort: true })
  .regex(/^[\x21-\x7e]*$/, { error: 'subdomain_format', abort: true })
  .toLowerCase()
  .superRefine((name, context) => {
    const problem = findSubdomainProblem(name)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

export const OrganisationName = nameTextLine(120).min(1, 'required')

/** Called while the user types, so any short text is accepted: the output contains the problem. */
export const FindSubdomain = z.object({
  subdomain: z.string().max(200),
  organisation: z.string().max(200).optional(),
})
export type FindSubdomain = z.input<typeof FindSubdomain>

export const SubdomainAnswer = z.object({
  subdomain: z.string(),
  available: z.boolean(),
  /** Key of `errors`. */
  reason: z.enum(['subdomain_format', 'subdomain_reserved', 'subdomain_taken']).optional(),
  suggestions: z.array(z.string()),
})
export type SubdomainAnswer = z.infer<typeof SubdomainAnswer>
