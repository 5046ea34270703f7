import { Done, done, forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from '../course.ts'
import { AddLesson, AddModule, CourseId, LessonId, ModuleId } from '../schema.ts'
import * as ask from './schema.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Modules and lessons: adding, moving, setting, taking away, taking back. */
export const outlineCalls = {
  getOutline: staff.input(CourseId).handler(({ input, context }) => door.getOutline(context.actor, input)),
  getDates: staff.input(CourseId).handler(({ input, context }) => door.getDates(context.actor, input)),
  listTrash: staff.input(CourseId).handler(({ input, context }) => door.listTrash(context.actor, input)),

  addModule: authors.input(AddModule).handler(({ input, context }) => door.addModule(context.actor, input)),
  changeModule: authors
    .input(ask.ChangeModule)
    .handler(({ input, context }) => door.changeModule(context.actor, input)),
  moveModule: authors.input(ask.MoveModule).handler(({ input, context }) => door.moveModule(context.actor, input)),
  placeModule: authors.input(ask.PlaceModule).handler(({ input, context }) => door.placeModule(context.actor, input)),
  deleteModule: authors.input(ModuleId).handler(({ input, context }) => door.deleteModule(context.actor, input)),
  restoreModule: authors.input(ModuleId).handler(({ input, context }) => door.restoreModule(context.actor, input)),

  addLesson: authors.input(AddLesson).handler(({ input, context }) => door.addLesson(context.actor, input)),
  addLessons: authors.input(ask.AddLessons).handler(({ input, context }) => door.addLessons(context.actor, input)),
  renameLesson: authors
    .input(ask.RenameLesson)
    .handler(({ input, context }) => door.renameLesson(context.actor, input)),
  moveLesson: authors.input(ask.MoveLesson).handler(({ input, context }) => door.moveLesson(context.actor, input)),
  deleteLesson: authors.input(LessonId).handler(({ input, context }) => door.deleteLesson(context.actor, input)),
  restoreLesson: authors.input(LessonId).handler(({ input, context }) => door.restoreLesson(context.actor, input)),

  changeLessons: authors
    .input(ask.ChangeLessons)
    .handler(({ input, context }) => door.changeLessons(context.actor, input)),
  placeLessons: authors
    .input(ask.PlaceLessons)
    .handler(({ input, context }) => door.placeLessons(context.actor, input)),
  publishLessons: authors
    .input(ask.SomeLessons)
    .handler(({ input, context }) => door.publishLessons(context.actor, input)),
  deleteLessons: authors
    .input(ask.SomeLessons)
    .handler(({ input, context }) => door.deleteLessons(context.actor, input)),
  restoreLessons: authors
    .input(ask.SomeLessons)
    .handler(({ input, context }) => door.restoreLessons(context.actor, input)),
  undoChange: authors
    .input(ask.UndoChange)
    .output(Done)
    .handler(({ input, context }) => door.undoChange(context.actor, input).then(done)),
}

/** Copies take the homework along; how it is copied is handed in by the hallway, because homework stands above courses. */
export const duplicateCalls = (copyTasks: door.CopyTasks) => ({
  duplicateLessons: authors
    .input(ask.DuplicateLessons)
    .handler(({ input, context }) => door.duplicateLessons(context.actor, input, copyTasks)),
  duplicateModule: authors
    .input(ask.DuplicateModule)
    .handler(({ input, context }) => door.duplicateModule(context.actor, input, copyTasks)),
  duplicate: authors
    .input(ask.DuplicateCourse)
    .handler(({ input, context }) => door.duplicateCourse(context.actor, input, copyTasks)),
})
