import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import * as schema from './schema.ts'
import * as task from './task.ts'

const readers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of course authors: tasks. */
export const taskProcedures = {
  listTasks: readers.input(schema.LessonRef).handler(({ input, context }) => task.listTasks(context.actor, input)),
  findTask: readers.input(schema.TaskRef).handler(({ input, context }) => task.findTask(context.actor, input)),
  addTask: authors.input(schema.LessonRef).handler(({ input, context }) => task.addTask(context.actor, input)),
  saveTask: authors.input(schema.SaveTask).handler(({ input, context }) => task.saveTask(context.actor, input)),
  deleteTask: authors
    .input(schema.TaskRef)
    .output(Done)
    .handler(({ input, context }) => task.deleteTask(context.actor, input).then(done)),
  restoreTask: authors
    .input(schema.TaskRef)
    .output(Done)
    .handler(({ input, context }) => task.restoreTask(context.actor, input).then(done)),
}
