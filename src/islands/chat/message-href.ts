/** The address of a message, which shows the messages around it. */
export const messageHref = (conversationId: string, seq: number): string =>
  `/chat?conversation=${conversationId}&message=${seq}#message-${seq}`
