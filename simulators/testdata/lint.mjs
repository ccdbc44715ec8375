// Checks an OpenAPI document with Redocly's linter and prints its findings. Exit status 1 means that there are any.
import { createConfig, lint } from '@redocly/openapi-core'

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'info-license': 'off', // it describes a tool for this machine, not a public service
    'no-server-example.com': 'off',
    'no-unused-components': 'off', // the events of a stream are named by x-events alone
    'operation-4xx-response': 'error',
    'no-invalid-schema-examples': 'error',
    'no-invalid-media-type-examples': 'error',
    'nullable-type-sibling': 'error',
  },
})
const problems = await lint({ ref: process.argv[2], config })
for (const { severity, message, ruleId, location } of problems) {
  console.log(`${severity} ${ruleId}: ${message} at ${location.map((l) => l.pointer).join(' ')}`)
}
process.exit(problems.length > 0 ? 1 : 0)
