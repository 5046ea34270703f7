import type { AstroGlobal } from 'astro'
import { BILLING_PAGE, CREATE, canOpenPage, canUpload, MENU, type MenuRow, SHELL_ACTIONS } from '../access/menu.ts'
import type { PlanNotice } from '../access/route-access.ts'
import { addressOf } from '../config/config.ts'
import type { Actor, MembershipView } from '../shared/actor.ts'
import { formatDate } from '../shared/locale.ts'
import type { Crumb, MenuItem, ShellView, SwitcherEntry } from '../shared/shell-view.ts'
import type { Translate } from '../shared/text/strings.ts'

/** Builds the data of the cabinet frame for a request. `crumbs` lead from the menu to the page; the last has no href. */
export function createShellView(astro: Pick<AstroGlobal, 'locals' | 'url' | 'cookies'>, crumbs: Crumb[]): ShellView {
  const { t, notice } = astro.locals
  const actor = requireActor(astro.locals.actor)
  const menu = MENU.map(({ key, rows }) => ({
    key,
    labelKey: key === 'home' ? null : (`shell:nav.${key}` as const),
    items: rows
      .filter((row) => canOpenPage(actor, row.href) && isForAudience(actor, row))
      .map((row) => menuItem(row, astro.url.pathname)),
  })).filter((group) => group.items.length > 0)
  const create = CREATE.filter((row) => canOpenPage(actor, row.href))
  return {
    actor: { name: displayNameOf(actor), email: actor.email },
    draftOwner: actor.membershipId,
    schoolName: actor.tenantName,
    schoolMark: null,
    switcher: actor.memberships.map((membership) => switcherEntry(membership, actor)),
    menu,
    breadcrumbs: crumbs,
    create: create.map(({ key, icon, href }) => ({ key, icon, href, labelKey: `shell:create.${key}` as const })),
    notice: notice ? createNotice(t, actor, notice) : null,
    canUpload: canUpload(actor),
    unreadNotifications: actor.unreadNotifications,
    signOutAction: SHELL_ACTIONS.signOut,
    menuNarrow: astro.cookies.get('menu')?.value === 'narrow',
  }
}

// Only the owner can open the page on which the plan is renewed.
function createNotice(t: Translate, actor: Actor, notice: PlanNotice): ShellView['notice'] {
  const link = canOpenPage(actor, BILLING_PAGE) ? { href: BILLING_PAGE, actionLabel: t('billing:notice.open') } : null
  const { group } = notice
  const text =
    notice.kind === 'plan_past_due'
      ? t(`billing:pastDue.${group}`, { date: formatDate(notice.until, actor.tenantTimeZone, actor.locale) })
      : t(`billing:notice.${group}`)
  return { text, href: link?.href ?? null, actionLabel: link?.actionLabel ?? null }
}

/** «Олена Коваль», or the email address while there is no name. */
export function displayNameOf(person: { firstName: string; lastName: string; email: string }): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email
}

function requireActor(actor: Actor | null): Actor {
  if (!actor) throw new Error('the cabinet needs a signed-in actor')
  return actor
}

function isForAudience(actor: Actor, { audience }: MenuRow): boolean {
  return !audience || (audience === 'student') === (actor.accountType === 'ACCOUNT_TYPE_STUDENT')
}

function menuItem({ key, icon, href }: MenuRow, pathname: string): MenuItem {
  const current = href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`)
  return { key, icon, href, labelKey: `shell:nav.${key}`, current }
}

// Staff follow a link to their tenant's host; a student's tenants share `go`, so the choice is posted.
function switcherEntry(membership: MembershipView, actor: Actor): SwitcherEntry {
  const entry = {
    name: membership.tenantName,
    current: membership.membershipId === actor.membershipId,
    accountType: membership.accountType,
  }
  if (membership.accountType !== 'ACCOUNT_TYPE_STUDENT') return { ...entry, href: addressOf(membership.subdomain, '/') }
  const fields = { membershipId: membership.membershipId }
  return { ...entry, href: SHELL_ACTIONS.switchMembership, fields }
}
