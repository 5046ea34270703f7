import { forRoles } from '#lib/core/http/api/procedure.ts'
import { listWorkshops } from './list.ts'
import { countPeople } from './people.ts'
import { beginRehearsal, finishRehearsal, watchRehearsal } from './rehearsal/rehearsal.ts'
import { checkRehearsal, composeRehearsal, recordRehearsal } from './rehearsal/rehearsal-check.ts'
import {
  AddItem,
  CancelWorkshop,
  CreateWorkshop,
  ItemId,
  ListWorkshops,
  MoveItem,
  RehearsalId,
  SaveItem,
  SaveSettings,
  SaveWorkshop,
  SetStaff,
  SomeWorkshops,
  WorkshopId,
} from './schema.ts'
import { createWorkshop } from './settings/create.ts'
import { type CopyMore, duplicateWorkshop } from './settings/duplicate.ts'
import {
  archiveWorkshop,
  archiveWorkshops,
  cancelWorkshop,
  deleteWorkshops,
  restoreWorkshop,
  restoreWorkshops,
  undoDelete,
} from './settings/end.ts'
import { addItem, deleteItem, listItems, moveItem, restoreItem, saveItem } from './settings/item.ts'
import { getReadiness, type MoreChecks, publishWorkshop, unpublishWorkshop } from './settings/publish.ts'
import { saveSettings, saveWorkshop } from './settings/save.ts'
import { listStaff, setStaff } from './settings/staff.ts'
import { listMyWorkshops } from './shelf.ts'
import { getWorkshop } from './workshop.ts'

const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')
const presenters = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')
const student = forRoles('STUDENT')

const one = presenters.input(WorkshopId)
const seen = staff.input(WorkshopId)
const item = presenters.input(ItemId)
const rehearsal = presenters.input(RehearsalId)
const some = authors.input(SomeWorkshops)

/** The room of live events at the API's door. */
export const workshop = {
  list: staff.input(ListWorkshops).handler(({ input, context }) => listWorkshops(context.actor, input)),
  listMine: student.handler(({ context }) => listMyWorkshops(context.actor)),
  get: seen.handler(({ input, context }) => getWorkshop(context.actor, input)),
  create: authors.input(CreateWorkshop).handler(({ input, context }) => createWorkshop(context.actor, input)),
  save: presenters.input(SaveWorkshop).handler(({ input, context }) => saveWorkshop(context.actor, input)),
  saveSettings: presenters.input(SaveSettings).handler(({ input, context }) => saveSettings(context.actor, input)),

  listStaff: seen.handler(({ input, context }) => listStaff(context.actor, input)),
  setStaff: presenters.input(SetStaff).handler(({ input, context }) => setStaff(context.actor, input)),

  listItems: seen.handler(({ input, context }) => listItems(context.actor, input)),
  addItem: presenters.input(AddItem).handler(({ input, context }) => addItem(context.actor, input)),
  saveItem: presenters.input(SaveItem).handler(({ input, context }) => saveItem(context.actor, input)),
  moveItem: presenters.input(MoveItem).handler(({ input, context }) => moveItem(context.actor, input)),
  deleteItem: item.handler(({ input, context }) => deleteItem(context.actor, input)),
  restoreItem: item.handler(({ input, context }) => restoreItem(context.actor, input)),

  countPeople: seen.handler(({ input, context }) => countPeople(context.actor, input)),
  unpublish: one.handler(({ input, context }) => unpublishWorkshop(context.actor, input)),
  cancel: presenters.input(CancelWorkshop).handler(({ input, context }) => cancelWorkshop(context.actor, input)),
  archive: one.handler(({ input, context }) => archiveWorkshop(context.actor, input)),
  restore: one.handler(({ input, context }) => restoreWorkshop(context.actor, input)),

  beginRehearsal: one.handler(({ input, context }) => beginRehearsal(context.actor, input)),
  checkRehearsal: one.handler(({ input, context }) => checkRehearsal(context.actor, input)),
  recordRehearsal: rehearsal.handler(({ input, context }) => recordRehearsal(context.actor, input)),
  composeRehearsal: rehearsal.handler(({ input, context }) => composeRehearsal(context.actor, input)),
  watchRehearsal: rehearsal.handler(({ input, context }) => watchRehearsal(context.actor, input)),
  finishRehearsal: rehearsal.handler(({ input, context }) => finishRehearsal(context.actor, input)),

  archiveMany: some.handler(({ input, context }) => archiveWorkshops(context.actor, input)),
  restoreMany: some.handler(({ input, context }) => restoreWorkshops(context.actor, input)),
  deleteMany: some.handler(({ input, context }) => deleteWorkshops(context.actor, input)),
  undoDelete: some.handler(({ input, context }) => undoDelete(context.actor, input)),
}

interface Above {
  moreChecks?: readonly MoreChecks[]
  copyMore?: CopyMore
}

/** What rooms above have a part in: what must be ready before an event is shown, and what is copied with it. */
export const aboveCalls = ({ moreChecks, copyMore }: Above = {}) => ({
  getReadiness: seen.handler(({ input, context }) => getReadiness(context.actor, input, moreChecks)),
  publish: one.handler(({ input, context }) => publishWorkshop(context.actor, input, moreChecks)),
  duplicate: authors
    .input(WorkshopId)
    .handler(({ input, context }) => duplicateWorkshop(context.actor, input, copyMore)),
})
