const LOOK_EVERY_MS = 10

/** Waits until something holds, or gives up: a shutdown does not wait for ever. */
export async function settled(isSettled: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!isSettled() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
