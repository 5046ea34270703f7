import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { course } from '#lib/course/table.ts'
import { notifyManagers } from '#lib/notification/notify-school-team.ts'

interface BlockedCertificate {
  courseId: string
  /** The characters that the fonts lack. */
  characters: string
  /** Whose name has them; null when a text of the certificate has them, which concerns all students. */
  student: { id: string; name: string } | null
  /** The member who issued it; null: it is issued automatically. */
  issuedBy: string | null
}

/**
 * Notifies the managers of the school, and who has issued it, that a certificate cannot be drawn: once for a student or
 * course and the same characters.
 */
export async function notifyBlocked(
  tx: Tx,
  { courseId, characters, student, issuedBy }: BlockedCertificate,
): Promise<void> {
  const [about] = await tx.select({ title: course.title }).from(course).where(eq(course.id, courseId))
  await notifyManagers(tx, {
    kind: 'certificate_blocked',
    key: `certificate_blocked/${courseId}/${student?.id ?? 'texts'}/${characters}`,
    memberIds: issuedBy ? [issuedBy] : [],
    data: { subject: characters, context: [student?.name, about?.title].filter(Boolean).join(' · ') },
    link: student ? `/student/${student.id}` : `/course/edit/${courseId}?tab=certificate`,
  })
}
