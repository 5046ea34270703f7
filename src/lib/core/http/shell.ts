import type { AstroGlobal } from 'astro'
import { CREATE, isFor, MENU, type MenuRow } from '../access/menu.ts'
import { addressOf } from '../config/config.ts'
import type { Actor, MembershipView } from '../shared/actor.ts'
import { hasRole } from '../shared/role.ts'
import type { Crumb, MenuItem, Place, ShellView, SwitcherEntry } from '../shared/shell-view.ts'
import type { MessageKey } from '../shared/text/message-key.ts'
import type { Say } from '../shared/text/strings.ts'

/** What the cabinet frame draws for this request. `crumbs` lead from the menu to the page; the last has no href. */
export function shellView(astro: Pick<AstroGlobal, 'locals' | 'url' | 'cookies'>, crumbs: Crumb[]): ShellView {
  const { t, notice } = astro.locals
  const actor = mustBe(astro.locals.actor)
  const menu = MENU.map(({ key, rows }) => ({
    key,
    labelKey: key === 'home' ? null : (`shell:nav.${key}` as const),
    items: rows
      .filter((row) => isFor(actor, row.href) && isTheirs(actor, row))
      .map((row) => menuItem(row, astro.url.pathname)),
  })).filter((group) => group.items.length > 0)
  const create = CREATE.filter((row) => isFor(actor, row.href))
  return {
    actor: { name: nameOf(actor), email: actor.email },
    drafts: actor.membershipId,
    schoolName: actor.tenantName,
    schoolMark: null,
    switcher: actor.memberships.map((membership) => switcherEntry(membership, actor)),
    menu,
    breadcrumbs: crumbs,
    create: create.map(({ key, icon, href }) => ({ key, icon, href, labelKey: `shell:create.${key}` as const })),
    notice: notice ? { text: t(`billing:notice.${notice.group}`), href: null, actionLabel: null } : null,
    // Students send homework, curators say something to it.
    stores: isFor(actor, '/storage') || hasRole(actor, ['STUDENT', 'CURATOR']),
    places: menu.flatMap((group) => group.items.map((item) => place(t, group.labelKey, item))),
    signOutAction: '/v1/module/user/logout',
    menuNarrow: astro.cookies.get('menu')?.value === 'narrow',
  }
}

/** «Олена Коваль», or the e-mail while there is no name. */
export function nameOf(person: { firstName: string; lastName: string; email: string }): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email
}

function mustBe(actor: Actor | null): Actor {
  if (!actor) throw new Error('the cabinet is drawn for somebody signed in')
  return actor
}

function isTheirs(actor: Actor, { whose }: MenuRow): boolean {
  return !whose || (whose === 'student') === (actor.accountType === 'ACCOUNT_TYPE_STUDENT')
}

function menuItem({ key, icon, href }: MenuRow, pathname: string): MenuItem {
  const current = href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`)
  return { key, icon, href, labelKey: `shell:nav.${key}`, current }
}

function place(t: Say, groupKey: MessageKey | null, item: MenuItem): Place {
  return { label: t(item.labelKey), href: item.href, group: groupKey ? t(groupKey) : t('shell:nav.label') }
}

// Staff go to their school's own address; a student's schools share `go`, so the choice is posted.
function switcherEntry(membership: MembershipView, actor: Actor): SwitcherEntry {
  const entry = {
    name: membership.tenantName,
    current: membership.membershipId === actor.membershipId,
    accountType: membership.accountType,
  }
  if (membership.accountType !== 'ACCOUNT_TYPE_STUDENT') return { ...entry, href: addressOf(membership.subdomain, '/') }
  const fields = { membershipId: membership.membershipId }
  return { ...entry, href: '/v1/module/user/switchMembership', fields }
}
