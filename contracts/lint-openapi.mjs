// Checks an OpenAPI document with Redocly's linter and prints its findings. Exit status 1 means that there are any.
//
//     node contracts/lint-openapi.mjs DOCUMENT [RULE-THAT-DOES-NOT-APPLY...]
import { createConfig, lint } from '@redocly/openapi-core'

const [document, ...exceptions] = process.argv.slice(2)
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'info-license': 'off', // the product has no public license
    'no-server-example.com': 'off',
    'no-unused-components': 'off', // the events of a stream are only used by x-events
    'operation-4xx-response': 'error',
    'no-invalid-schema-examples': 'error',
    'no-invalid-media-type-examples': 'error',
    'nullable-type-sibling': 'error',
    ...Object.fromEntries(exceptions.map((rule) => [rule, 'off'])),
  },
})
const problems = await lint({ ref: document, config })
for (const { severity, message, ruleId, location } of problems) {
  console.log(`${severity} ${ruleId}: ${message} at ${location.map((l) => l.pointer).join(' ')}`)
}
process.exit(problems.length > 0 ? 1 : 0)
