import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { listWorkshops } from './list.ts'
import {
  AddItemOutput,
  ArchiveManyWorkshopOutput,
  ArchiveWorkshopOutput,
  CancelWorkshopOutput,
  ComposeRehearsalOutput,
  CreateWorkshopOutput,
  DeleteItemOutput,
  DeleteManyOutput,
  DuplicateWorkshopOutput,
  FinishRehearsalOutput,
  GetWorkshopOutput,
  ListMineWorkshopOutput,
  MoveItemOutput,
  PublishWorkshopOutput,
  RecordRehearsalOutput,
  RegistrantCounts,
  RehearsalViewingReport,
  RestoreItemOutput,
  RestoreManyWorkshopOutput,
  RestoreWorkshopOutput,
  SaveItemOutput,
  SaveSettingsOutput,
  SaveWorkshopOutput,
  SetStaffWorkshopOutput,
  UndoDeleteOutput,
  UnpublishWorkshopOutput,
  WorkshopPage,
} from './output-schema.ts'
import { countRegistrants } from './registrant-counts.ts'
import { Rehearsal, RehearsalChecks } from './rehearsal/output-schema.ts'
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
  SetEventStaff,
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
import { addItem, deleteItem, listItems, moveEventItem, restoreItem, saveItem } from './settings/item.ts'
import { EventReadiness, ListStaffWorkshopOutput, PreparedItemsByKind } from './settings/output-schema.ts'
import { getEventReadiness, type ModuleChecks, publishWorkshop, unpublishWorkshop } from './settings/publish.ts'
import { saveSettings, saveWorkshop } from './settings/save.ts'
import { listEventStaff, setEventStaff } from './settings/staff.ts'
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
  list: staff
    .route({ summary: 'Returns events of the tenant, last changed first' })
    .input(ListWorkshops)
    .output(WorkshopPage)
    .handler(({ input, context }) => listWorkshops(context.actor, input)),
  listMine: student
    .route({ summary: 'Returns published events that a student may attend' })
    .input(NoInput)
    .output(ListMineWorkshopOutput)
    .handler(({ context }) => listMyWorkshops(context.actor)),
  get: staffById
    .route({ summary: 'Returns one event with everything its pages need' })
    .output(GetWorkshopOutput)
    .handler(({ input, context }) => getWorkshop(context.actor, input)),
  create: authors
    .route({ summary: 'Creates a draft event with the actor as host' })
    .input(CreateWorkshop)
    .output(CreateWorkshopOutput)
    .handler(({ input, context }) => createWorkshop(context.actor, input)),
  save: presenters
    .route({ summary: 'Saves the main fields of an event' })
    .input(SaveWorkshop)
    .output(SaveWorkshopOutput)
    .handler(({ input, context }) => saveWorkshop(context.actor, input)),
  saveSettings: presenters
    .route({ summary: "Saves the given parts of an event's settings, each as a whole" })
    .input(SaveSettings)
    .output(SaveSettingsOutput)
    .handler(({ input, context }) => saveSettings(context.actor, input)),

  listStaff: staffById
    .route({ summary: 'Returns team members with or eligible for an event role, by name' })
    .output(ListStaffWorkshopOutput)
    .handler(({ input, context }) => listEventStaff(context.actor, input)),
  setStaff: presenters
    .route({ summary: 'Replaces the staff of an event' })
    .input(SetEventStaff)
    .output(SetStaffWorkshopOutput)
    .handler(({ input, context }) => setEventStaff(context.actor, input)),

  listItems: staffById
    .route({ summary: 'Returns buttons, polls and hand-outs of an event' })
    .output(PreparedItemsByKind)
    .handler(({ input, context }) => listItems(context.actor, input)),
  addItem: presenters
    .route({ summary: 'Adds an item after the others of its kind' })
    .input(AddItem)
    .output(AddItemOutput)
    .handler(({ input, context }) => addItem(context.actor, input)),
  saveItem: presenters
    .route({ summary: 'Saves the content of an item' })
    .input(SaveItem)
    .output(SaveItemOutput)
    .handler(({ input, context }) => saveItem(context.actor, input)),
  moveItem: presenters
    .route({ summary: 'Moves an item by one position within its kind' })
    .input(MoveItem)
    .output(MoveItemOutput)
    .handler(({ input, context }) => moveEventItem(context.actor, input)),
  deleteItem: itemById
    .route({ summary: 'Deletes an item' })
    .output(DeleteItemOutput)
    .handler(({ input, context }) => deleteItem(context.actor, input)),
  restoreItem: itemById
    .route({ summary: 'Restores a deleted item' })
    .output(RestoreItemOutput)
    .handler(({ input, context }) => restoreItem(context.actor, input)),

  countPeople: staffById
    .route({ summary: 'Returns number of registrants that a change of an event affects' })
    .output(RegistrantCounts)
    .handler(({ input, context }) => countRegistrants(context.actor, input)),
  unpublish: presenterById
    .route({ summary: 'Reverts an event to a draft, while it has no registrants and has not started' })
    .output(UnpublishWorkshopOutput)
    .handler(({ input, context }) => unpublishWorkshop(context.actor, input)),
  cancel: presenters
    .route({ summary: 'Cancels an event permanently' })
    .input(CancelWorkshop)
    .output(CancelWorkshopOutput)
    .handler(({ input, context }) => cancelWorkshop(context.actor, input)),
  archive: presenterById
    .route({ summary: 'Archives an event' })
    .output(ArchiveWorkshopOutput)
    .handler(({ input, context }) => archiveWorkshop(context.actor, input)),
  restore: presenterById
    .route({ summary: 'Restores an archived event' })
    .output(RestoreWorkshopOutput)
    .handler(({ input, context }) => restoreWorkshop(context.actor, input)),

  beginRehearsal: presenterById
    .route({ summary: 'Starts a rehearsal of an event, or resumes an unfinished one' })
    .output(Rehearsal)
    .handler(({ input, context }) => beginRehearsal(context.actor, input)),
  checkRehearsal: presenterById
    .route({ summary: 'Returns the server-side checks of an event before it starts' })
    .output(RehearsalChecks)
    .handler(({ input, context }) => checkRehearsal(context.actor, input)),
  recordRehearsal: rehearsalById
    .route({ summary: 'Starts recording a rehearsal' })
    .output(RecordRehearsalOutput)
    .handler(({ input, context }) => recordRehearsal(context.actor, input)),
  composeRehearsal: rehearsalById
    .route({ summary: 'Stops the test recording and composes a video as after an event' })
    .output(ComposeRehearsalOutput)
    .handler(({ input, context }) => composeRehearsal(context.actor, input)),
  watchRehearsal: rehearsalById
    .route({ summary: "Lets a few headless viewers play the caller's test stream" })
    .output(RehearsalViewingReport)
    .handler(({ input, context }) => watchRehearsal(context.actor, input)),
  finishRehearsal: rehearsalById
    .route({ summary: 'Finishes a rehearsal' })
    .output(FinishRehearsalOutput)
    .handler(({ input, context }) => finishRehearsal(context.actor, input)),

  archiveMany: authorByIds
    .route({ summary: 'Archives events' })
    .output(ArchiveManyWorkshopOutput)
    .handler(({ input, context }) => archiveWorkshops(context.actor, input)),
  restoreMany: authorByIds
    .route({ summary: 'Restores archived events' })
    .output(RestoreManyWorkshopOutput)
    .handler(({ input, context }) => restoreWorkshops(context.actor, input)),
  deleteMany: authorByIds
    .route({ summary: 'Deletes drafts' })
    .output(DeleteManyOutput)
    .handler(({ input, context }) => deleteWorkshops(context.actor, input)),
  undoDelete: authorByIds
    .route({ summary: 'Undoes a deletion' })
    .output(UndoDeleteOutput)
    .handler(({ input, context }) => undoDelete(context.actor, input)),
}

interface ModuleExtensions {
  moreChecks?: readonly ModuleChecks[]
  copyMore?: CopyModuleData
}

/** Procedures that other modules extend: publish checks and the data copied with an event. */
export const extendedCalls = ({ moreChecks, copyMore }: ModuleExtensions = {}) => ({
  getReadiness: staffById
    .route({ summary: 'Returns checks before the publication of an event' })
    .output(EventReadiness)
    .handler(({ input, context }) => getEventReadiness(context.actor, input, moreChecks)),
  publish: presenterById
    .route({ summary: 'Publishes an event' })
    .output(PublishWorkshopOutput)
    .handler(({ input, context }) => publishWorkshop(context.actor, input, moreChecks)),
  duplicate: authors
    .route({ summary: 'Duplicates an event as a draft' })
    .input(WorkshopId)
    .output(DuplicateWorkshopOutput)
    .handler(({ input, context }) => duplicateWorkshop(context.actor, input, copyMore)),
})
