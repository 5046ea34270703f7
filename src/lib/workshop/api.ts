import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { listWorkshops } from './list.ts'
import { countRegistrants } from './registrant-counts.ts'
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
import { type CopyModuleData, duplicateWorkshop } from './settings/duplicate.ts'
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
import { getReadiness, type ModuleChecks, publishWorkshop, unpublishWorkshop } from './settings/publish.ts'
import { saveSettings, saveWorkshop } from './settings/save.ts'
import { listStaff, setStaff } from './settings/staff.ts'
import { listMyWorkshops } from './student-list.ts'
import { getWorkshop } from './workshop.ts'

const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')
const presenters = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')
const student = procedureForRoles('STUDENT')

const presenterById = presenters.input(WorkshopId)
const staffById = staff.input(WorkshopId)
const itemById = presenters.input(ItemId)
const rehearsalById = presenters.input(RehearsalId)
const authorByIds = authors.input(SomeWorkshops)

/** Procedures of events. */
export const workshop = {
  list: staff.input(ListWorkshops).handler(({ input, context }) => listWorkshops(context.actor, input)),
  listMine: student.handler(({ context }) => listMyWorkshops(context.actor)),
  get: staffById.handler(({ input, context }) => getWorkshop(context.actor, input)),
  create: authors.input(CreateWorkshop).handler(({ input, context }) => createWorkshop(context.actor, input)),
  save: presenters.input(SaveWorkshop).handler(({ input, context }) => saveWorkshop(context.actor, input)),
  saveSettings: presenters.input(SaveSettings).handler(({ input, context }) => saveSettings(context.actor, input)),

  listStaff: staffById.handler(({ input, context }) => listStaff(context.actor, input)),
  setStaff: presenters.input(SetStaff).handler(({ input, context }) => setStaff(context.actor, input)),

  listItems: staffById.handler(({ input, context }) => listItems(context.actor, input)),
  addItem: presenters.input(AddItem).handler(({ input, context }) => addItem(context.actor, input)),
  saveItem: presenters.input(SaveItem).handler(({ input, context }) => saveItem(context.actor, input)),
  moveItem: presenters.input(MoveItem).handler(({ input, context }) => moveItem(context.actor, input)),
  deleteItem: itemById.handler(({ input, context }) => deleteItem(context.actor, input)),
  restoreItem: itemById.handler(({ input, context }) => restoreItem(context.actor, input)),

  countPeople: staffById.handler(({ input, context }) => countRegistrants(context.actor, input)),
  unpublish: presenterById.handler(({ input, context }) => unpublishWorkshop(context.actor, input)),
  cancel: presenters.input(CancelWorkshop).handler(({ input, context }) => cancelWorkshop(context.actor, input)),
  archive: presenterById.handler(({ input, context }) => archiveWorkshop(context.actor, input)),
  restore: presenterById.handler(({ input, context }) => restoreWorkshop(context.actor, input)),

  beginRehearsal: presenterById.handler(({ input, context }) => beginRehearsal(context.actor, input)),
  checkRehearsal: presenterById.handler(({ input, context }) => checkRehearsal(context.actor, input)),
  recordRehearsal: rehearsalById.handler(({ input, context }) => recordRehearsal(context.actor, input)),
  composeRehearsal: rehearsalById.handler(({ input, context }) => composeRehearsal(context.actor, input)),
  watchRehearsal: rehearsalById.handler(({ input, context }) => watchRehearsal(context.actor, input)),
  finishRehearsal: rehearsalById.handler(({ input, context }) => finishRehearsal(context.actor, input)),

  archiveMany: authorByIds.handler(({ input, context }) => archiveWorkshops(context.actor, input)),
  restoreMany: authorByIds.handler(({ input, context }) => restoreWorkshops(context.actor, input)),
  deleteMany: authorByIds.handler(({ input, context }) => deleteWorkshops(context.actor, input)),
  undoDelete: authorByIds.handler(({ input, context }) => undoDelete(context.actor, input)),
}

interface ModuleExtensions {
  moreChecks?: readonly ModuleChecks[]
  copyMore?: CopyModuleData
}

/** Procedures that other modules extend: publish checks and the data copied with an event. */
export const extendedCalls = ({ moreChecks, copyMore }: ModuleExtensions = {}) => ({
  getReadiness: staffById.handler(({ input, context }) => getReadiness(context.actor, input, moreChecks)),
  publish: presenterById.handler(({ input, context }) => publishWorkshop(context.actor, input, moreChecks)),
  duplicate: authors
    .input(WorkshopId)
    .handler(({ input, context }) => duplicateWorkshop(context.actor, input, copyMore)),
})
