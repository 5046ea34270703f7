import { eq } from 'drizzle-orm'
import { inSystem } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { continueVerification, type PendingVerification } from './email-verification.ts'
import { verifyPassword } from './password.ts'
import { isPendingTokenOf, issuePendingToken, readPendingToken } from './pending-token.ts'
import type { SignIn, SignInCode } from './schema.ts'
import { consumeCode } from './second-factor.ts'
import { beginSession, completeSignIn, type RequestOrigin, type SignInResult } from './session.ts'
import { countSecondStepAttempt, countSignInAttempt } from './sign-in-limits.ts'
import { user } from './table.ts'
import { recordLogin } from './user.ts'

const SECOND_STEP_MINUTES = 5

export type SignInOutcome =
  | ({ kind: 'signedIn' } & SignInResult)
  /** The password was right, but the email address is not confirmed: a code was sent. */
  | ({ kind: 'unverified' } & PendingVerification)
  /** The password was right, a code of the second factor is still needed. */
  | { kind: 'secondStep'; pendingToken: string }

/**
 * Signs in by email and password. Refuses with credentials (the same response in the same time whether or not there is
 * such an account), second_factor for a wrong code, forbidden without an active membership, too_many.
 */
export async function signIn(input: SignIn, caller: RequestOrigin): Promise<SignInOutcome> {
  const person = await findUser(eq(user.email, input.email))
  const clearAttemptCount = await countSignInAttempt(input.email, person?.id, caller)
  const matches = await verifyPassword(person?.passwordHash, input.password)
  if (!person || !matches) throw new Refusal('credentials', { fields: { email: ['credentials'] } })
  await clearAttemptCount()
  if (!person.emailVerifiedAt) return { kind: 'unverified', ...(await continueVerification(person, caller)) }
  if (person.totpEnabledAt && input.code === undefined) {
    return { kind: 'secondStep', pendingToken: issuePendingToken('second-step', person, SECOND_STEP_MINUTES) }
  }
  if (person.totpEnabledAt) await requireSecondFactor(person.id, input.code ?? '', caller)
  return createSession(person.id, caller, input.return)
}

/** The second step: the pending token of the first one and a code. Refuses with gone for an old token, second_factor, too_many. */
export async function signInWithCode(input: SignInCode, caller: RequestOrigin): Promise<SignInOutcome> {
  const pendingToken = readPendingToken('second-step', input.pendingToken)
  const person = pendingToken && (await findUser(eq(user.id, pendingToken.userId)))
  if (!pendingToken || !person || !isPendingTokenOf(pendingToken, person)) throw new Refusal('gone')
  if (person.totpEnabledAt) await requireSecondFactor(person.id, input.code, caller)
  return createSession(person.id, caller, input.return)
}

async function requireSecondFactor(userId: string, code: string, caller: RequestOrigin): Promise<void> {
  const clearAttemptCount = await countSecondStepAttempt(userId, caller)
  const isValid = await inSystem((tx) => consumeCode(tx, userId, code))
  if (!isValid) throw new Refusal('second_factor', { fields: { code: ['second_factor_wrong'] } })
  await clearAttemptCount()
}

async function createSession(
  userId: string,
  caller: RequestOrigin,
  returnTo: string | undefined,
): Promise<SignInOutcome> {
  const token = await inSystem(async (tx) => {
    await recordLogin(tx, userId)
    return beginSession(tx, userId, caller)
  })
  return { kind: 'signedIn', ...(await completeSignIn(token, caller, returnTo)) }
}

async function findUser(condition: ReturnType<typeof eq>) {
  const [person] = await inSystem((tx) =>
    tx
      .select({
        id: user.id,
        email: user.email,
        locale: user.locale,
        passwordHash: user.passwordHash,
        emailVerifiedAt: user.emailVerifiedAt,
        totpEnabledAt: user.totpEnabledAt,
      })
      .from(user)
      .where(condition),
  )
  return person
}
