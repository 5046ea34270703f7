import { and, eq, inArray } from 'drizzle-orm'
import { getSfuStatus } from '#lib/core/broadcast/broadcast.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import type { EncoderSource } from './schema.ts'

const ENCODER_STREAM = new RegExp(`^(${UUID_SOURCE})-encoder$`)

export const encoderStreamOf = (personId: string): string => `${personId}-encoder`

/** Participant whose encoder publishes the stream; null for any other stream. */
export const encoderOwnerOf = (stream: string): string | null => ENCODER_STREAM.exec(stream)?.[1] ?? null

/** Encoders that publish to a session now, if the built-in media process carries it. */
export async function readEncoderSources(tx: Tx, sessionId: string): Promise<EncoderSource[]> {
  const carried = await getSfuStatus()
  const streams = carried?.streams.filter((person) => person.room === sessionId && person.isPublished) ?? []
  const owners = streams.flatMap(({ stream }) => encoderOwnerOf(stream) ?? [])
  if (owners.length === 0) return []
  const { id, name } = workshopParticipant
  const people = await tx
    .select({ id, name })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), inArray(id, owners)))
  return people.map((person) => ({ stream: encoderStreamOf(person.id), personId: person.id, name: person.name }))
}
