import { and, eq, isNull, or } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { requirePassword } from '#lib/user/second-factor.ts'
import { lockTeamMember, updateTeamMember } from '#lib/user/team-member.ts'
import { createToken, digestToken } from '#lib/user/token.ts'
import { sendTransferEmail } from './emails.ts'
import { requireActionOnMember, requireTeamManager } from './permission.ts'
import type { RequestTransfer, TransferToken } from './schema.ts'
import { ownershipTransfer } from './table.ts'

const TRANSFER_DAYS = 3

/**
 * Starts the transfer of the tenant to another team member, with the owner's password: both receive an email with a link
 * and confirm. An older open transfer is canceled. Refuses with forbidden, not_found, unprocessable (password_wrong,
 * recipient_unsuitable), too_many.
 */
export async function requestTransfer(actor: Actor, input: RequestTransfer): Promise<{ transferId: string }> {
  requireTeamManager(actor)
  const { memberId, password } = input
  if (!actor.roles.includes('OWNER')) throw new Refusal('forbidden', { fields: { form: ['owner_protected'] } })
  await inTenant(actor, (tx) => lockTeamMember(tx, actor.tenantId, memberId))
  await requirePassword(actor, password)
  return inTenant(actor, async (tx) => {
    await lockTeamMember(tx, actor.tenantId, actor.membershipId)
    const recipient = await lockTeamMember(tx, actor.tenantId, memberId)
    requireActionOnMember(actor, recipient, 'receive_ownership')
    if (recipient.blockedAt || recipient.status !== 'active') {
      throw new Refusal('unprocessable', { fields: { memberId: ['recipient_unsuitable'] } })
    }
    await tx.update(ownershipTransfer).set({ canceledAt: new Date() }).where(isOpen(actor.tenantId))
    const [ownerToken, recipientToken] = [createToken(), createToken()]
    const [created] = await tx
      .insert(ownershipTransfer)
      .values({
        tenantId: actor.tenantId,
        ownerId: actor.membershipId,
        recipientId: recipient.id,
        ownerTokenHash: digestToken(ownerToken),
        recipientTokenHash: digestToken(recipientToken),
        expiresAt: new Date(Date.now() + TRANSFER_DAYS * DAY_MS),
      })
      .returning({ id: ownershipTransfer.id })
    if (!created) throw new Error('the transfer was not inserted')
    await sendTransferEmail(actor, { ...actor, token: ownerToken, part: 'owner', recipient: recipient.name })
    await sendTransferEmail(actor, {
      ...recipient,
      token: recipientToken,
      part: 'recipient',
      recipient: recipient.name,
    })
    await recordAuditEntry(tx, actor, {
      action: 'ownership.requested',
      objectId: recipient.id,
      objectName: recipient.name,
    })
    return { transferId: created.id }
  })
}

export interface OwnershipTransferView {
  part: 'owner' | 'recipient'
  isConfirmed: boolean
  recipientId: string
}

/** The open transfer that a link of the actor's own email confirms, or null. */
export async function findTransfer(actor: Actor, input: TransferToken): Promise<OwnershipTransferView | null> {
  const { token } = input
  return inTenant(actor, async (tx) => {
    const transfer = await loadOpenTransfer(tx, actor, token)
    if (!transfer) return null
    const { part, recipientId } = transfer
    const confirmedAt = part === 'owner' ? transfer.ownerConfirmedAt : transfer.recipientConfirmedAt
    return { part, recipientId, isConfirmed: confirmedAt !== null }
  })
}

/**
 * Confirms a transfer by the link of the actor's own email. When both have confirmed, the recipient becomes the owner and
 * the previous owner a director. A second call succeeds. Refuses with gone (transfer_ended) for another member's link
 * and for one that was canceled or has expired.
 */
export async function confirmOwnershipTransfer(actor: Actor, input: TransferToken): Promise<{ isComplete: boolean }> {
  const { token } = input
  return inTenant(actor, async (tx) => {
    const transfer = await loadOpenTransfer(tx, actor, token)
    if (!transfer) throw new Refusal('gone', { fields: { form: ['transfer_ended'] } })
    const now = new Date()
    const own = transfer.part === 'owner' ? ('ownerConfirmedAt' as const) : ('recipientConfirmedAt' as const)
    const confirmed = { ...transfer, [own]: transfer[own] ?? now }
    const isComplete = confirmed.ownerConfirmedAt !== null && confirmed.recipientConfirmedAt !== null
    await tx
      .update(ownershipTransfer)
      .set({ [own]: confirmed[own], completedAt: isComplete ? now : null })
      .where(and(eq(ownershipTransfer.tenantId, actor.tenantId), eq(ownershipTransfer.id, transfer.id)))
    if (!transfer[own]) {
      await recordAuditEntry(tx, actor, {
        action: 'ownership.confirmed',
        objectId: actor.membershipId,
        objectName: actor.email,
      })
    }
    if (isComplete) await completeTransfer(tx, actor, transfer)
    return { isComplete }
  })
}

/** Cancels the open transfer. A second call changes nothing. Refuses with forbidden for all but owners. */
export async function cancelTransfer(actor: Actor): Promise<void> {
  if (!actor.roles.includes('OWNER')) throw new Refusal('forbidden', { fields: { form: ['owner_protected'] } })
  await inTenant(actor, async (tx) => {
    const [canceled] = await tx
      .update(ownershipTransfer)
      .set({ canceledAt: new Date() })
      .where(isOpen(actor.tenantId))
      .returning({ recipientId: ownershipTransfer.recipientId })
    if (!canceled) return
    const recipient = await lockTeamMember(tx, actor.tenantId, canceled.recipientId)
    await recordAuditEntry(tx, actor, {
      action: 'ownership.canceled',
      objectId: recipient.id,
      objectName: recipient.name,
    })
  })
}

async function completeTransfer(
  tx: Tx,
  actor: Actor,
  transfer: { ownerId: string; recipientId: string },
): Promise<void> {
  const owner = await lockTeamMember(tx, actor.tenantId, transfer.ownerId)
  const recipient = await lockTeamMember(tx, actor.tenantId, transfer.recipientId)
  if (recipient.blockedAt || !owner.roles.includes('OWNER')) {
    throw new Refusal('gone', { fields: { form: ['transfer_ended'] } })
  }
  await updateTeamMember(tx, owner, { accountType: 'ACCOUNT_TYPE_TEAM_MEMBER', roles: ['DIRECTOR'] })
  await updateTeamMember(tx, recipient, { accountType: 'ACCOUNT_TYPE_PRODUCT_OWNER', roles: ['OWNER'] })
  await recordAuditEntry(tx, actor, {
    action: 'ownership.transferred',
    objectId: recipient.id,
    objectName: recipient.name,
    before: { owner: owner.name, roles: recipient.roles },
    after: { owner: recipient.name, roles: ['OWNER'] },
  })
}

async function loadOpenTransfer(tx: Tx, actor: Actor, token: string) {
  const hash = digestToken(token)
  const [row] = await tx
    .select()
    .from(ownershipTransfer)
    .where(
      and(
        isOpen(actor.tenantId),
        or(
          and(eq(ownershipTransfer.ownerTokenHash, hash), eq(ownershipTransfer.ownerId, actor.membershipId)),
          and(eq(ownershipTransfer.recipientTokenHash, hash), eq(ownershipTransfer.recipientId, actor.membershipId)),
        ),
      ),
    )
    .for('update')
  if (!row || row.expiresAt <= new Date()) return null
  return { ...row, part: row.ownerId === actor.membershipId ? ('owner' as const) : ('recipient' as const) }
}

const isOpen = (tenantId: string) =>
  and(
    eq(ownershipTransfer.tenantId, tenantId),
    isNull(ownershipTransfer.completedAt),
    isNull(ownershipTransfer.canceledAt),
  )
