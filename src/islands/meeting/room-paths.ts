import type { RoomView } from '#lib/meeting/room-schema.ts'

/** Path of the page after the event, for this participant. */
export const finishedPath = ({
  workshop,
  seatToken,
  exitPath,
  kind,
}: Pick<RoomView, 'workshop' | 'seatToken' | 'exitPath' | 'kind'>): string =>
  // A rehearsal leaves no recording, materials or rating.
  exitPath ??
  (kind === 'rehearsal'
    ? `/workshops/webinar/${workshop.id}`
    : `/meeting/finished?${new URLSearchParams({ id: workshop.id, seatToken })}`)

/** Path of the waiting queue for a seat. */
export const limitPath = ({ seatToken }: Pick<RoomView, 'seatToken'>): string =>
  `/meeting/limit?${new URLSearchParams({ seatToken })}`
