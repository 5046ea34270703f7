import type { Locale } from './locale.ts'
import type { AccountType } from './role.ts'
import type { MessageKey } from './text/message-key.ts'

const LAYOUTS = ['default', 'login', 'cabinet', 'empty', 'masterclass', 'roadMap', 'studentPreview'] as const
export type LayoutName = (typeof LAYOUTS)[number]

export const THEMES = ['system', 'day', 'night'] as const
export type Theme = (typeof THEMES)[number]

/** The page in another language, offered in that language. */
export interface LanguageOffer {
  locale: Locale
  text: string
}

/** The icons of the cabinet frame, by the names of the lucide library. */
export type ShellIcon =
  | 'dashboard'
  | 'courses'
  | 'homework'
  | 'mentoring'
  | 'students'
  | 'groups'
  | 'workshops'
  | 'statistics'
  | 'schedule'
  | 'inbox'
  | 'chat'
  | 'automations'
  | 'team'
  | 'storage'
  | 'billing'
  | 'school'
  | 'profile'
  | 'create'

export interface MenuItem {
  key: string
  /** Translation key, e.g. `shell:nav.courses`. */
  labelKey: MessageKey
  icon: ShellIcon
  href: string
  current: boolean
}

export interface MenuGroup {
  /** learning, events, talk, school; the group without a label comes first. */
  key: string
  labelKey: MessageKey | null
  items: MenuItem[]
}

/** One membership in the school switcher. With `fields` it is a form post, without them a link. */
export interface SwitcherEntry {
  name: string
  href: string
  current: boolean
  accountType: AccountType
  fields?: Record<string, string>
}

export interface Crumb {
  label: string
  /** Null for the page itself. */
  href: string | null
}

interface CreateAction {
  key: string
  labelKey: MessageKey
  icon: ShellIcon
  href: string
}

/** A notice below the top bar: the plan is inactive, with a link to renew it. */
interface ShellNotice {
  text: string
  href: string | null
  actionLabel: string | null
}

/** The data of the cabinet frame, built on the server for one actor and one page. */
export interface ShellView {
  actor: { name: string; email: string }
  /** The membership whose drafts on the device are listed in the frame. */
  draftOwner: string
  schoolName: string
  /** Address of the school's logo; null shows its initials. */
  schoolMark: string | null
  switcher: SwitcherEntry[]
  menu: MenuGroup[]
  breadcrumbs: Crumb[]
  create: CreateAction[]
  notice: ShellNotice | null
  /** Whether the actor may upload files: then the frame shows the upload tray. */
  canUpload: boolean
  unreadNotifications: number
  /** URL of the sign-out form. */
  signOutAction: string
  /** From the cookie `menu=narrow`, so that the first response has the right width. */
  menuNarrow?: boolean
}

/** The brand of a school on its public pages. */
export interface SchoolBrand {
  name: string
  /** Path of the logo, or null. */
  mark: string | null
  /** Path of the stylesheet with the brand color, or null. */
  stylesheet: string | null
}
