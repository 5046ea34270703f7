import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { mentorProgram, programEnrolment, programPurchase } from './table.ts'

const MAX_SESSIONS = 1000

interface PurchasedProgram {
  programId: string
  studentId: string
  /** Null: as many as the program includes. */
  sessions: number | null
  orderId: string
}

/**
 * Gives the buyer of an offer access to a program, in the transaction of the payment; a student who has access gets the
 * sessions in addition, once for each order. A program without a limit stays without one. For the module of offers, which has
 * checked the permission.
 */
export async function grantProgram(
  tx: Tx,
  tenantId: string,
  { programId, studentId, sessions, orderId }: PurchasedProgram,
): Promise<void> {
  const [program] = await tx
    .select({ sessionsIncluded: mentorProgram.sessionsIncluded })
    .from(mentorProgram)
    .where(eq(mentorProgram.id, programId))
  if (!program) return
  const bought = sessions ?? program.sessionsIncluded
  const [added] = await tx
    .insert(programEnrolment)
    .values({ tenantId, programId, studentId, sessionsTotal: bought, source: 'offer', sourceId: orderId })
    .onConflictDoNothing()
    .returning({ id: programEnrolment.id })
  const enrolment = added ?? (await lockEnrolment(tx, programId, studentId))
  if (!enrolment) return
  const enrolmentId = enrolment.id
  const [isNew] = await tx
    .insert(programPurchase)
    .values({ tenantId, orderId, enrolmentId, sessions: bought })
    .onConflictDoUpdate({
      target: [programPurchase.tenantId, programPurchase.orderId],
      set: { enrolmentId, sessions: bought, endedAt: null },
      setWhere: isNotNull(programPurchase.endedAt),
    })
    .returning({ orderId: programPurchase.orderId })
  if (added || !isNew) return
  await tx
    .update(programEnrolment)
    .set({ sessionsTotal: sql`least(${MAX_SESSIONS}, ${programEnrolment.sessionsTotal} + ${bought}::int)` })
    .where(eq(programEnrolment.id, enrolmentId))
}

/**
 * Takes the sessions of a returned order from the balance, and the access when nothing else gave it; booked sessions stay. A
 * second call does nothing.
 */
export async function endProgramPurchase(tx: Tx, orderId: string): Promise<void> {
  const [ended] = await tx
    .update(programPurchase)
    .set({ endedAt: new Date() })
    .where(and(eq(programPurchase.orderId, orderId), isNull(programPurchase.endedAt)))
    .returning({ enrolmentId: programPurchase.enrolmentId, sessions: programPurchase.sessions })
  if (!ended) return
  const { enrolmentId, sessions } = ended
  const others = await tx.$count(
    programPurchase,
    and(eq(programPurchase.enrolmentId, enrolmentId), isNull(programPurchase.endedAt)),
  )
  const [enrolment] = await tx
    .select({ source: programEnrolment.source })
    .from(programEnrolment)
    .where(eq(programEnrolment.id, enrolmentId))
    .for('update')
  if (enrolment?.source === 'offer' && others === 0) {
    await tx.update(programEnrolment).set({ revokedAt: new Date() }).where(eq(programEnrolment.id, enrolmentId))
    return
  }
  await tx
    .update(programEnrolment)
    .set({ sessionsTotal: sql`greatest(1, ${programEnrolment.sessionsTotal} - ${sessions ?? 0}::int)` })
    .where(eq(programEnrolment.id, enrolmentId))
}

async function lockEnrolment(tx: Tx, programId: string, studentId: string): Promise<{ id: string } | undefined> {
  const [enrolment] = await tx
    .select({ id: programEnrolment.id })
    .from(programEnrolment)
    .where(
      and(
        eq(programEnrolment.programId, programId),
        eq(programEnrolment.studentId, studentId),
        isNull(programEnrolment.revokedAt),
      ),
    )
    .for('update')
  return enrolment
}
