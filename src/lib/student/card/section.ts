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
  'certified',
] as const

/** A row of a tab that a module contributes. */
export interface SectionRow {
  id: string
  title: string
  /** What it belongs to, e.g. the course of a task. */
  context: string | null
  href: string | null
  stateKey: MessageKey
  isGood: boolean | null
  /** A score in whole percent, shown beside the state. */
  percent?: number | null
  at: Date | null
  /** The note beside the state, e.g. an overdue mark. */
  noteKey: MessageKey | null
}

export interface SectionPage {
  items: SectionRow[]
  next: string | null
}

/**
 * What a module contributes to the student card: a tab of its own, entries of the timeline, risks. Modules above the
 * student module are listed in `lib/student-card.ts`; the caller has checked the permission.
 */
export interface CardSection {
  /** Name in the address of the tab. */
  key: string
  /** Label of the tab; without `list` there is none. */
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
   * Removes name, email address and answers of a student from the rows of the module, when the person is deleted for good.
   * `email` is the address under which the person may have come as a guest.
   */
  erase?(tx: Tx, person: ErasedPerson): Promise<void>
}

export interface ErasedPerson {
  studentId: string
  email: string
}
