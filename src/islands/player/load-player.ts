/** Loads the playing component, and hls.js when it is needed: together they are ten times as large as the page. */
export async function loadLivePlayer(usesHls: boolean) {
  const [{ default: Live }] = await Promise.all([import('./LivePlayer.tsx'), usesHls ? import('hls.js') : null])
  return Live
}
