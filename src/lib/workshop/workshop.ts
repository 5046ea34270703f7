export { type ComingWorkshop, listComing } from './coming.ts'
export { requireConference } from './conference.ts'
export { createWorkshop } from './create.ts'
export { addressed, documentAddress, type GivenHandout } from './document.ts'
export { type CopyMore, duplicateWorkshop } from './duplicate.ts'
export {
  archiveWorkshop,
  archiveWorkshops,
  cancelWorkshop,
  deleteWorkshops,
  restoreWorkshop,
  restoreWorkshops,
  undoDelete,
} from './end.ts'
export { type Appended, appendEvents, type ReadEvents, readEvents, type SessionRef } from './event-log.ts'
export { keepFilm } from './film.ts'
export { getWorkshop, type WorkshopView } from './get.ts'
export { addItem, deleteItem, type Items, itemsOf, listItems, moveItem, restoreItem, saveItem } from './item.ts'
export { listWorkshops, type WorkshopLine, type WorkshopPage } from './list.ts'
export {
  bannedDevices,
  findParticipant,
  type NewParticipant,
  type Participant,
  seatParticipant,
  seatParticipants,
} from './participant.ts'
export { type Order, orderParticipants, sameParticipants } from './participant-order.ts'
export { countPeople, type People } from './people.ts'
export { must, mustManage, mustModerate, mustSeeWorkshop, mustWritePlan, rolesAt } from './permission.ts'
export { getPrepared, type Prepared } from './prepared.ts'
export { getReadiness, type MoreChecks, publishWorkshop, type Readiness, unpublishWorkshop } from './publish.ts'
export {
  beginRehearsal,
  finishRehearsal,
  lastRehearsal,
  type Rehearsal,
  watchRehearsal,
} from './rehearsal.ts'
export { checkRehearsal, composeRehearsal, type RehearsalChecks, recordRehearsal } from './rehearsal-check.ts'
export { lockWorkshop, saveSettings, saveWorkshop } from './save.ts'
export { listMyWorkshops, type OpenWorkshop } from './shelf.ts'
export { openShowing } from './showing.ts'
export { listStaff, type NamedStaff, setStaff, staffOf, type TeamMember } from './staff.ts'
