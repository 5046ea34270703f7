import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { CERTIFICATE_STATES } from '#lib/certificate/state-schema.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { CardSection, SectionPage } from '#lib/student/card/section.ts'
import { eraseCertificates } from './issue/erasure.ts'
import { hasPublicPage, shownState } from './rules.ts'

const PAGE_SIZE = 30

/** The sections of certificates in the student card: a tab, and the times at which they were issued. */
export const certificateCardSection: CardSection = {
  key: 'certificates',
  labelKey: 'certificate:card.tab',
  list: listCertificates,
  timeline: (studentId) => [
    sql`select issued_at as at, id, 'certified'::text as kind, snapshot ->> 'course' as title, '/c/' || public_id as href
      from certificate where tenant_id = current_tenant() and student_id = ${studentId} and snapshot is not null`,
  ],
  erase: eraseCertificates,
}

const Row = z.object({
  id: z.string(),
  publicId: z.string(),
  number: z.string().nullable(),
  course: z.string(),
  state: z.enum(CERTIFICATE_STATES),
  at: z.coerce.date(),
  expiresAt: z.coerce.date().nullable(),
  hasSnapshot: z.boolean(),
  micros: z.string(),
})

async function listCertificates(tx: Tx, studentId: string, cursor: string | undefined): Promise<SectionPage> {
  const after = readCursor(InstantKey, cursor)
  const older = after ? sql`and (x.created_at, x.id) < ${rowOfKey(after)}` : sql``
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select x.id, x.public_id as "publicId", x.number, c.title as course, x.state, x.expires_at as "expiresAt",
      x.snapshot is not null as "hasSnapshot",
      coalesce(x.issued_at, x.created_at) as at, ${microsecondsOf(sql`x.created_at`)} as micros
    from certificate x join course c on c.tenant_id = x.tenant_id and c.id = x.course_id
    where x.tenant_id = current_tenant() and x.student_id = ${studentId} ${older}
    order by x.created_at desc, x.id desc limit ${PAGE_SIZE + 1}`)
  const found = rows.map((row) => parseStored(Row, row))
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined
  return {
    items: found.slice(0, PAGE_SIZE).map((row) => {
      const state = shownState(row)
      return {
        id: row.id,
        title: row.course,
        context: row.number,
        at: row.at,
        href: hasPublicPage(state) && row.hasSnapshot ? `/c/${row.publicId}` : null,
        stateKey: `certificate:state.${state}` as const,
        isGood: ['issued', 'received'].includes(state) ? true : ['revoked', 'declined'].includes(state) ? false : null,
        noteKey: null,
      }
    }),
    next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null,
  }
}
