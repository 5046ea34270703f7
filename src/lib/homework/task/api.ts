import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { AddTaskOutput, FindTaskOutput, ListTasksOutput, SaveTaskOutput } from './output-schema.ts'
import * as schema from './schema.ts'
import * as task from './task.ts'

const readers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of course authors: tasks. */
export const taskProcedures = {
  listTasks: readers
    .route({ summary: 'Returns the tasks of a lesson for their author, in order' })
    .input(schema.LessonRef)
    .output(ListTasksOutput)
    .handler(({ input, context }) => task.listTasks(context.actor, input)),
  findTask: readers
    .route({ summary: 'Returns the title of a task' })
    .input(schema.TaskRef)
    .output(FindTaskOutput)
    .handler(({ input, context }) => task.findTask(context.actor, input)),
  addTask: authors
    .route({ summary: 'Creates a task' })
    .input(schema.LessonRef)
    .output(AddTaskOutput)
    .handler(({ input, context }) => task.addTask(context.actor, input)),
  saveTask: authors
    .route({ summary: 'Saves a task based on `version`' })
    .input(schema.SaveTask)
    .output(SaveTaskOutput)
    .handler(({ input, context }) => task.saveTask(context.actor, input)),
  deleteTask: authors
    .route({ summary: 'Deletes a task' })
    .input(schema.TaskRef)
    .output(NoOutput)
    .handler(({ input, context }) => task.deleteTask(context.actor, input).then(noOutput)),
  restoreTask: authors
    .route({ summary: 'Restores a task' })
    .input(schema.TaskRef)
    .output(NoOutput)
    .handler(({ input, context }) => task.restoreTask(context.actor, input).then(noOutput)),
}
