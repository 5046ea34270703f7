import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { AddLesson, AddModule, CourseId, LessonId, ModuleId } from '../schema.ts'
import { moveLesson, moveModule, placeLessons, placeModule } from './arrange.ts'
import { changeLessons, changeModule, publishLessons, renameLesson } from './bulk-change.ts'
import { undoChange } from './change.ts'
import { duplicateLessons, duplicateModule } from './duplicate.ts'
import { type CopyParts, duplicateCourse, getDates } from './duplicate-course.ts'
import { addLesson, addLessons, addModule, getOutline } from './outline.ts'
import {
  AddLessonOutput,
  AddLessonsOutput,
  AddModuleOutput,
  CourseDates,
  DuplicateCourseOutput,
  DuplicateLessonsOutput,
  DuplicateModuleOutput,
  GetOutlineOutput,
  LessonsChanged,
  ListTrashOutput,
  OutlineChanged,
  PlaceLessonsOutput,
  PublishLessonsOutput,
  RenameLessonOutput,
} from './output-schema.ts'
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
  getOutline: staff
    .route({ summary: 'Returns outline of a course for its authors, without documents' })
    .input(CourseId)
    .output(GetOutlineOutput)
    .handler(({ input, context }) => getOutline(context.actor, input)),
  getDates: staff
    .route({ summary: 'Returns the dates of a course for a new cohort' })
    .input(CourseId)
    .output(CourseDates)
    .handler(({ input, context }) => getDates(context.actor, input)),
  listTrash: staff
    .route({ summary: 'Returns modules and lessons deleted in the last 30 days, newest first' })
    .input(CourseId)
    .output(ListTrashOutput)
    .handler(({ input, context }) => listTrash(context.actor, input)),

  addModule: authors
    .route({ summary: 'Adds a module at the end' })
    .input(AddModule)
    .output(AddModuleOutput)
    .handler(({ input, context }) => addModule(context.actor, input)),
  changeModule: authors
    .route({ summary: "Sets a module's title, description and availability" })
    .input(schema.ChangeModule)
    .output(OutlineChanged)
    .handler(({ input, context }) => changeModule(context.actor, input)),
  moveModule: authors
    .route({ summary: 'Moves a module one position up (-1) or down (1)' })
    .input(schema.MoveModule)
    .output(OutlineChanged)
    .handler(({ input, context }) => moveModule(context.actor, input)),
  placeModule: authors
    .route({ summary: 'Moves a module before another of its course, or to the end' })
    .input(schema.PlaceModule)
    .output(OutlineChanged)
    .handler(({ input, context }) => placeModule(context.actor, input)),
  deleteModule: authors
    .route({ summary: 'Moves a module with its lessons to the trash' })
    .input(ModuleId)
    .output(OutlineChanged)
    .handler(({ input, context }) => deleteModule(context.actor, input)),
  restoreModule: authors
    .route({ summary: 'Restores a module with its lessons' })
    .input(ModuleId)
    .output(OutlineChanged)
    .handler(({ input, context }) => restoreModule(context.actor, input)),

  addLesson: authors
    .route({ summary: 'Adds a lesson at the end of a module, empty or with a text' })
    .input(AddLesson)
    .output(AddLessonOutput)
    .handler(({ input, context }) => addLesson(context.actor, input)),
  addLessons: authors
    .route({ summary: 'Adds empty lessons by their titles, at the end of a module or before one of its lessons' })
    .input(schema.AddLessons)
    .output(AddLessonsOutput)
    .handler(({ input, context }) => addLessons(context.actor, input)),
  renameLesson: authors
    .route({ summary: 'Renames the draft of a lesson' })
    .input(schema.RenameLesson)
    .output(RenameLessonOutput)
    .handler(({ input, context }) => renameLesson(context.actor, input)),
  moveLesson: authors
    .route({ summary: 'Moves a lesson one position up or down' })
    .input(schema.MoveLesson)
    .output(OutlineChanged)
    .handler(({ input, context }) => moveLesson(context.actor, input)),
  deleteLesson: authors
    .route({ summary: 'Moves one lesson to the trash' })
    .input(LessonId)
    .output(OutlineChanged)
    .handler(({ input, context }) => deleteLesson(context.actor, input)),
  restoreLesson: authors
    .route({ summary: 'Restores one lesson' })
    .input(LessonId)
    .output(OutlineChanged)
    .handler(({ input, context }) => restoreLesson(context.actor, input)),

  changeLessons: authors
    .route({ summary: 'Sets visibility, availability and completion rules of one or many lessons' })
    .input(schema.ChangeLessons)
    .output(LessonsChanged)
    .handler(({ input, context }) => changeLessons(context.actor, input)),
  placeLessons: authors
    .route({
      summary:
        'Moves lessons to a module in the given order, before one of its lessons, or at the end where that lesson no longer exists',
    })
    .input(schema.PlaceLessons)
    .output(PlaceLessonsOutput)
    .handler(({ input, context }) => placeLessons(context.actor, input)),
  publishLessons: authors
    .route({ summary: 'Publishes the drafts of lessons with text and unhides them' })
    .input(schema.LessonIds)
    .output(PublishLessonsOutput)
    .handler(({ input, context }) => publishLessons(context.actor, input)),
  deleteLessons: authors
    .route({ summary: 'Moves lessons to the trash' })
    .input(schema.LessonIds)
    .output(LessonsChanged)
    .handler(({ input, context }) => deleteLessons(context.actor, input)),
  restoreLessons: authors
    .route({ summary: 'Restores deleted lessons to their positions' })
    .input(schema.LessonIds)
    .output(LessonsChanged)
    .handler(({ input, context }) => restoreLessons(context.actor, input)),
  undoChange: authors
    .route({ summary: "Undoes the actor's own change" })
    .input(schema.UndoChange)
    .output(NoOutput)
    .handler(({ input, context }) => undoChange(context.actor, input).then(noOutput)),
}

/** Copy procedures. Copying homework and tests is injected by the registry, because their modules depend on courses. */
export const duplicateCalls = (parts: CopyParts) => ({
  duplicateLessons: authors
    .route({ summary: 'Copies lessons as drafts, each after its original, with homework unless `tasks` is false' })
    .input(schema.DuplicateLessons)
    .output(DuplicateLessonsOutput)
    .handler(({ input, context }) => duplicateLessons(context.actor, input, parts.copyTasks)),
  duplicateModule: authors
    .route({ summary: 'Copies a module with its lessons, inserted after it' })
    .input(schema.DuplicateModule)
    .output(DuplicateModuleOutput)
    .handler(({ input, context }) => duplicateModule(context.actor, input, parts.copyTasks)),
  duplicate: authors
    .route({ summary: 'Copies a course as a draft' })
    .input(schema.DuplicateCourse)
    .output(DuplicateCourseOutput)
    .handler(({ input, context }) => duplicateCourse(context.actor, input, parts)),
})
