import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { splitName } from '#lib/core/shared/text/person-name.ts'
import { grantOrderAccess } from '#lib/course/access/order/order-grants.ts'
import { grantProgram } from '#lib/mentoring/program/purchase.ts'
import { admitBuyer } from '#lib/student/admission.ts'
import { replaceInvitation } from '#lib/student/invitation.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { findOrCreateUser } from '#lib/user/member.ts'
import { offer } from '../../table.ts'
import { recordOrderEntry } from '../entries.ts'
import type { OfferSnapshot } from '../schema.ts'
import { salesOrder } from '../table.ts'
import { registerForEvents } from './event-access.ts'
import { joinGroup } from './group-access.ts'

type OrderRow = typeof salesOrder.$inferSelect

/**
 * Gives the buyer, or the recipient of a gift, the access of an order: a signed-in student at once, a person with an
 * account as a student of the school, and a new person with an invitation by email. A second call changes the end.
 */
export async function grantAccessOf(
  tx: Tx,
  order: OrderRow,
  { course, settings }: OfferSnapshot,
  endsAt: Date | null,
): Promise<{ studentId: string; isInvited: boolean }> {
  const program = { tenantId: order.tenantId, membershipId: null, address: undefined }
  const { studentId, isInvited } = order.studentId
    ? { studentId: order.studentId, isInvited: false }
    : await admitRecipient(tx, order, course)
  if (!order.studentId) await tx.update(salesOrder).set({ studentId }).where(eq(salesOrder.id, order.id))
  await grantOrderAccess(tx, program, {
    orderId: order.id,
    studentId,
    courses: [
      { courseId: order.courseId, moduleIds: settings.moduleIds },
      ...settings.courseIds.filter((id) => id !== order.courseId).map((courseId) => ({ courseId, moduleIds: null })),
    ],
    startsAt: settings.accessFrom,
    endsAt,
    withReview: settings.withReview,
    withCertificate: settings.withCertificate,
  })
  if (settings.groupId) await joinGroup(tx, order, { groupId: settings.groupId, studentId })
  await registerForEvents(tx, order, settings.workshopIds)
  if (settings.mentorProgramId) {
    const { mentorProgramId: programId, mentorSessions: sessions } = settings
    await grantProgram(tx, order.tenantId, { programId, studentId, sessions, orderId: order.id })
  }
  return { studentId, isInvited }
}

/** The person who gets the access of an order. */
const recipientOf = ({ recipientEmail, recipientName, email, buyerName }: OrderRow) => ({
  email: recipientEmail ?? email,
  name: recipientName ?? buyerName,
})

async function admitRecipient(
  tx: Tx,
  order: OrderRow,
  courseTitle: string,
): Promise<{ studentId: string; isInvited: boolean }> {
  const { email, name } = recipientOf(order)
  const person = await findOrCreateUser({ email, ...splitName(name), locale: order.locale })
  const hasPaid = order.paidAmount > 0
  const { studentId } = await admitBuyer(tx, order.tenantId, { userId: person.userId, isKnown: person.known, hasPaid })
  if (person.known) return { studentId, isInvited: false }
  const [offered] = await tx.select({ invitedBy: offer.updatedBy }).from(offer).where(eq(offer.id, order.offerId))
  if (!offered) throw new Error('the offer of an order is not there')
  try {
    await replaceInvitation(tx, await getTenant(order.tenantId), {
      studentId,
      invitedBy: offered.invitedBy,
      email,
      locale: person.locale,
      course: courseTitle,
      message: order.giftMessage || undefined,
    })
  } catch (error) {
    // Ten invitations a day have been sent to this address: the latest of them is valid, and staff can send another one.
    if (!(error instanceof Refusal) || error.code !== 'too_many') throw error
    await recordOrderEntry(tx, order, { kind: 'problem', text: 'notInvited' })
  }
  return { studentId, isInvited: true }
}
