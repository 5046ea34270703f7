import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as ask from './schema.ts'
import * as door from './workshop.ts'

const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')
const presenters = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')
const student = forRoles('STUDENT')

const one = presenters.input(ask.WorkshopId)
const seen = staff.input(ask.WorkshopId)
const item = presenters.input(ask.ItemId)
const rehearsal = presenters.input(ask.RehearsalId)
const some = authors.input(ask.SomeWorkshops)

/** The room of live events at the API's door. */
export const workshop = {
  list: staff.input(ask.ListWorkshops).handler(({ input, context }) => door.listWorkshops(context.actor, input)),
  listMine: student.handler(({ context }) => door.listMyWorkshops(context.actor)),
  get: seen.handler(({ input, context }) => door.getWorkshop(context.actor, input)),
  create: authors.input(ask.CreateWorkshop).handler(({ input, context }) => door.createWorkshop(context.actor, input)),
  save: presenters.input(ask.SaveWorkshop).handler(({ input, context }) => door.saveWorkshop(context.actor, input)),
  saveSettings: presenters
    .input(ask.SaveSettings)
    .handler(({ input, context }) => door.saveSettings(context.actor, input)),

  listStaff: seen.handler(({ input, context }) => door.listStaff(context.actor, input)),
  setStaff: presenters.input(ask.SetStaff).handler(({ input, context }) => door.setStaff(context.actor, input)),

  listItems: seen.handler(({ input, context }) => door.listItems(context.actor, input)),
  addItem: presenters.input(ask.AddItem).handler(({ input, context }) => door.addItem(context.actor, input)),
  saveItem: presenters.input(ask.SaveItem).handler(({ input, context }) => door.saveItem(context.actor, input)),
  moveItem: presenters.input(ask.MoveItem).handler(({ input, context }) => door.moveItem(context.actor, input)),
  deleteItem: item.handler(({ input, context }) => door.deleteItem(context.actor, input)),
  restoreItem: item.handler(({ input, context }) => door.restoreItem(context.actor, input)),

  countPeople: seen.handler(({ input, context }) => door.countPeople(context.actor, input)),
  unpublish: one.handler(({ input, context }) => door.unpublishWorkshop(context.actor, input)),
  cancel: presenters
    .input(ask.CancelWorkshop)
    .handler(({ input, context }) => door.cancelWorkshop(context.actor, input)),
  archive: one.handler(({ input, context }) => door.archiveWorkshop(context.actor, input)),
  restore: one.handler(({ input, context }) => door.restoreWorkshop(context.actor, input)),

  beginRehearsal: one.handler(({ input, context }) => door.beginRehearsal(context.actor, input)),
  checkRehearsal: one.handler(({ input, context }) => door.checkRehearsal(context.actor, input)),
  recordRehearsal: rehearsal.handler(({ input, context }) => door.recordRehearsal(context.actor, input)),
  composeRehearsal: rehearsal.handler(({ input, context }) => door.composeRehearsal(context.actor, input)),
  watchRehearsal: rehearsal.handler(({ input, context }) => door.watchRehearsal(context.actor, input)),
  finishRehearsal: rehearsal.handler(({ input, context }) => door.finishRehearsal(context.actor, input)),

  archiveMany: some.handler(({ input, context }) => door.archiveWorkshops(context.actor, input)),
  restoreMany: some.handler(({ input, context }) => door.restoreWorkshops(context.actor, input)),
  deleteMany: some.handler(({ input, context }) => door.deleteWorkshops(context.actor, input)),
  undoDelete: some.handler(({ input, context }) => door.undoDelete(context.actor, input)),
}

interface Above {
  moreChecks?: readonly door.MoreChecks[]
  copyMore?: door.CopyMore
}

/** What rooms above have a part in: what must be ready before an event is shown, and what is copied with it. */
export const aboveCalls = ({ moreChecks, copyMore }: Above = {}) => ({
  getReadiness: seen.handler(({ input, context }) => door.getReadiness(context.actor, input, moreChecks)),
  publish: one.handler(({ input, context }) => door.publishWorkshop(context.actor, input, moreChecks)),
  duplicate: authors
    .input(ask.WorkshopId)
    .handler(({ input, context }) => door.duplicateWorkshop(context.actor, input, copyMore)),
})
