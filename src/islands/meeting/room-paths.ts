import type { RoomView } from '#lib/meeting/room-schema.ts'

/** Path of the page after the event, for this participant. */
export const finishedPath = ({ workshop, ticket }: Pick<RoomView, 'workshop' | 'ticket'>): string =>
  `/meeting/finished?${new URLSearchParams({ id: workshop.id, ticket })}`

/** Path of the waiting queue for a seat. */
export const limitPath = ({ ticket }: Pick<RoomView, 'ticket'>): string =>
  `/meeting/limit?${new URLSearchParams({ seat: ticket })}`
