import type { RoomView } from '#lib/meeting/room-schema.ts'

/** The page after the event, for this person. */
export const finishedPath = ({ workshop, ticket }: Pick<RoomView, 'workshop' | 'ticket'>): string =>
  `/meeting/finished?${new URLSearchParams({ id: workshop.id, ticket })}`

/** The queue for a seat. */
export const limitPath = ({ ticket }: Pick<RoomView, 'ticket'>): string =>
  `/meeting/limit?${new URLSearchParams({ seat: ticket })}`
