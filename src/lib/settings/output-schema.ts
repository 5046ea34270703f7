import { z } from 'zod'

export const DomainOutput = z.object({
  domain: z.string(),
  status: z.enum(['pending', 'verified', 'active', 'failed']),
  problem: z.enum(['txt_missing', 'txt_wrong', 'address_missing', 'address_wrong', 'dns_unavailable']).nullable(),
  lastCheckAt: z.date().nullable(),
  records: z.array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })),
})

export const SchoolSettingsOutput = z.object({
  revision: z.number(),
  name: z.string(),
  subdomain: z.string(),
  formerSubdomains: z.array(z.string()),
  locale: z.enum(['uk', 'en']),
  timeZone: z.string(),
  primaryColor: z.string().nullable(),
  logoHash: z.string().nullable(),
  replyTo: z.string().nullable(),
  domain: DomainOutput.nullable(),
})
