import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { InstantKey, writeCursor } from '#lib/core/http/cursor.ts'
import type { CardSection, SectionPage } from '#lib/student/card/section.ts'
import { eraseOrders } from './erasure.ts'
import { createdAtKey, olderThan } from './list.ts'
import type { OrderState } from './state-schema.ts'
import { salesOrder } from './table.ts'

const PAGE_SIZE = 30

/** The orders by which a student got access, as a tab of the student card. */
export const orderCardSection: CardSection = {
  key: 'orders',
  labelKey: 'order:card.tab',
  list: listStudentOrders,
  erase: eraseOrders,
}

async function listStudentOrders(tx: Tx, studentId: string, cursor: string | undefined): Promise<SectionPage> {
  const rows = await tx
    .select({
      id: salesOrder.id,
      number: salesOrder.number,
      course: sql<string>`${salesOrder.snapshot} ->> 'course'`,
      offer: sql<string>`${salesOrder.snapshot} -> 'settings' ->> 'name'`,
      state: salesOrder.state,
      createdAt: salesOrder.createdAt,
      at: createdAtKey,
    })
    .from(salesOrder)
    .where(and(sql`${salesOrder.tenantId} = current_tenant()`, eq(salesOrder.studentId, studentId), olderThan(cursor)))
    .orderBy(desc(salesOrder.createdAt), desc(salesOrder.id))
    .limit(PAGE_SIZE + 1)
  const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined
  return {
    items: rows.slice(0, PAGE_SIZE).map(({ id, number, course, offer, state, createdAt }) => ({
      id,
      title: course,
      context: `№ ${number} · ${offer}`,
      href: `/orders/${id}`,
      stateKey: `order:state.${state}` as const,
      isGood: isGoodState(state),
      at: createdAt,
      noteKey: null,
    })),
    next: last ? writeCursor(InstantKey, last) : null,
  }
}

function isGoodState(state: OrderState): boolean | null {
  if (['paid', 'completed', 'active'].includes(state)) return true
  return ['overdue', 'suspended'].includes(state) ? false : null
}
