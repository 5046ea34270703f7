import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { orderCheck } from '../core/db/checks.ts'
import { bytes, createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'

/** An invitation of a team member, whose membership has the status `invited`. Only the SHA-256 of the token is stored. */
export const teamInvitation = pgTable(
  'team_invitation',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    invitedBy: uuid().notNull(),
    tokenHash: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    acceptedAt: instant(),
    revokedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('team_invitation_member', [table.tenantId, table.memberId]),
    memberKey('team_invitation_invited_by', [table.tenantId, table.invitedBy]),
    index().on(table.tenantId, table.memberId, table.createdAt),
    index().on(table.tenantId, table.invitedBy),
  ],
)

/** A time in which a deputy receives the new homework of a team member. */
export const vacation = pgTable(
  'vacation',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    deputyId: uuid().notNull(),
    startAt: instant().notNull(),
    endAt: instant().notNull(),
    createdAt: createdAt(),
    canceledAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('vacation_member', [table.tenantId, table.memberId]),
    memberKey('vacation_deputy', [table.tenantId, table.deputyId]),
    index().on(table.tenantId, table.memberId, table.endAt),
    index().on(table.tenantId, table.deputyId, table.endAt),
    orderCheck(table.startAt, table.endAt),
  ],
)

/** A transfer of a tenant to a new owner, completed when both have confirmed it by the links of their emails. */
export const ownershipTransfer = pgTable(
  'ownership_transfer',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    ownerId: uuid().notNull(),
    recipientId: uuid().notNull(),
    ownerTokenHash: bytes().notNull().unique(),
    recipientTokenHash: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    ownerConfirmedAt: instant(),
    recipientConfirmedAt: instant(),
    completedAt: instant(),
    canceledAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('ownership_transfer_owner', [table.tenantId, table.ownerId]),
    memberKey('ownership_transfer_recipient', [table.tenantId, table.recipientId]),
    index().on(table.tenantId, table.ownerId),
    index().on(table.tenantId, table.recipientId),
    uniqueIndex('ownership_transfer_open').on(table.tenantId).where(sql`completed_at is null and canceled_at is null`),
  ],
)
