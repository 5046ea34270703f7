import { reviewCalls } from './review/api.ts'
import { submitCalls } from './submission/api.ts'
import { taskCalls } from './task/api.ts'

/** The homework room at the API's door. */
export const homework = { ...taskCalls, ...submitCalls, ...reviewCalls }
