import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { fullName } from '#lib/core/shared/text/person-name.ts'
import {
  findEventRoles,
  requireManagedWorkshop,
  requireModeratedWorkshop,
  requireReadableWorkshop,
  requireWorkshopPlan,
} from '#lib/workshop/permission.ts'
import { roomRoleOf } from '#lib/workshop/rules.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { EventAuthor, type RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent, workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { sendAnswerEmail } from './answer-email.ts'
import { insertEntries } from './autowebinar.ts'
import { readPlan } from './plan.ts'
import { createNameRemover, createPseudonyms } from './pseudonym.ts'
import type { AnswerLater, ListAutoSessions, ListViewerQuestions } from './schema.ts'

export interface AutoSessionRow {
  sessionId: string
  startAt: string
  startedAt: string | null
  finishedAt: string | null
  /** Number of viewers. */
  people: number
  questions: number
  unanswered: number
}

export interface QuestionRow {
  sessionId: string
  sessionStartAt: string
  messageId: string
  type: 'question' | 'message'
  name: string
  /** Whether there is an email address for the answer. */
  hasEmail: boolean
  text: string
  at: string
  offsetMs: number
  answer: { text: string; by: string; at: string } | null
}

/** Sessions that exist: running, coming, or past ones. Refuses with forbidden, not_found. */
export function listAutoSessions(actor: Actor, input: ListAutoSessions, now = new Date()): Promise<AutoSessionRow[]> {
  const { workshopId, when } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    const { startAt, finishedAt } = workshopSession
    const isSelected = {
      running: and(lte(startAt, now), isNull(finishedAt)),
      coming: gt(startAt, now),
      past: isNotNull(finishedAt),
    }[when]
    const rows = await tx
      .select({
        sessionId: workshopSession.id,
        startAt,
        startedAt: workshopSession.startedAt,
        finishedAt,
        people:
          sql<number>`(select count(*) from ${workshopParticipant} p where p.tenant_id = workshop_session.tenant_id
          and p.session_id = workshop_session.id and p.role = 'viewer')`.mapWith(Number),
        questions: questionCountSql(sql``).mapWith(Number),
        unanswered: questionCountSql(UNANSWERED).mapWith(Number),
      })
      .from(workshopSession)
      .where(and(eq(workshopSession.workshopId, workshopId), eq(workshopSession.kind, 'auto'), isSelected))
      .orderBy(when === 'past' ? desc(startAt) : asc(startAt), asc(workshopSession.id))
      .limit(100)
    return rows.map((row) => ({
      ...row,
      startAt: row.startAt?.toISOString() ?? '',
      startedAt: row.startedAt?.toISOString() ?? null,
      finishedAt: row.finishedAt?.toISOString() ?? null,
    }))
  })
}

export function listViewerQuestions(actor: Actor, input: ListViewerQuestions): Promise<QuestionRow[]> {
  const { workshopId, open } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    const rows = await readQuestions(
      tx,
      and(eq(workshopSession.workshopId, workshopId), open ? IS_UNANSWERED : undefined),
    )
    return rows.map(({ email: _, ...row }) => row)
  })
}

/**
 * Answers a question of a session: the answer is shown in the room to the participant who asked, and emailed once.
 * Refuses with conflict when the question has another answer; with forbidden, plan_inactive, not_found.
 */
export async function answerLater(actor: Actor, input: AnswerLater): Promise<{ mailed: boolean }> {
  requireWorkshopPlan(actor)
  const { sessionId, messageId, text } = input
  return inTenant(actor, async (tx) => {
    const { workshopId, title } = await findAutoSession(tx, sessionId)
    await requireModeratedWorkshop(tx, actor, workshopId)
    // Locks the event log: of two simultaneous answers the second finds the first.
    await tx
      .select({ id: workshopSession.id })
      .from(workshopSession)
      .where(eq(workshopSession.id, sessionId))
      .for('no key update')
    const [question] = await readQuestions(tx, and(eq(workshopSession.id, sessionId), hasMessageId(messageId)))
    if (!question) throw new Refusal('not_found')
    if (question.answer) {
      if (question.answer.text === text) return { mailed: question.hasEmail }
      throw new Refusal('conflict', { data: { answer: question.answer.text } })
    }
    const name = fullName(actor) || actor.tenantName
    const author = { name, role: roomRoleOf(actor, await findEventRoles(tx, actor, workshopId)) }
    const ref = { tenantId: actor.tenantId, id: sessionId }
    const personId = question.personId
    const { events } = await appendEvents(tx, ref, [
      { type: 'answer', payload: { messageId, text, author }, audience: 'person', personId },
    ])
    const mailed = await sendAnswerEmail(tx, actor.tenantId, {
      sessionId,
      messageId,
      personId,
      eventTitle: title,
      text,
      authorName: name,
    })
    for (const { seq } of events) {
      await enqueueJob('meeting.projectAnswer', { tenantId: actor.tenantId, sessionId, seq })
    }
    await publish(`meeting-staff:${sessionId}`, { events })
    await publish(`meeting-person:${personId}`, { events })
    return { mailed }
  })
}

/**
 * Adds a question with its answer to the script for future viewers, at its offset and under a pseudonym. Idempotent.
 * Refuses with unprocessable while there is no answer; with forbidden, plan_inactive, not_found.
 */
export async function promoteAnswer(
  actor: Actor,
  input: { sessionId: string; messageId: string },
): Promise<{ offsetMs: number }> {
  requireWorkshopPlan(actor)
  const { sessionId, messageId } = input
  return inTenant(actor, async (tx) => {
    const { workshopId } = await findAutoSession(tx, sessionId)
    await requireManagedWorkshop(tx, actor, workshopId)
    const [question] = await readQuestions(tx, and(eq(workshopSession.id, sessionId), hasMessageId(messageId)))
    const plan = await readPlan(tx, workshopId)
    if (!question || !plan) throw new Refusal('not_found')
    if (!question.answer) throw formRefusal('question_unanswered')
    const offsetMs = Math.max(0, Math.min(question.offsetMs, plan.lengthMs))
    const name = createPseudonyms(plan.language, workshopId, [question.name])(question.personId)
    const clean = createNameRemover(new Map([[question.name, name]]))
    const facts = { position: 0, track: 'chat' as const }
    await insertEntries(tx, actor, workshopId, [
      {
        ...facts,
        id: messageId,
        offsetMs,
        type: 'question' as const,
        payload: {
          messageId,
          author: { name, role: 'viewer' },
          text: clean(question.text),
          replyTo: null,
          holdReason: null,
        },
      },
      {
        ...facts,
        id: question.answerId ?? newId(),
        offsetMs: Math.min(offsetMs + ANSWER_DELAY_MS, plan.lengthMs),
        type: 'answer' as const,
        payload: { messageId, text: clean(question.answer.text), author: parseStored(EventAuthor, question.answerBy) },
      },
    ])
    return { offsetMs }
  })
}

/** Delay between a question and its answer in the script. */
const ANSWER_DELAY_MS = 20_000

// The log has no id of the answer: the entry's id is derived from the question's.
const answerEntryIdOf = (messageId: string): string => `${messageId.slice(0, 14)}8${messageId.slice(15)}`

const MESSAGE_TYPES = ['question', 'message'] as const

const UNANSWERED = sql` and not exists (select 1 from workshop_event a where a.tenant_id = e.tenant_id
  and a.session_id = e.session_id and a.type = 'answer' and a.payload->>'messageId' = e.payload->>'messageId')`

const questionCountSql = (more: ReturnType<typeof sql>) => sql<number>`(select count(*) from workshop_event e
  join workshop_participant p on p.tenant_id = e.tenant_id and p.id = e.actor_id and p.role = 'viewer'
  where e.tenant_id = workshop_session.tenant_id and e.session_id = workshop_session.id
    and e.type in ('question', 'message')${more})`

const answerExistsSql = sql`select 1 from workshop_event a where a.tenant_id = ${workshopEvent.tenantId}
  and a.session_id = ${workshopEvent.sessionId} and a.type = 'answer'
  and a.payload->>'messageId' = ${workshopEvent.payload}->>'messageId'`
const IS_UNANSWERED = sql`not exists (${answerExistsSql})`

const hasMessageId = (messageId: string) => sql`${workshopEvent.payload}->>'messageId' = ${messageId}`

async function findAutoSession(tx: Tx, sessionId: string): Promise<{ workshopId: string; title: string }> {
  const [row] = await tx
    .select({ workshopId: workshopSession.workshopId, title: workshop.title })
    .from(workshopSession)
    .innerJoin(workshop, eq(workshop.id, workshopSession.workshopId))
    .where(and(eq(workshopSession.id, sessionId), eq(workshopSession.kind, 'auto')))
  if (!row) throw new Refusal('not_found')
  return row
}

async function readQuestions(tx: Tx, condition: ReturnType<typeof and>) {
  const rows = await tx
    .select({
      sessionId: workshopEvent.sessionId,
      sessionStartAt: workshopSession.startAt,
      type: workshopEvent.type,
      payload: workshopEvent.payload,
      at: workshopEvent.at,
      offsetMs: workshopEvent.offsetMs,
      personId: workshopParticipant.id,
      name: workshopParticipant.name,
      email: workshopParticipant.email,
    })
    .from(workshopEvent)
    .innerJoin(workshopSession, and(eq(workshopSession.id, workshopEvent.sessionId), eq(workshopSession.kind, 'auto')))
    .innerJoin(
      workshopParticipant,
      and(eq(workshopParticipant.id, workshopEvent.actorId), eq(workshopParticipant.role, 'viewer')),
    )
    .where(and(inArray(workshopEvent.type, [...MESSAGE_TYPES]), condition))
    .orderBy(asc(workshopEvent.at), asc(workshopEvent.seq))
    .limit(500)
  const answerByMessage = await readAnswers(tx, [...new Set(rows.map(({ sessionId }) => sessionId))])
  return rows.map(({ payload, at, sessionStartAt, type, email, ...row }) => {
    const { messageId, text } = payload as { messageId: string; text: string }
    const answer = answerByMessage.get(messageId)
    return {
      ...row,
      email,
      messageId,
      text,
      at: at.toISOString(),
      sessionStartAt: sessionStartAt?.toISOString() ?? '',
      type: type as 'question' | 'message',
      hasEmail: email !== null,
      answer: answer
        ? { text: answer.payload.text, by: answer.payload.author.name, at: new Date(answer.at).toISOString() }
        : null,
      answerBy: answer?.payload.author ?? null,
      answerId: answer ? answerEntryIdOf(messageId) : null,
    }
  })
}

type LoggedAnswer = Pick<Extract<RoomEvent, { type: 'answer' }>, 'at' | 'payload'>

/** Last answer per message; one statement. */
async function readAnswers(tx: Tx, sessionIds: readonly string[]) {
  if (sessionIds.length === 0) return new Map<string, LoggedAnswer>()
  const { payload, at, sessionId, type, seq } = workshopEvent
  const rows = await tx
    .select({ payload, at })
    .from(workshopEvent)
    .where(and(inArray(sessionId, [...sessionIds]), eq(type, 'answer')))
    .orderBy(asc(sessionId), asc(seq))
  // The payload was validated when it was written.
  const given = rows.map((row) => ({ at: row.at.getTime(), payload: row.payload as LoggedAnswer['payload'] }))
  return new Map(given.map((answer) => [answer.payload.messageId, answer]))
}
