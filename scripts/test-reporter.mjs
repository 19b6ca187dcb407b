// Sends the results of a process of tests to the runner that started it.
const send = (message) => process.send?.(message)

// biome-ignore lint/style/noDefaultExport: node takes the default export of a reporter
export default async function* report(source) {
  for await (const { type, data } of source) {
    // What goes wrong after its test has ended is in a warning alone.
    if (type === 'test:diagnostic' && /^(Warning|Error)/.test(data.message)) {
      send({ warning: data.message })
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, nesting, details } = data
    const isSuite = details.type === 'suite'
    if (type === 'test:pass' && !isSuite) send({ passed: 1 })
    // What fails because of its tests is counted by them; what fails by itself is not.
    if (type === 'test:fail' && details.error?.failureType !== 'subtestsFailed') {
      const cause = details.error?.cause
      const why = cause?.stack ?? cause ?? details.error
      send({ failure: { name, file: data.file?.split('/dist/').at(-1) ?? '', why: String(why) } })
    }
    if (isSuite && nesting === 0) send({ file: name, seconds: details.duration_ms / 1000 })
  }
  // A reporter is a generator of text, and there is none.
  yield ''
}
