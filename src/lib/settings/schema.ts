import { z } from 'zod'
import { Email } from '#lib/core/shared/text/email.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { OrganisationName, Subdomain } from '#lib/tenant/schema.ts'

const HexColor = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'color_format')

/** Empty in a form: the default color. */
const OptionalColor = z.union([z.literal('').transform(() => null), z.null(), HexColor])

export const UpdateSchool = z.object({
  /** Revision of the settings that were changed. */
  revision: z.coerce.number().int().min(1).max(2_147_483_647),
  name: OrganisationName,
  locale: z.enum(['uk', 'en']),
  timeZone: z.string().max(64).refine(isTimeZone, 'time_zone'),
  primaryColor: OptionalColor,
})
export type UpdateSchool = z.output<typeof UpdateSchool>

export const ChangeSubdomain = z.object({ subdomain: Subdomain })
export type ChangeSubdomain = z.output<typeof ChangeSubdomain>

export const RequestReplyTo = z.object({ email: Email })
export type RequestReplyTo = z.output<typeof RequestReplyTo>

export const ConfirmReplyTo = z.object({ token: z.string().min(1, 'link_wrong').max(1000, 'link_wrong') })
export type ConfirmReplyTo = z.output<typeof ConfirmReplyTo>

/** A host name of at least two labels; names in other alphabets are accepted and stored as punycode. */
export const CustomDomain = z
  .string()
  .trim()
  .min(1, { error: 'required', abort: true })
  .max(253, { error: 'domain_format', abort: true })
  .transform((text, context) => {
    const domain = asciiDomain(text)
    if (domain !== null) return domain
    context.addIssue({ code: 'custom', message: 'domain_format' })
    return z.NEVER
  })

export const AddDomain = z.object({ domain: CustomDomain })
export type AddDomain = z.output<typeof AddDomain>

export const IsDomainServed = z.object({ domain: z.string().max(253) })

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

function isDomain(hostname: string): boolean {
  const labels = hostname.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && /^[a-z]./.test(labels.at(-1) ?? '')
}

/** The ASCII form of a host name (UTS 46, as in browsers), or null when it is invalid. */
function asciiDomain(text: string): string | null {
  const url = `https://${text.replace(/^https?:\/\//i, '').replace(/\/$/, '')}/`
  if (!URL.canParse(url)) return null
  const { hostname, port, pathname, username } = new URL(url)
  return isDomain(hostname) && port === '' && pathname === '/' && username === '' ? hostname : null
}
