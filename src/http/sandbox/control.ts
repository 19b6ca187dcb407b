/** What the controls of the sandbox have in common. */
export const control = (level: 'read' | 'write') =>
  ({
    tag: 'sandbox',
    access: { group: 'sandbox', level },
    failureShape: { kind: 'resource' },
    refusals: [400, 401, 403],
  }) as const
