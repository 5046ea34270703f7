export { type ComingWorkshop, listComing } from './coming.ts'
export { requireConference } from './conference.ts'
export { addressed, documentAddress, type GivenHandout } from './document.ts'
export { keepFilm, replaceFilm } from './film.ts'
export { getWorkshop, type WorkshopView } from './get.ts'
export { listWorkshops, type WorkshopLine, type WorkshopPage } from './list.ts'
export { countPeople, type People } from './people.ts'
export { must, mustManage, mustModerate, mustSeeWorkshop, mustWritePlan, rolesAt } from './permission.ts'
export {
  beginRehearsal,
  finishRehearsal,
  lastRehearsal,
  type Rehearsal,
  watchRehearsal,
} from './rehearsal/rehearsal.ts'
export { checkRehearsal, composeRehearsal, type RehearsalChecks, recordRehearsal } from './rehearsal/rehearsal-check.ts'
export { type Appended, appendEvents, type ReadEvents, readEvents, type SessionRef } from './session/event-log.ts'
export {
  bannedDevices,
  findParticipant,
  type NewParticipant,
  type Participant,
  seatParticipant,
  seatParticipants,
} from './session/participant.ts'
export { type Order, orderParticipants, sameParticipants } from './session/participant-order.ts'
export { beginShowing, dropShowing, isOnDemand, openShowing, setFilmMinutes } from './session/session.ts'
export { createWorkshop } from './settings/create.ts'
export { type CopyMore, duplicateWorkshop } from './settings/duplicate.ts'
export {
  archiveWorkshop,
  archiveWorkshops,
  cancelWorkshop,
  deleteWorkshops,
  restoreWorkshop,
  restoreWorkshops,
  undoDelete,
} from './settings/end.ts'
export {
  addItem,
  deleteItem,
  type Items,
  itemsOf,
  listItems,
  moveItem,
  restoreItem,
  saveItem,
} from './settings/item.ts'
export { getPrepared, type Prepared } from './settings/prepared.ts'
export {
  getReadiness,
  type MoreCheck,
  type MoreChecks,
  publishWorkshop,
  type Readiness,
  unpublishWorkshop,
} from './settings/publish.ts'
export { lockWorkshop, saveSettings, saveWorkshop } from './settings/save.ts'
export { listStaff, type NamedStaff, setStaff, staffOf, type TeamMember } from './settings/staff.ts'
export { listMyWorkshops, type OpenWorkshop } from './shelf.ts'
