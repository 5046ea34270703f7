import { and, desc, eq, inArray } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { membership } from '#lib/user/table.ts'
import { requireStudentRow } from '../card/card.ts'
import { canManageAllStudents } from '../rules.ts'
import type { StudentInput } from '../schema.ts'
import type { RegistrationFormView, StudentRegistrationView } from './output-schema.ts'
import { checkRegistration } from './rules.ts'
import { RegistrationAnswer, RegistrationField, type RegistrationInput, type SaveRegistrationForm } from './schema.ts'
import { registrationForm, studentConsent, studentRegistration } from './table.ts'

const DEFAULT_FORM: RegistrationFormView = {
  isOpen: true,
  fields: [],
  consentText: '',
  consentUrl: null,
  consentVersion: 1,
  revision: 0,
}

/** The questions that the transaction's school asks students who register. */
export async function readRegistrationForm(tx: Tx): Promise<RegistrationFormView> {
  const [row] = await tx.select().from(registrationForm)
  if (!row) return DEFAULT_FORM
  const { isOpen, consentText, consentUrl, consentVersion, revision } = row
  const fields = parseStored(RegistrationField.array(), row.fields)
  return { isOpen, fields, consentText, consentUrl, consentVersion, revision }
}

/** The same for the settings of the school. Refuses with forbidden. */
export function getRegistrationForm(actor: Actor): Promise<RegistrationFormView> {
  requireAdministrator(actor)
  return inTenant(actor, readRegistrationForm)
}

/** The questions on a registration page; none when the person has answered in this school before. */
export function findRegistrationQuestions(
  tenantId: string,
  userId: string | null,
): Promise<Pick<RegistrationFormView, 'fields' | 'consentText' | 'consentUrl' | 'consentVersion'> | null> {
  return inTenant({ tenantId }, async (tx) => {
    const form = await readRegistrationForm(tx)
    if (form.fields.length === 0 && !hasConsent(form)) return null
    return userId && (await hasRegistered(tx, form, userId)) ? null : form
  })
}

/**
 * Changes the questions for students. A changed consent gets a new version. Refuses with forbidden, plan_inactive, and
 * with conflict (settings_conflict) when the form has changed since the given revision.
 */
export async function saveRegistrationForm(actor: Actor, input: SaveRegistrationForm): Promise<{ revision: number }> {
  requireAdministrator(actor)
  requirePlan(actor, 'lms')
  const { revision, ...after } = input
  return inTenant(actor, async (tx) => {
    await tx.insert(registrationForm).values({ tenantId: actor.tenantId }).onConflictDoNothing()
    const [row] = await tx.select().from(registrationForm).for('update')
    if (!row) throw new Refusal('not_found')
    // The first row of a school has the revision 1.
    if (row.revision !== Math.max(1, revision)) {
      throw new Refusal('conflict', { fields: { form: ['settings_conflict'] } })
    }
    const isSameConsent = row.consentText === after.consentText && row.consentUrl === after.consentUrl
    const consentVersion = row.consentVersion + (isSameConsent ? 0 : 1)
    const next = row.revision + 1
    await tx.update(registrationForm).set({ ...after, consentVersion, revision: next })
    const { isOpen, fields, consentText, consentUrl } = row
    await recordAuditEntry(tx, actor, {
      action: 'settings.changed',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      before: registrationFormAuditValues({ isOpen, fields, consentText, consentUrl }),
      after: registrationFormAuditValues(after),
    })
    return { revision: next }
  })
}

function registrationFormAuditValues({
  isOpen,
  fields,
  ...consent
}: Omit<SaveRegistrationForm, 'revision'>): AuditValues {
  return { registrationOpen: isOpen, registrationFields: fields.map(({ label }) => label), ...consent }
}

/**
 * Validates the answers of a student against the form of the school and stores it with the given consent, in the
 * surrounding transaction; a student who has answered before is not asked again. Refuses with invalid
 * (`answers.<field>`: required, phone, choice; `consent`: consent_required, consent_changed).
 */
export async function recordRegistration(
  tx: Tx,
  student: { tenantId: string; studentId: string; userId: string },
  input: RegistrationInput,
): Promise<{ phone: string | null }> {
  const { tenantId, studentId, userId } = student
  const form = await readRegistrationForm(tx)
  if ((form.fields.length === 0 && !hasConsent(form)) || (await hasRegistered(tx, form, userId))) return { phone: null }
  const { answers, errors, phone } = checkRegistration(form, input)
  if (Object.keys(errors).length > 0) throw new Refusal('invalid', { fields: errors })
  await tx
    .insert(studentRegistration)
    .values({ tenantId, studentId, answers })
    .onConflictDoUpdate({
      target: [studentRegistration.tenantId, studentRegistration.studentId],
      set: { answers, createdAt: new Date() },
    })
  if (hasConsent(form)) {
    const { consentVersion: version, consentText: text, consentUrl: url } = form
    await tx.insert(studentConsent).values({ tenantId, studentId, version, text, url }).onConflictDoNothing()
  }
  return { phone }
}

/** The answers and the consent of a student. Refuses with forbidden, not_found. */
export function getStudentRegistration(actor: Actor, input: StudentInput): Promise<StudentRegistrationView> {
  requireAdministrator(actor)
  const { studentId } = input
  return inTenant(actor, async (tx) => {
    const [, registrations, consents] = await Promise.all([
      requireStudentRow(tx, studentId),
      tx.select().from(studentRegistration).where(eq(studentRegistration.studentId, studentId)),
      tx
        .select()
        .from(studentConsent)
        .where(eq(studentConsent.studentId, studentId))
        .orderBy(desc(studentConsent.version)),
    ])
    const [registration] = registrations
    return {
      answers: registration ? parseStored(RegistrationAnswer.array(), registration.answers) : [],
      answeredAt: registration?.createdAt.toISOString() ?? null,
      consents: consents.map(({ version, text, url, createdAt }) => ({
        version,
        text,
        url,
        givenAt: createdAt.toISOString(),
      })),
    }
  })
}

/**
 * The answers of students to the registration form, by the ids of the students and of the fields. Refuses with
 * forbidden.
 */
export function listAnswers(actor: Actor, studentIds: readonly string[]): Promise<Map<string, Record<string, string>>> {
  requireAdministrator(actor)
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select({ studentId: studentRegistration.studentId, answers: studentRegistration.answers })
      .from(studentRegistration)
      .where(inArray(studentRegistration.studentId, [...studentIds]))
    return new Map(
      rows.map(({ studentId, answers }) => [
        studentId,
        Object.fromEntries(
          parseStored(RegistrationAnswer.array(), answers).map(({ fieldId, value }) => [fieldId, value]),
        ),
      ]),
    )
  })
}

const hasConsent = ({ consentText, consentUrl }: Pick<RegistrationFormView, 'consentText' | 'consentUrl'>): boolean =>
  consentText !== '' || consentUrl !== null

/** Whether a person has answered as a student of this school, and agreed to the current consent. */
async function hasRegistered(tx: Tx, form: RegistrationFormView, userId: string): Promise<boolean> {
  const [row] = await tx
    .select({ answeredAt: studentRegistration.createdAt, version: studentConsent.version })
    .from(membership)
    .leftJoin(studentRegistration, eq(studentRegistration.studentId, membership.id))
    .leftJoin(
      studentConsent,
      and(eq(studentConsent.studentId, membership.id), eq(studentConsent.version, form.consentVersion)),
    )
    .where(and(eq(membership.userId, userId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
  return Boolean(row) && row?.answeredAt !== null && (row?.version !== null || !hasConsent(form))
}

function requireAdministrator(actor: Actor): void {
  const verdict = canManageAllStudents(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}
