import { reviewCalls } from './review/api.ts'
import { submitCalls } from './submission/api.ts'
import { taskCalls } from './task/api.ts'

// The hallway hands it to the course room, which copies lessons and stands below this one.
export { copyTasks } from './task/copy.ts'

/** The homework room at the API's door. */
export const homework = { ...taskCalls, ...submitCalls, ...reviewCalls }
