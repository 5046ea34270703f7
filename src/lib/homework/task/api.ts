import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import * as ask from './schema.ts'
import * as task from './task.ts'

const readers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The author's side of homework: what is asked of students. */
export const taskCalls = {
  listTasks: readers.input(ask.LessonTasks).handler(({ input, context }) => task.listTasks(context.actor, input)),
  findTask: readers.input(ask.TaskId).handler(({ input, context }) => task.findTask(context.actor, input)),
  addTask: authors.input(ask.LessonTasks).handler(({ input, context }) => task.addTask(context.actor, input)),
  saveTask: authors.input(ask.SaveTask).handler(({ input, context }) => task.saveTask(context.actor, input)),
  deleteTask: authors
    .input(ask.TaskId)
    .output(Done)
    .handler(({ input, context }) => task.deleteTask(context.actor, input).then(done)),
  restoreTask: authors
    .input(ask.TaskId)
    .output(Done)
    .handler(({ input, context }) => task.restoreTask(context.actor, input).then(done)),
}
