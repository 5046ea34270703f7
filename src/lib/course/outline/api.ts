import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { AddLesson, AddModule, CourseId, LessonId, ModuleId } from '../schema.ts'
import { moveLesson, moveModule, placeLessons, placeModule } from './arrange.ts'
import { changeLessons, changeModule, publishLessons, renameLesson } from './bulk-change.ts'
import { undoChange } from './change.ts'
import { type CopyTasks, duplicateLessons, duplicateModule } from './duplicate.ts'
import { duplicateCourse, getDates } from './duplicate-course.ts'
import { addLesson, addLessons, addModule, getOutline } from './outline.ts'
import * as schema from './schema.ts'
import {
  deleteLesson,
  deleteLessons,
  deleteModule,
  listTrash,
  restoreLesson,
  restoreLessons,
  restoreModule,
} from './trash.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of modules and lessons. */
export const outlineCalls = {
  getOutline: staff.input(CourseId).handler(({ input, context }) => getOutline(context.actor, input)),
  getDates: staff.input(CourseId).handler(({ input, context }) => getDates(context.actor, input)),
  listTrash: staff.input(CourseId).handler(({ input, context }) => listTrash(context.actor, input)),

  addModule: authors.input(AddModule).handler(({ input, context }) => addModule(context.actor, input)),
  changeModule: authors.input(schema.ChangeModule).handler(({ input, context }) => changeModule(context.actor, input)),
  moveModule: authors.input(schema.MoveModule).handler(({ input, context }) => moveModule(context.actor, input)),
  placeModule: authors.input(schema.PlaceModule).handler(({ input, context }) => placeModule(context.actor, input)),
  deleteModule: authors.input(ModuleId).handler(({ input, context }) => deleteModule(context.actor, input)),
  restoreModule: authors.input(ModuleId).handler(({ input, context }) => restoreModule(context.actor, input)),

  addLesson: authors.input(AddLesson).handler(({ input, context }) => addLesson(context.actor, input)),
  addLessons: authors.input(schema.AddLessons).handler(({ input, context }) => addLessons(context.actor, input)),
  renameLesson: authors.input(schema.RenameLesson).handler(({ input, context }) => renameLesson(context.actor, input)),
  moveLesson: authors.input(schema.MoveLesson).handler(({ input, context }) => moveLesson(context.actor, input)),
  deleteLesson: authors.input(LessonId).handler(({ input, context }) => deleteLesson(context.actor, input)),
  restoreLesson: authors.input(LessonId).handler(({ input, context }) => restoreLesson(context.actor, input)),

  changeLessons: authors
    .input(schema.ChangeLessons)
    .handler(({ input, context }) => changeLessons(context.actor, input)),
  placeLessons: authors.input(schema.PlaceLessons).handler(({ input, context }) => placeLessons(context.actor, input)),
  publishLessons: authors.input(schema.LessonIds).handler(({ input, context }) => publishLessons(context.actor, input)),
  deleteLessons: authors.input(schema.LessonIds).handler(({ input, context }) => deleteLessons(context.actor, input)),
  restoreLessons: authors.input(schema.LessonIds).handler(({ input, context }) => restoreLessons(context.actor, input)),
  undoChange: authors
    .input(schema.UndoChange)
    .output(Done)
    .handler(({ input, context }) => undoChange(context.actor, input).then(done)),
}

/** Copy procedures. Copying homework is injected by the registry, because the homework module depends on courses. */
export const duplicateCalls = (copyTasks: CopyTasks) => ({
  duplicateLessons: authors
    .input(schema.DuplicateLessons)
    .handler(({ input, context }) => duplicateLessons(context.actor, input, copyTasks)),
  duplicateModule: authors
    .input(schema.DuplicateModule)
    .handler(({ input, context }) => duplicateModule(context.actor, input, copyTasks)),
  duplicate: authors
    .input(schema.DuplicateCourse)
    .handler(({ input, context }) => duplicateCourse(context.actor, input, copyTasks)),
})
