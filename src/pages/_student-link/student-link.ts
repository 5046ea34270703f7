import type { AstroGlobal } from 'astro'
import { addressOf } from '#lib/core/config/config.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { confirmEmailCorrection, findEmailCorrection } from '#lib/student/sign-in/correction.ts'
import { findLoginLink, signInByLink } from '#lib/student/sign-in/login-link.ts'
import { type LinkState, StudentLink } from '#lib/student/sign-in/schema.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'
import { attemptForm, type RefusedForm, redirectSignedIn, requestOriginOf, seeOther } from '../_request/form-outcome.ts'

type Kind = 'correction' | 'loginLink'

export interface StudentLinkPage {
  kind: Kind
  title: string
  lead: string
  /** Why the link is invalid. */
  problem: string | null
  /** The link that the button confirms; null when there is nothing to confirm. */
  link: StudentLink | null
  school: TenantView | null
  status: number
}

type Page = Pick<AstroGlobal, 'request' | 'locals' | 'url' | 'cookies'>
type Form = Record<string, string> | null

/**
 * The page of a corrected email address, or the redirect after it was confirmed; null when the URL has no such link.
 */
export async function correctionPage(page: Page, form: Form): Promise<StudentLinkPage | Response | null> {
  const link = linkOf(page, form, 'correction')
  if (!link) return null
  const { done, refused } = await attemptForm(page, StudentLink, form && link, (input) =>
    confirmEmailCorrection(input, { address: page.locals.address }),
  )
  if (done?.invitation) {
    const query = new URLSearchParams({ student: done.invitation, tenant: link.tenant })
    return seeOther(addressOf('go', `/invite-accept?${query}`))
  }
  return describeLink(page, 'correction', link, refused, () => findEmailCorrection(link))
}

/** The page of a login link, or the redirect after the sign-in; null when the URL has no such link. */
export async function loginLinkPage(page: Page, form: Form): Promise<StudentLinkPage | Response | null> {
  const link = linkOf(page, form, 'link')
  if (!link) return null
  const { done, refused } = await attemptForm(page, StudentLink, form && link, (input) =>
    signInByLink(input, requestOriginOf(page)),
  )
  if (done) return redirectSignedIn(done)
  return describeLink(page, 'loginLink', link, refused, () => findLoginLink(link))
}

function linkOf({ url }: Page, form: Form, name: 'correction' | 'link'): StudentLink | null {
  const token = form ? form[name] : url.searchParams.get(name)
  const tenant = form ? form.tenant : url.searchParams.get('tenant')
  return token ? { token, tenant: tenant ?? '' } : null
}

async function describeLink(
  { locals: { t } }: Page,
  kind: Kind,
  link: StudentLink,
  refused: RefusedForm | null,
  find: () => Promise<{ state: LinkState; school: TenantView; email?: string }>,
): Promise<StudentLinkPage> {
  const found = StudentLink.safeParse(link).success ? await find().catch(nullIfWrong) : null
  const school = found?.school ?? null
  const names = { school: school?.name ?? '', email: found?.email ?? '' }
  const shared = { kind, school, problem: null, link: null, status: 200 }
  if (kind === 'correction' && found?.state === 'used') {
    return {
      ...shared,
      title: t('student:link.correction.usedTitle'),
      lead: t('student:link.correction.usedLead', names),
    }
  }
  const reason = refused?.fields.form?.[0] ?? refused?.message
  if (found?.state === 'open' && !reason) {
    return { ...shared, title: t(`student:link.${kind}.title`), lead: t(`student:link.${kind}.lead`, names), link }
  }
  const state = found && found.state !== 'open' ? found.state : 'wrong'
  return {
    ...shared,
    title: t(`student:link.${kind}.endedTitle`),
    lead: t(`student:link.${kind}.endedLead`),
    problem: reason ?? t(`errors:link_${state}`),
    status: refused?.status ?? 410,
  }
}

// An invalid link is reported on the page.
function nullIfWrong(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
