import type { SQL } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { MessageKey } from '#lib/core/shared/text/message-key.ts'
import type { Risk } from './rules.ts'

export const TIMELINE_KINDS = [
  'invited',
  'invitationOpened',
  'accepted',
  'changed',
  'noted',
  'emailed',
  'opened',
  'completed',
  'watched',
  'granted',
  'submitted',
  'reviewed',
  'tested',
  'marked',
  'registered',
  'attended',
  'booked',
  'mentored',
  'certified',
] as const

/** A row of a tab of a module. */
export interface SectionRow {
  id: string
  title: string
  /** The context of the row, e.g. the course of a task. */
  context: string | null
  href: string | null
  stateKey: MessageKey
  isGood: boolean | null
  /** A score in whole percent, shown next to the state. */
  percent?: number | null
  at: Date | null
  /** A note next to the state, e.g. an overdue mark. */
  noteKey: MessageKey | null
}

export interface SectionPage {
  items: SectionRow[]
  next: string | null
}

/**
 * The contribution of a module to the student card: a tab, entries of the timeline, risks. Modules above the student
 * module are listed in `lib/student-card.ts`; the caller has checked the permission.
 */
export interface CardSection {
  /** Name of the tab in the URL. */
  key: string
  /** Label of the tab; omitted without `list`. */
  labelKey?: MessageKey
  /** A page of rows, newest first. */
  list?(tx: Tx, studentId: string, cursor: string | undefined): Promise<SectionPage>
  /**
   * SELECT statements with the columns `at timestamptz, id uuid, kind text, title text, href text` of one student in the
   * transaction's tenant.
   */
  timeline?(studentId: string): SQL[]
  risks?(tx: Tx, studentId: string, now: Date): Promise<Risk[]>
  /**
   * Removes name, email address and answers of a student from the rows of the module, when the person is permanently
   * deleted. `email` is the address that the person may have used as a guest.
   */
  erase?(tx: Tx, person: ErasedPerson): Promise<void>
}

export interface ErasedPerson {
  studentId: string
  email: string
}
