import { z } from 'zod'
import { NoInput, NoOutput, noOutput, procedureForRoles, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { addDomain, checkDomain, isDomainServed, removeDomain } from './domain.ts'
import { removeLogo } from './logo.ts'
import { DomainOutput, SchoolSettingsOutput } from './output-schema.ts'
import { confirmReplyTo, removeReplyTo, requestReplyTo } from './reply-to.ts'
import * as schema from './schema.ts'
import { getSettings, updateSchool } from './settings.ts'
import { changeSubdomain } from './subdomain.ts'

const managers = procedureForRoles('OWNER', 'DIRECTOR')

export const settings = {
  getSettings: managers
    .route({ summary: 'Returns the settings of the school' })
    .input(NoInput)
    .output(SchoolSettingsOutput)
    .handler(({ context }) => getSettings(context.actor)),
  updateSchool: managers
    .route({ summary: "Changes the school's name, language, time zone and color" })
    .input(schema.UpdateSchool)
    .output(z.object({ revision: z.number() }))
    .handler(({ input, context }) => updateSchool(context.actor, input)),
  changeSubdomain: managers
    .route({ summary: 'Changes the subdomain of the school; the old one redirects' })
    .input(schema.ChangeSubdomain)
    .output(z.object({ subdomain: z.string() }))
    .handler(({ input, context }) => changeSubdomain(context.actor, input)),
  removeLogo: managers
    .route({ summary: 'Removes the logo of the school' })
    .input(NoInput)
    .output(NoOutput)
    .handler(({ context }) => removeLogo(context.actor).then(noOutput)),
  requestReplyTo: managers
    .route({ summary: 'Emails a link that confirms the address for replies to emails of the school' })
    .input(schema.RequestReplyTo)
    .output(NoOutput)
    .handler(({ input, context }) => requestReplyTo(context.actor, input).then(noOutput)),
  confirmReplyTo: managers
    .route({ summary: 'Confirms the address for replies by the link of its email' })
    .input(schema.ConfirmReplyTo)
    .output(NoOutput)
    .handler(({ input, context }) => confirmReplyTo(context.actor, input).then(noOutput)),
  removeReplyTo: managers
    .route({ summary: 'Removes the address for replies' })
    .input(NoInput)
    .output(NoOutput)
    .handler(({ context }) => removeReplyTo(context.actor).then(noOutput)),
  addDomain: managers
    .route({ summary: 'Sets the custom domain of the school' })
    .input(schema.AddDomain)
    .output(NoOutput)
    .handler(({ input, context }) => addDomain(context.actor, input).then(noOutput)),
  checkDomain: managers
    .route({ summary: 'Checks the DNS records of the custom domain' })
    .input(NoInput)
    .output(DomainOutput)
    .handler(({ context }) => checkDomain(context.actor)),
  removeDomain: managers
    .route({ summary: 'Removes the custom domain' })
    .input(NoInput)
    .output(NoOutput)
    .handler(({ context }) => removeDomain(context.actor).then(noOutput)),
  findServedDomain: publicProcedure
    .route({ summary: 'Returns whether a custom domain is served, for a proxy that obtains certificates' })
    .input(schema.IsDomainServed)
    .output(z.object({ served: z.boolean() }))
    .handler(async ({ input }) => ({ served: await isDomainServed(input.domain) })),
}
