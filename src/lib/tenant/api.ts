import { publicProcedure } from '#lib/core/http/api/procedure.ts'
import { FindSubdomain, SubdomainAnswer } from './schema.ts'
import { findSubdomain } from './tenant.ts'

export const tenant = {
  findSubdomain: publicProcedure
    .route({ summary: 'Returns whether a subdomain is available' })
    .input(FindSubdomain)
    .output(SubdomainAnswer)
    .handler(({ input }) => findSubdomain(input)),
}
