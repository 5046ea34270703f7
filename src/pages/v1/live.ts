import type { APIRoute } from 'astro'
import { answerLive } from '#lib/core/live/live.ts'
import { channels } from '#lib/live.ts'

export const prerender = false

export const GET: APIRoute = ({ request, locals }) => answerLive(request, locals.actor, channels)
